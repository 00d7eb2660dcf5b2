/* Memory instructions as they are encoded: effective addresses, the check that they are initialised, the access. */
#include "run.h"

#define NO_SGPR SGPRS

static void check(struct wave *w, const u32 *row, u32 rows, u32 base, u32 dwords) {
  if (UNLIKELY(w->tainted)) taint_address(w, row, rows, base, dwords);
}
static void access(struct wave *w, u32 space, u32 width, u32 *d, const u64 *ea, u32 store) {
  if (store) store_lanes(w, space, width, d, ea);
  else load_lanes(w, space, width, d, ea);
}

void access_flat(struct wave *w, u32 space, u32 width, u32 *d, const u32 *address, i64 offset, u32 store) {
  u64 ea[LANES];
  check(w, address, 2, NO_SGPR, 0);
  ea_flat(ea, address, offset);
  access(w, space, width, d, ea, store);
}
void access_saddr(struct wave *w, u32 width, u32 *d, u32 base, const u32 *address, i64 offset, u32 store) {
  u64 ea[LANES];
  check(w, address, 1, base, 2);
  ea_saddr(ea, get64(w->s + base), address, offset);
  access(w, GLOBAL, width, d, ea, store);
}
void access_scratch(struct wave *w, u32 width, u32 *d, const u32 *address, u32 base, i64 offset, u32 store) {
  u64 ea[LANES];
  if (address) check(w, address, 1, NO_SGPR, 0);
  ea_scratch(ea, address, base, offset);
  access(w, SCRATCH, width, d, ea, store);
}
/* All lanes active, all inside, nothing uninitialised: the common case in a few plain loops. Gives 0 where it is not one. */
static int lds_quick(struct wave *w, u32 width, u32 *d, const u32 *address, u32 offset, u32 store) {
  u32 high = 0, bytes = width == B32 ? 4 : width == B64 ? 8 : 16;
  if (exec_of(w) != ALL || w->tainted || w->profile || w->barrier_exec != ALL) return 0;
  if (width != B32 && width != B64 && width != B128) return 0;
  LANE_LOOP high = address[l] > high ? address[l] : high;
  if ((u64)high + offset + bytes > w->lds_size) return 0;
  u8 *base = w->lds + offset, *shadow = w->lds_shadow;
  if (store) {
    w->progress++;
    for (u32 k = 0; k < bytes / 4; k++)
      for (int l = 0; l < LANES; l++) *(u32u *)(base + address[l] + 4 * k) = d[k * LANES + l];
    for (u32 k = 0; shadow && k < bytes / 4; k++)
      for (int l = 0; l < LANES; l++) *(u32u *)(shadow + offset + address[l] + 4 * k) = 0;
    return 1;
  }
  if (shadow) {
    u32 marks = 0;
    shadow += offset;
    for (u32 k = 0; k < bytes / 4; k++) for (int l = 0; l < LANES; l++) marks |= *(const u32u *)(shadow + address[l] + 4 * k);
    if (marks) return 0;
  }
  if (width == B32) {
    for (int l = 0; l < LANES; l++) d[l] = *(const u32u *)(base + address[l]);
    return 1;
  }
  u32 at[LANES]; /* the destination may hold the address */
  memcpy(at, address, sizeof at);
  for (u32 k = 0; k < bytes / 4; k++)
    for (int l = 0; l < LANES; l++) d[k * LANES + l] = *(const u32u *)(base + at[l] + 4 * k);
  return 1;
}

void access_lds(struct wave *w, u32 width, u32 *d, const u32 *address, u32 offset, u32 store) {
  u64 ea[LANES];
  if (LIKELY(lds_quick(w, width, d, address, offset, store))) return;
  check(w, address, 1, NO_SGPR, 0);
  ea_lds(ea, address, offset);
  access(w, LDS_SPACE, width, d, ea, store);
}

/* ds_read2 and ds_write2: two accesses by one address. */
void lds_pair(struct wave *w, u32 *d0, u32 *d1, const u32 *address, u32 o0, u32 o1, u32 dwords, u32 store) {
  u32 width = dwords == 2 ? B64 : B32, at[LANES];
  memcpy(at, address, sizeof at); /* the address may be among the destinations */
  check(w, address, 1, NO_SGPR, 0);
  for (int i = 0; i < 2; i++) {
    u32 *d = i ? d1 : d0, offset = i ? o1 : o0;
    if (lds_quick(w, width, d, at, offset, store)) continue;
    u64 ea[LANES];
    ea_lds(ea, at, offset);
    access(w, LDS_SPACE, width, d, ea, store);
  }
}

void load_lds_flat(struct wave *w, u32 bytes, const u32 *address, i64 offset) {
  u64 ea[LANES];
  check(w, address, 2, NO_SGPR, 0);
  ea_flat(ea, address, offset);
  global_load_lds(w, ea, bytes, (u32)offset);
}
void load_lds_saddr(struct wave *w, u32 bytes, u32 base, const u32 *address, i64 offset) {
  u64 ea[LANES];
  check(w, address, 1, base, 2);
  ea_saddr(ea, get64(w->s + base), address, offset);
  global_load_lds(w, ea, bytes, (u32)offset);
}

void atomic_flat(struct wave *w, u32 space, u32 operation, u32 *d, const u32 *address, const u32 *data, const u32 *compare,
                 i64 offset) {
  u64 ea[LANES];
  check(w, address, 2, NO_SGPR, 0);
  ea_flat(ea, address, offset);
  atomic_lanes(w, space, operation, d, ea, data, compare);
}
void atomic_saddr(struct wave *w, u32 operation, u32 *d, u32 base, const u32 *address, const u32 *data, const u32 *compare,
                  i64 offset) {
  u64 ea[LANES];
  check(w, address, 1, base, 2);
  ea_saddr(ea, get64(w->s + base), address, offset);
  atomic_lanes(w, GLOBAL, operation, d, ea, data, compare);
}
void atomic_lds(struct wave *w, u32 operation, u32 *d, const u32 *address, const u32 *data, const u32 *compare, u32 offset) {
  u64 ea[LANES];
  check(w, address, 1, NO_SGPR, 0);
  ea_lds(ea, address, offset);
  atomic_lanes(w, LDS_SPACE, operation, d, ea, data, compare);
}
void buffer_atomic(struct wave *w, u32 operation, u32 *d, u32 resource, const u32 *vindex, const u32 *voffset, u32 soffset,
                   u32 offset, const u32 *data, const u32 *compare) {
  u64 ea[LANES], valid, exec = exec_of(w);
  buffer_ea(w, ea, &valid, resource, vindex, voffset, soffset, offset, 4);
  set64(w->s + EXEC, exec & valid);
  atomic_lanes(w, GLOBAL, operation, d, ea, data, compare);
  set64(w->s + EXEC, exec);
}
