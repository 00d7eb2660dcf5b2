/* What profiled modules count at memory: bytes, 64-byte segments, LDS bank conflicts, updates by address. */
#include "run.h"
#include <stdlib.h>

#define TABLE (1u << 16)

struct address_counts {
  u64 address[TABLE], count[TABLE];
};

void count_global(struct wave *w, const u64 *ea, u64 exec, u32 bytes, int store) {
  u64 seen[LANES * 2], segments = 0, lanes = (u64)__builtin_popcountll(exec), last = ALL;
  EACH_LANE(exec, l) for (u64 s = ea[l] >> 6; s <= (ea[l] + bytes - 1) >> 6; s++) {
    if (s == last) continue;
    last = s;
    u64 i = 0;
    while (i < segments && seen[i] != s) i++;
    if (i == segments && segments < LANES * 2) seen[segments++] = s;
  }
  w->counts->global_segments += segments;
  if (store) w->counts->global_store_bytes += lanes * bytes;
  else w->counts->global_load_bytes += lanes * bytes;
}

/* Lanes are served `banks` words at a time; two different words of one bank need another pass. */
void count_lds(struct wave *w, const u64 *ea, u64 exec, u32 bytes, int store) {
  u32 banks = w->run->launch->lds_banks ? w->run->launch->lds_banks : 32;
  u32 words = bytes < 4 ? 1 : bytes / 4, group = banks / words ? banks / words : 1;
  u64 lanes = (u64)__builtin_popcountll(exec);
  if (store) w->counts->lds_store_bytes += lanes * bytes;
  else w->counts->lds_load_bytes += lanes * bytes;
  w->counts->lds_accesses++;
  if (banks > 64) banks = 64;
  for (u32 first = 0; first < LANES; first += group) {
    u64 word[64][4];
    u32 used[64] = {0}, worst = 0;
    for (u32 l = first; l < first + group && l < LANES; l++) {
      if (!(exec >> l & 1)) continue;
      for (u32 k = 0; k < words; k++) {
        u64 address = ea[l] / 4 + k, i = 0;
        u32 bank = (u32)(address % banks), known = used[bank] < 4 ? used[bank] : 4;
        while (i < known && word[bank][i] != address) i++;
        if (i < known) continue;
        if (used[bank] < 4) word[bank][used[bank]] = address;
        used[bank]++;
      }
    }
    for (u32 b = 0; b < banks; b++) worst = used[b] > worst ? used[b] : worst;
    if (worst > 1) w->counts->lds_conflicts += worst - 1;
  }
}

static void count_address(struct address_counts *t, u64 address) {
  u64 slot = (address >> 2) * 0x9e3779b97f4a7c15ull >> 48;
  for (u32 i = 0; i < 64; i++, slot = (slot + 1) % TABLE) {
    if (t->count[slot] && t->address[slot] != address) continue;
    t->address[slot] = address;
    t->count[slot]++;
    return;
  }
}

void count_atomic(struct wave *w, u32 space, const u64 *ea, u64 exec, u32 bytes) {
  u64 lanes = (u64)__builtin_popcountll(exec), worst = 0;
  if (space == LDS_SPACE) {
    EACH_LANE(exec, l) {
      u64 same = 0;
      for (int k = 0; k < LANES; k++) same += (exec >> k & 1) && ea[k] == ea[l];
      worst = same > worst ? same : worst;
    }
    w->counts->lds_atomic_lanes += lanes;
    if (worst > w->counts->lds_atomic_worst) w->counts->lds_atomic_worst = worst;
    return;
  }
  w->counts->global_atomic_lanes += lanes;
  w->counts->global_atomic_bytes += lanes * bytes;
  struct run *run = w->run;
  pthread_mutex_lock(&run->lock);
  if (!run->atomics) run->atomics = calloc(1, sizeof *run->atomics);
  if (run->atomics) EACH_LANE(exec, l) count_address(run->atomics, ea[l]);
  pthread_mutex_unlock(&run->lock);
}

void merge_atomics(struct run *run, struct hipport_counts *counts) {
  for (u32 i = 0; run->atomics && i < TABLE; i++) {
    if (run->atomics->count[i] <= counts->global_atomic_worst) continue;
    counts->global_atomic_worst = run->atomics->count[i];
    counts->global_atomic_worst_address = run->atomics->address[i];
  }
  free(run->atomics);
  run->atomics = NULL;
}
