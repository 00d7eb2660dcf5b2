/* Buffer instructions: a resource of four SGPRs, swizzles apart. Range checks as the resource asks for: no fault there. */
#include "run.h"

/* Addresses of the lanes, and in `valid` those that the resource lets through. */
void buffer_ea(struct wave *w, u64 *ea, u64 *valid, u32 resource, const u32 *vindex, const u32 *voffset, u32 soffset,
               u32 offset, u32 bytes) {
  const u32 *r = w->s + resource;
  u64 base = r[0] | (u64)(r[1] & 0xffffu) << 32;
  u32 stride = r[1] >> 16 & 0x3fffu, records = r[2], add_thread = r[3] >> 23 & 1;
  *valid = 0;
  for (u32 l = 0; l < LANES; l++) {
    u64 index = (vindex ? vindex[l] : 0) + (u64)(add_thread ? l : 0);
    u64 inside = (voffset ? voffset[l] : 0) + (u64)offset;
    int fits = stride ? index < records && inside + bytes <= (voffset || vindex ? ALL : stride) : inside + bytes + soffset <= records;
    ea[l] = base + soffset + index * stride + inside;
    if (fits) *valid |= 1ull << l;
  }
}

void buffer_access(struct wave *w, u32 width, u32 *d, u32 resource, const u32 *vindex, const u32 *voffset, u32 soffset,
                   u32 offset, u32 store) {
  u64 ea[LANES], valid, exec = exec_of(w);
  buffer_ea(w, ea, &valid, resource, vindex, voffset, soffset, offset, width_bytes(width));
  set64(w->s + EXEC, exec & valid);
  if (store) store_lanes(w, GLOBAL, width, d, ea);
  else load_lanes(w, GLOBAL, width, d, ea);
  u64 outside = exec & ~valid;
  u32 rows = width_bytes(width) > 4 ? width_bytes(width) / 4 : 1;
  if (!store) for (u32 k = 0; k < rows; k++) EACH_LANE(outside, l) d[k * LANES + l] = 0;
  set64(w->s + EXEC, exec);
}
