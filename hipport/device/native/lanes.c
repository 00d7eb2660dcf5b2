/* Values that move between lanes. */
#include "run.h"

u32 row_of(const struct wave *w, const u32 *row) { return (u32)((row - w->v) / LANES); }

/* Lane that lane `l` reads under a DPP control, or -1. */
static int dpp_source(u32 control, int l) {
  int row = l & ~15, i = l & 15, n = (int)(control & 15);
  if (control < 0x100) return (l & ~3) | (int)(control >> 2 * (l & 3) & 3);
  switch (control & 0x1f0) {
  case DPP_ROW_SHL: return i + n < 16 ? l + n : -1;
  case DPP_ROW_SHR: return i >= n ? l - n : -1;
  case DPP_ROW_ROR: return row | ((i - n) & 15);
  case DPP_ROW_NEWBCAST: return row | n;
  default: break;
  }
  switch (control) {
  case DPP_WAVE_SHL: return l < 63 ? l + 1 : -1;
  case DPP_WAVE_ROL: return (l + 1) & 63;
  case DPP_WAVE_SHR: return l ? l - 1 : -1;
  case DPP_WAVE_ROR: return (l - 1) & 63;
  case DPP_ROW_MIRROR: return row | (15 - i);
  case DPP_ROW_HALF_MIRROR: return (l & ~7) | (7 - (l & 7));
  case DPP_ROW_BCAST15: return l >= 16 ? row - 1 : -1;
  case DPP_ROW_BCAST31: return l >= 32 ? 31 : -1;
  default: return -1;
  }
}

static void taint_gather(struct wave *w, u32 *to, const u32 *from, const i8 *source) {
  struct taint *t = &w->taint[row_of(w, to)], f = w->taint[row_of(w, from)];
  memset(t, 0, sizeof *t);
  for (int l = 0; l < LANES; l++) {
    if (source[l] < 0) continue;
    for (int b = 0; b < 4; b++) t->byte[b] |= (f.byte[b] >> source[l] & 1) << l;
    t->computed |= (f.computed >> source[l] & 1) << l;
  }
}

/* Gathers the first source and narrows EXEC to the lanes that write; gives the EXEC to restore. */
u64 dpp_begin(struct wave *w, u32 *to, const u32 *from, u32 rows, u32 control, u32 row_mask, u32 bank_mask, u32 bound) {
  u64 exec = exec_of(w), writes = 0;
  i8 source[LANES];
  for (int l = 0; l < LANES; l++) {
    int s = dpp_source(control, l);
    if (s >= 0 && !(exec >> s & 1)) s = -1;
    source[l] = (i8)s;
    int enabled = (row_mask >> (l >> 4) & 1) && (bank_mask >> (l >> 2 & 3) & 1);
    if (enabled && (s >= 0 || bound)) writes |= 1ull << l;
  }
  for (u32 k = 0; k < rows; k++) {
    for (int l = 0; l < LANES; l++) to[k * LANES + l] = source[l] < 0 ? 0 : from[k * LANES + source[l]];
    if (w->tainted) taint_gather(w, to + k * LANES, from + k * LANES, source);
  }
  set64(w->s + EXEC, exec & writes);
  return exec;
}
void dpp_end(struct wave *w, u64 exec) { set64(w->s + EXEC, exec); }

static void place_gathered(struct wave *w, u32 *d, const u32 *gathered, const u32 *data, const i8 *source) {
  u64 exec = exec_of(w);
  const u32 *mask = lane_mask(w, exec);
  if (w->tainted) {
    struct taint *t = &w->taint[row_of(w, d)], kept = *t, *g = &w->taint[row_of(w, w->temporary)];
    taint_gather(w, w->temporary, data, source);
    for (int b = 0; b < 4; b++) t->byte[b] = (kept.byte[b] & ~exec) | (g->byte[b] & exec);
    t->computed = (kept.computed & ~exec) | (g->computed & exec);
  }
  for (int l = 0; l < LANES; l++) d[l] = mask[l] ? gathered[l] : d[l];
}

void ds_bpermute(struct wave *w, u32 *d, const u32 *address, const u32 *data, u32 offset) {
  u64 exec = exec_of(w);
  u32 gathered[LANES];
  i8 source[LANES];
  if (exec == ALL && !w->tainted) {
    for (int l = 0; l < LANES; l++) gathered[l] = data[(address[l] + offset) >> 2 & 63];
    memcpy(d, gathered, sizeof gathered);
    return;
  }
  for (int l = 0; l < LANES; l++) {
    u32 s = (address[l] + offset) >> 2 & 63;
    gathered[l] = exec >> s & 1 ? data[s] : 0;
    source[l] = exec >> s & 1 ? (i8)s : -1;
  }
  place_gathered(w, d, gathered, data, source);
}

void ds_permute(struct wave *w, u32 *d, const u32 *address, const u32 *data, u32 offset) {
  u64 exec = exec_of(w);
  u32 gathered[LANES] = {0};
  i8 source[LANES];
  memset(source, -1, sizeof source);
  EACH_LANE(exec, l) {
    u32 to = (address[l] + offset) >> 2 & 63;
    gathered[to] = data[l];
    source[to] = (i8)l;
  }
  place_gathered(w, d, gathered, data, source);
}

/* Pattern: bit 15 set: quad permute or, from 0xc000, rotate; else and/or/xor masks inside 32 lanes. */
void ds_swizzle(struct wave *w, u32 *d, const u32 *data, u32 pattern) {
  u64 exec = exec_of(w);
  u32 gathered[LANES];
  i8 source[LANES];
  for (int l = 0; l < LANES; l++) {
    int half = l & 32, i = l & 31, s;
    if (pattern >= 0xc000) {
      int step = (int)(pattern >> 5 & 31), keep = (int)(pattern & 31);
      if (pattern >> 10 & 1) step = -step;
      s = (i & keep) | ((i + step) & 31 & ~keep);
    } else if (pattern & 0x8000) s = (i & ~3) | (int)(pattern >> 2 * (i & 3) & 3);
    else s = (((i & (int)(pattern & 31)) | (int)(pattern >> 5 & 31)) ^ (int)(pattern >> 10 & 31));
    s |= half;
    gathered[l] = exec >> s & 1 ? data[s] : 0;
    source[l] = exec >> s & 1 ? (i8)s : -1;
  }
  place_gathered(w, d, gathered, data, source);
}

u32 read_first_lane(struct wave *w, const u32 *from) {
  u64 exec = exec_of(w);
  return from[exec ? __builtin_ctzll(exec) : 0];
}
u32 read_lane(struct wave *w, const u32 *from, u32 lane) {
  (void)w;
  return from[lane & 63];
}
void write_lane(struct wave *w, u32 *to, u32 value, u32 lane) {
  to[lane & 63] = value;
  if (w->tainted) taint_clear(w, to, 1, 1ull << (lane & 63));
}

/* v_permlane16_swap (rows 1, 3 of a with rows 0, 2 of b) and v_permlane32_swap (upper half of a with lower of b). */
void swap_rows(struct wave *w, u32 *a, u32 *b, u32 width, u32 fetch_inactive, u32 bound) {
  u64 exec = exec_of(w);
  u32 old_a[LANES], old_b[LANES];
  memcpy(old_a, a, sizeof old_a);
  memcpy(old_b, b, sizeof old_b);
  for (u32 l = 0; l < LANES; l++) {
    if (!(exec >> l & 1)) continue;
    u32 other = l ^ width, live = (exec >> other & 1) || fetch_inactive;
    if (!live && !bound) continue;
    if (l & width) a[l] = live ? old_b[other] : 0;
    else b[l] = live ? old_a[other] : 0;
  }
}
void swap_lanes(struct wave *w, u32 *a, u32 *b) {
  u64 exec = exec_of(w);
  EACH_LANE(exec, l) { u32 t = a[l]; a[l] = b[l]; b[l] = t; }
}

/* A register named while s_set_gpr_idx is on: `bit` 0 to 2 for sources, 3 for the destination. */
static void check_index(struct wave *w, const u32 *row, u32 index) {
  if (row_of(w, row) + index >= w->vgprs + w->agprs)
    fault(w, HIPPORT_SCRATCH_BOUNDS, -1, index, 4, "index %u of an array that the compiler keeps in registers is out of range", index);
}
u32 *indexed_row(struct wave *w, u32 *row, u32 bit) {
  if (!w->index_on || !(w->index_mode >> bit & 1)) return row;
  check_index(w, row, w->s[M0] & 255);
  return row + (size_t)(w->s[M0] & 255) * LANES;
}

void movrel(struct wave *w, u32 *d, const u32 *a, u32 scalar, u32 from, u32 to) {
  u64 exec = exec_of(w);
  size_t index = w->s[M0];
  if (to) check_index(w, d, w->s[M0]);
  if (from && a) check_index(w, a, w->s[M0]);
  if (to) d += index * LANES;
  if (from && a) a += index * LANES;
  EACH_LANE(exec, l) d[l] = a ? a[l] : scalar;
}
