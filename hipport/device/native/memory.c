/* Loads and stores of a wave: every access is looked up before it is made. */
#include "run.h"
#include <stdio.h>

void rebuild_mask(struct wave *w, u64 exec) {
  expand_mask(w->mask, exec);
  w->mask_exec = exec;
}

void ea_flat(u64 *ea, const u32 *address, i64 offset) {
  for (int l = 0; l < LANES; l++) ea[l] = ((u64)address[LANES + l] << 32 | address[l]) + (u64)offset;
}
void ea_saddr(u64 *ea, u64 base, const u32 *address, i64 offset) {
  base += (u64)offset;
  for (int l = 0; l < LANES; l++) ea[l] = base + address[l];
}
void ea_scratch(u64 *ea, const u32 *address, u32 base, i64 offset) {
  base += (u32)offset;
  if (address) for (int l = 0; l < LANES; l++) ea[l] = (u32)(base + address[l]);
  else for (int l = 0; l < LANES; l++) ea[l] = base;
}
void ea_lds(u64 *ea, const u32 *address, u32 offset) {
  for (int l = 0; l < LANES; l++) ea[l] = (u32)(address[l] + offset);
}

u32 width_bytes(u32 width) {
  static const u8 bytes[] = {1, 1, 2, 2, 4, 8, 12, 16, 1, 1, 2, 1, 1, 2, 1, 2};
  return bytes[width];
}

const struct range *find_range(struct wave *w, u64 low, u64 high) {
  const struct range *r = w->hot;
  if (LIKELY(low >= r->base && high <= r->end)) return r;
  u32 first = 0, last = w->run->range_count;
  while (first < last) {
    u32 middle = (first + last) / 2;
    if (w->run->ranges[middle].base <= low) first = middle + 1;
    else last = middle;
  }
  if (first) {
    r = &w->run->ranges[first - 1];
    if (high <= r->end) return w->hot = r;
  }
  return heap_range(low, high);
}

/* The range that holds the accesses of all active lanes, or NULL. */
static const struct range *common_range(struct wave *w, const u64 *ea, u64 exec, u32 bytes) {
  u64 low = ALL, high = 0;
  if (exec == ALL) {
    for (int l = 0; l < LANES; l++) {
      low = ea[l] < low ? ea[l] : low;
      high = ea[l] > high ? ea[l] : high;
    }
  } else {
    EACH_LANE(exec, l) {
      low = ea[l] < low ? ea[l] : low;
      high = ea[l] > high ? ea[l] : high;
    }
  }
  return high + bytes < high ? NULL : find_range(w, low, high + bytes);
}

static void describe_nearest(struct wave *w, u64 address, char *text, size_t size) {
  const struct run *run = w->run;
  const struct range *below = NULL, *above = NULL;
  for (u32 i = 0; i < run->range_count; i++) {
    if (run->ranges[i].base <= address) below = &run->ranges[i];
    else { above = &run->ranges[i]; break; }
  }
  if (address < 4096) snprintf(text, size, "a null pointer%s", address ? " with an offset" : "");
  else if (below && (!above || address - below->base < above->base - address) && address - below->base < 1ull << 40)
    snprintf(text, size, "byte %lld of %s, which has %llu bytes", (long long)(address - below->base), below->name,
             (unsigned long long)(below->end - below->base));
  else if (above && above->base - address < 1ull << 40)
    snprintf(text, size, "%llu bytes before %s", (unsigned long long)(above->base - address), above->name);
  else snprintf(text, size, "address 0x%llx, near no allocation", (unsigned long long)address);
}

static void out_of_bounds(struct wave *w, int lane, u64 address, u32 bytes, const char *what) __attribute__((noreturn));
static void out_of_bounds(struct wave *w, int lane, u64 address, u32 bytes, const char *what) {
  char place[256];
  describe_nearest(w, address, place, sizeof place);
  fault(w, lane < 0 ? HIPPORT_CONSTANT_BOUNDS : HIPPORT_GLOBAL_BOUNDS, lane, address, bytes,
        "%s of %u bytes out of bounds: %s", what, bytes, place);
}

static int contiguous(const u64 *ea, u32 step) {
  u64 differs = 0;
  for (int l = 0; l < LANES; l++) differs |= ea[l] ^ (ea[0] + (u64)l * step);
  return !differs;
}

#define GATHER(T, EXPRESSION)                                                            \
  if (exec == ALL) for (int l = 0; l < LANES; l++) { const T x = *(const T *)(base + ea[l]); EXPRESSION; } \
  else EACH_LANE(exec, l) { const T x = *(const T *)(base + ea[l]); EXPRESSION; }

static void load_raw(u32 width, u32 *d, const u8 *base, const u64 *ea, u64 exec) {
  switch (width) {
  case U8: GATHER(u8, d[l] = x) break;
  case I8: GATHER(i8, d[l] = (u32)(i32)x) break;
  case U16: GATHER(u16u, d[l] = x) break;
  case I16: GATHER(u16u, d[l] = (u32)(i32)(i16)x) break;
  case B32:
    if (exec == ALL && contiguous(ea, 4)) memcpy(d, base + ea[0], 4 * LANES);
    else GATHER(u32u, d[l] = x)
    break;
  case B64: GATHER(u64u, d[l] = (u32)x; d[LANES + l] = (u32)(x >> 32)) break;
  case B96:
    EACH_LANE(exec, l) for (int k = 0; k < 3; k++) d[k * LANES + l] = *(const u32u *)(base + ea[l] + 4 * k);
    break;
  case B128:
    if (exec == ALL && contiguous(ea, 16)) {
      const u32u *from = (const u32u *)(base + ea[0]);
      for (int l = 0; l < LANES; l++) for (int k = 0; k < 4; k++) d[k * LANES + l] = from[4 * l + k];
    } else EACH_LANE(exec, l) for (int k = 0; k < 4; k++) d[k * LANES + l] = *(const u32u *)(base + ea[l] + 4 * k);
    break;
  case D16_LO_U8: GATHER(u8, d[l] = (d[l] & 0xffff0000u) | x) break;
  case D16_LO_I8: GATHER(i8, d[l] = (d[l] & 0xffff0000u) | (u16)(i16)x) break;
  case D16_LO: GATHER(u16u, d[l] = (d[l] & 0xffff0000u) | x) break;
  case D16_HI_U8: GATHER(u8, d[l] = (d[l] & 0xffffu) | (u32)x << 16) break;
  case D16_HI_I8: GATHER(i8, d[l] = (d[l] & 0xffffu) | (u32)(u16)(i16)x << 16) break;
  case D16_HI: GATHER(u16u, d[l] = (d[l] & 0xffffu) | (u32)x << 16) break;
  default: break;
  }
}

#define SCATTER(T, VALUE) EACH_LANE(exec, l) *(T *)(base + ea[l]) = (T)(VALUE);

static void store_raw(u32 width, const u32 *d, u8 *base, const u64 *ea, u64 exec) {
  switch (width) {
  case U8: SCATTER(u8, d[l]) break;
  case U16: SCATTER(u16u, d[l]) break;
  case STORE_HI8: SCATTER(u8, d[l] >> 16) break;
  case STORE_HI16: SCATTER(u16u, d[l] >> 16) break;
  case B32:
    if (exec == ALL && contiguous(ea, 4)) memcpy(base + ea[0], d, 4 * LANES);
    else SCATTER(u32u, d[l])
    break;
  case B64: SCATTER(u64u, (u64)d[LANES + l] << 32 | d[l]) break;
  case B96: EACH_LANE(exec, l) for (int k = 0; k < 3; k++) *(u32u *)(base + ea[l] + 4 * k) = d[k * LANES + l]; break;
  case B128: EACH_LANE(exec, l) for (int k = 0; k < 4; k++) *(u32u *)(base + ea[l] + 4 * k) = d[k * LANES + l]; break;
  default: break;
  }
}

/* Does any active lane's access touch a byte that was never written? */
static int shadow_marked(const u8 *shadow, const u64 *ea, u64 exec, u32 bytes) {
  if (bytes == 4) {
    u32 any = 0;
    if (exec == ALL) for (int l = 0; l < LANES; l++) any |= *(const u32u *)(shadow + ea[l]);
    else EACH_LANE(exec, l) any |= *(const u32u *)(shadow + ea[l]);
    return any != 0;
  }
  u32 any = 0;
  EACH_LANE(exec, l) for (u32 i = 0; i < bytes; i++) any |= shadow[ea[l] + i];
  return any != 0;
}

static void load_checked(struct wave *w, u32 width, u32 *d, const u8 *base, const u8 *shadow, const u64 *ea, u64 exec) {
  load_raw(width, d, base, ea, exec);
  if (!shadow) { if (UNLIKELY(w->tainted)) taint_loaded(w, width, d, NULL, ea, exec); }
  else if (UNLIKELY(w->tainted) || UNLIKELY(shadow_marked(shadow, ea, exec, width_bytes(width))))
    taint_loaded(w, width, d, shadow, ea, exec);
}

static void store_checked(struct wave *w, u32 space, u32 width, const u32 *d, u8 *base, u8 *shadow, const u64 *ea, u64 exec) {
  store_raw(width, d, base, ea, exec);
  if (UNLIKELY(w->tainted)) { taint_stored(w, space, width, d, shadow, ea, exec); return; }
  if (!shadow) return;
  u32 bytes = width_bytes(width);
  if (exec == ALL && bytes == 4 && contiguous(ea, 4)) memset(shadow + ea[0], 0, 4 * LANES);
  else if (bytes == 4) EACH_LANE(exec, l) *(u32u *)(shadow + ea[l]) = 0;
  else EACH_LANE(exec, l) memset(shadow + ea[l], 0, bytes);
}

/* --- scratch: dword k of lane l at word k * 64 + l --- */
static void scratch_bounds(struct wave *w, const u64 *ea, u64 exec, u32 bytes, const char *what) {
  u64 high = 0;
  EACH_LANE(exec, l) high = ea[l] > high ? ea[l] : high;
  if (high + bytes <= w->scratch_size) return;
  EACH_LANE(exec, l) if (ea[l] + bytes > w->scratch_size)
    fault(w, HIPPORT_SCRATCH_BOUNDS, l, ea[l], bytes, "scratch %s of %u bytes at offset %llu: the lane has %u bytes", what, bytes,
          (unsigned long long)ea[l], w->scratch_size);
}

static u8 *scratch_byte(u32 *scratch, u64 offset, int lane) {
  return (u8 *)(scratch + (offset >> 2) * LANES + (u32)lane) + (offset & 3);
}

/* A row of bytes as the wide accessors expect them: lane l's access at [16 * l]. */
static void scratch_access(struct wave *w, u32 width, u32 *d, const u64 *ea, u64 exec, int store) {
  u32 bytes = width_bytes(width), uniform = 1, words = bytes / 4;
  int first = __builtin_ctzll(exec);
  EACH_LANE(exec, l) uniform &= ea[l] == ea[first];
  if (uniform && bytes >= 4 && !(ea[first] & 3) && !w->scratch_shadow && !w->tainted) {
    u32 *row = w->scratch + (ea[first] >> 2) * LANES;
    const u32 *mask = lane_mask(w, exec);
    for (u32 k = 0; k < words; k++, row += LANES, d += LANES) {
      if (store) for (int l = 0; l < LANES; l++) row[l] = mask[l] ? d[l] : row[l];
      else for (int l = 0; l < LANES; l++) d[l] = mask[l] ? row[l] : d[l];
    }
    return;
  }
  u8 buffer[16 * LANES], marks[16 * LANES];
  u64 local[LANES];
  for (int l = 0; l < LANES; l++) local[l] = 16 * (u64)l;
  if (store) {
    store_checked(w, SCRATCH, width, d, buffer, w->scratch_shadow ? marks : NULL, local, exec);
    EACH_LANE(exec, l) for (u32 i = 0; i < bytes; i++) {
      *scratch_byte(w->scratch, ea[l] + i, l) = buffer[16 * l + i];
      if (w->scratch_shadow) *scratch_byte(w->scratch_shadow, ea[l] + i, l) = marks[16 * l + i];
    }
    return;
  }
  EACH_LANE(exec, l) for (u32 i = 0; i < bytes; i++) {
    buffer[16 * l + i] = *scratch_byte(w->scratch, ea[l] + i, l);
    if (w->scratch_shadow) marks[16 * l + i] = *scratch_byte(w->scratch_shadow, ea[l] + i, l);
  }
  load_checked(w, width, d, buffer, w->scratch_shadow ? marks : NULL, local, exec);
}

static void lds_bounds(struct wave *w, const u64 *ea, u64 exec, u32 bytes, const char *what) {
  u64 high = 0;
  if (exec == ALL) for (int l = 0; l < LANES; l++) high = ea[l] > high ? ea[l] : high;
  else EACH_LANE(exec, l) high = ea[l] > high ? ea[l] : high;
  if (LIKELY(high + bytes <= w->lds_size)) return;
  EACH_LANE(exec, l) if (ea[l] + bytes > w->lds_size)
    fault(w, HIPPORT_LDS_BOUNDS, l, ea[l], bytes, "LDS %s of %u bytes at offset %llu: the block has %u bytes", what, bytes,
          (unsigned long long)ea[l], w->lds_size);
}

/* What a flat address means; lanes that disagree are served one by one. */
static u32 space_of(u64 address) {
  u64 high = address >> 32;
  return high == SHARED_APERTURE >> 32 ? LDS_SPACE : high == PRIVATE_APERTURE >> 32 ? SCRATCH : GLOBAL;
}
static u32 common_space(const u64 *ea, u64 exec) {
  u32 space = space_of(ea[__builtin_ctzll(exec)]);
  EACH_LANE(exec, l) if (space_of(ea[l]) != space) return FLAT;
  return space;
}

static void one_lane(struct wave *w, u32 space, u32 width, u32 *d, const u64 *ea, int store) {
  u64 exec = exec_of(w);
  EACH_LANE(exec, l) {
    set64(w->s + EXEC, 1ull << l);
    if (store) store_lanes(w, space, width, d, ea);
    else load_lanes(w, space, width, d, ea);
  }
  set64(w->s + EXEC, exec);
}

/* Serves a flat access whose lanes all mean LDS or scratch. */
static int served_as_local(struct wave *w, u32 width, u32 *d, const u64 *ea, u64 exec, int store) {
  u32 space = common_space(ea, exec);
  if (space == GLOBAL) return 0;
  if (space == FLAT) { one_lane(w, FLAT, width, d, ea, store); return 1; }
  u64 local[LANES];
  for (int l = 0; l < LANES; l++) local[l] = (u32)ea[l];
  if (store) store_lanes(w, space, width, d, local);
  else load_lanes(w, space, width, d, local);
  return 1;
}

/* A wave runs long before the next one does, so its strides are larger than what a host prefetcher follows. */
static void fetch_ahead(struct wave *w, u64 first) {
  u64 *last = &w->last_load[w->at & 7], next = 2 * first - *last;
  *last = first;
  for (u32 i = 0; i < 4; i++) __builtin_prefetch((const void *)(next + 64 * i));
}

void load_lanes(struct wave *w, u32 space, u32 width, u32 *d, const u64 *ea) {
  u64 exec = exec_of(w);
  u32 bytes = width_bytes(width);
  if (!exec) return;
  if (UNLIKELY(exec & ~w->barrier_exec) && space != SCRATCH) missed_barrier(w);
  if (space == LDS_SPACE) {
    lds_bounds(w, ea, exec, bytes, "load");
    if (UNLIKELY(w->profile)) count_lds(w, ea, exec, bytes, 0);
    load_checked(w, width, d, w->lds, w->lds_shadow, ea, exec);
    return;
  }
  if (space == SCRATCH) {
    scratch_bounds(w, ea, exec, bytes, "load");
    if (UNLIKELY(w->profile)) w->counts->scratch_bytes += (u64)bytes * (u64)__builtin_popcountll(exec);
    scratch_access(w, width, d, ea, exec, 0);
    return;
  }
  if (space == FLAT && served_as_local(w, width, d, ea, exec, 0)) return;
  const struct range *r = common_range(w, ea, exec, bytes);
  if (UNLIKELY(!r)) {
    if (exec & (exec - 1)) { one_lane(w, GLOBAL, width, d, ea, 0); return; }
    out_of_bounds(w, __builtin_ctzll(exec), ea[__builtin_ctzll(exec)], bytes, "load");
  }
  if (UNLIKELY(w->profile)) count_global(w, ea, exec, bytes, 0);
  fetch_ahead(w, ea[__builtin_ctzll(exec)]);
  load_checked(w, width, d, NULL, r->shadow ? r->shadow - r->base : NULL, ea, exec);
}

void store_lanes(struct wave *w, u32 space, u32 width, const u32 *d, const u64 *ea) {
  u64 exec = exec_of(w);
  u32 bytes = width_bytes(width);
  if (!exec) return;
  w->progress++;
  if (UNLIKELY(exec & ~w->barrier_exec) && space != SCRATCH) missed_barrier(w);
  if (space == LDS_SPACE) {
    lds_bounds(w, ea, exec, bytes, "store");
    if (UNLIKELY(w->profile)) count_lds(w, ea, exec, bytes, 1);
    store_checked(w, LDS_SPACE, width, d, w->lds, w->lds_shadow, ea, exec);
    return;
  }
  if (space == SCRATCH) {
    scratch_bounds(w, ea, exec, bytes, "store");
    if (UNLIKELY(w->profile)) w->counts->scratch_bytes += (u64)bytes * (u64)__builtin_popcountll(exec);
    scratch_access(w, width, (u32 *)d, ea, exec, 1);
    return;
  }
  if (space == FLAT && served_as_local(w, width, (u32 *)d, ea, exec, 1)) return;
  const struct range *r = common_range(w, ea, exec, bytes);
  if (UNLIKELY(!r)) {
    if (exec & (exec - 1)) { one_lane(w, GLOBAL, width, (u32 *)d, ea, 1); return; }
    out_of_bounds(w, __builtin_ctzll(exec), ea[__builtin_ctzll(exec)], bytes, "store");
  }
  if (UNLIKELY(!r->writable)) {
    int lane = __builtin_ctzll(exec);
    fault(w, HIPPORT_READ_ONLY, lane, ea[lane], bytes, "store to %s, which is read-only", r->name);
  }
  if (UNLIKELY(w->profile)) count_global(w, ea, exec, bytes, 1);
  store_checked(w, GLOBAL, width, d, NULL, r->shadow ? r->shadow - r->base : NULL, ea, exec);
}

void scalar_load(struct wave *w, u32 first, u32 dwords, u32 base, i64 offset) {
  u64 address = (get64(w->s + base) + (u64)offset) & ~3ull;
  const struct range *r = find_range(w, address, address + 4 * dwords);
  if (UNLIKELY(!r)) { /* a byte or a short may be loaded with the rest of its dword */
    r = find_range(w, address, address + 4 * dwords - 3);
    if (r && ((r->end + 3) & ~3ull) < address + 4 * dwords) r = NULL;
  }
  if (UNLIKELY(!r)) out_of_bounds(w, -1, address, 4 * dwords, "scalar load");
  if (UNLIKELY(w->profile)) w->counts->scalar_load_bytes += 4 * dwords;
  memcpy(w->s + first, (const void *)address, 4 * dwords);
  if (r->shadow || w->tainted) {
    for (u32 i = 0; i < dwords; i++) {
      u32 bits = 0;
      for (u32 b = 0; r->shadow && b < 4 && address + 4 * i + b < r->end; b++) if (r->shadow[address - r->base + 4 * i + b]) bits |= 0xffu << 8 * b;
      w->s_taint[first + i] = bits;
      if (bits && !w->tainted) { w->tainted = 1; w->taint_place = w->at; }
    }
  }
}

/* global_load_lds: lane l's bytes go to LDS at M0 + offset + l * max(bytes, 4). */
void global_load_lds(struct wave *w, const u64 *ea, u32 bytes, u32 offset) {
  static const u32 widths[] = {0, U8, U16, 0, B32, 0, 0, 0, 0, 0, 0, 0, B96, 0, 0, 0, B128};
  u32 *row = w->temporary + 2 * LANES;
  u64 to[LANES];
  u32 base = (w->s[M0] & 0xffffu) + offset, step = bytes < 4 ? 4 : bytes;
  for (int l = 0; l < LANES; l++) to[l] = base + (u32)l * step;
  load_lanes(w, GLOBAL, widths[bytes], row, ea);
  store_lanes(w, LDS_SPACE, bytes < 4 ? B32 : widths[bytes], row, to);
}

void ds_append(struct wave *w, u32 *d, u32 offset, i32 sign) {
  u64 exec = exec_of(w), at[LANES];
  u32 count = (u32)__builtin_popcountll(exec), address = (w->s[M0] & 0xffffu) + offset;
  if (!exec) return;
  for (int l = 0; l < LANES; l++) at[l] = address;
  lds_bounds(w, at, exec, 4, "append");
  u32 old = *(u32u *)(w->lds + address);
  *(u32u *)(w->lds + address) = sign > 0 ? old + count : old - count;
  EACH_LANE(exec, l) d[l] = old;
}

void ds_addtid(struct wave *w, u32 *d, u32 offset, u32 store) {
  u64 at[LANES];
  for (u32 l = 0; l < LANES; l++) at[l] = (w->s[M0] & 0xffffu) + offset + 4 * l;
  if (store) store_lanes(w, LDS_SPACE, B32, d, at);
  else load_lanes(w, LDS_SPACE, B32, d, at);
}
