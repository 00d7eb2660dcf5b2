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
void access_lds(struct wave *w, u32 width, u32 *d, const u32 *address, u32 offset, u32 store) {
  u64 ea[LANES];
  check(w, address, 1, NO_SGPR, 0);
  ea_lds(ea, address, offset);
  access(w, LDS_SPACE, width, d, ea, store);
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
