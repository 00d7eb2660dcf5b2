/* Atomics of a wave: lanes in order, each with the host's own atomics where other threads run blocks. */
#include "alu.h"
#include "run.h"

static u32 pk_add_f16(u32 a, u32 b) { return UH(H(a) + H(b)) | UH(H(a >> 16) + H(b >> 16)) << 16; }
static u32 pk_add_bf16(u32 a, u32 b) {
  return UB(B(a & 0xffffu) + B(b & 0xffffu)) | UB(B(a >> 16) + B(b >> 16)) << 16;
}

/* `o` is the old value, `x` the operand, `c` the compared value. */
static inline u32 new32(u32 operation, u32 o, u32 x, u32 c) {
  switch (operation) {
  case A_ADD32: return o + x;
  case A_SUB32: return o - x;
  case A_RSUB32: return x - o;
  case A_SMIN32: return (i32)x < (i32)o ? x : o;
  case A_UMIN32: return x < o ? x : o;
  case A_SMAX32: return (i32)x > (i32)o ? x : o;
  case A_UMAX32: return x > o ? x : o;
  case A_AND32: return o & x;
  case A_OR32: return o | x;
  case A_XOR32: return o ^ x;
  case A_INC32: return o >= x ? 0 : o + 1;
  case A_DEC32: return o == 0 || o > x ? x : o - 1;
  case A_SWAP32: return x;
  case A_CMPSWAP32: return o == c ? x : o;
  case A_CMPSWAP_F32: return F(o) == F(c) ? x : o;
  case A_MSKOR32: return (o & ~c) | x;
  case A_ADD_F32: return UF(F(o) + F(x));
  case A_MIN_F32: return UF(fmin_f32(F(x), F(o)));
  case A_MAX_F32: return UF(fmax_f32(F(x), F(o)));
  case A_PK_ADD_F16: return pk_add_f16(o, x);
  case A_PK_ADD_BF16: return pk_add_bf16(o, x);
  default: return o;
  }
}
static inline u64 new64(u32 operation, u64 o, u64 x, u64 c) {
  switch (operation) {
  case A_ADD64: return o + x;
  case A_SUB64: return o - x;
  case A_RSUB64: return x - o;
  case A_SMIN64: return (i64)x < (i64)o ? x : o;
  case A_UMIN64: return x < o ? x : o;
  case A_SMAX64: return (i64)x > (i64)o ? x : o;
  case A_UMAX64: return x > o ? x : o;
  case A_AND64: return o & x;
  case A_OR64: return o | x;
  case A_XOR64: return o ^ x;
  case A_INC64: return o >= x ? 0 : o + 1;
  case A_DEC64: return o == 0 || o > x ? x : o - 1;
  case A_SWAP64: return x;
  case A_CMPSWAP64: return o == c ? x : o;
  case A_CMPSWAP_F64: return DF(o) == DF(c) ? x : o;
  case A_MSKOR64: return (o & ~c) | x;
  case A_ADD_F64: return UD(DF(o) + DF(x));
  case A_MIN_F64: return UD(fmin_f64(DF(x), DF(o)));
  case A_MAX_F64: return UD(fmax_f64(DF(x), DF(o)));
  default: return o;
  }
}

static int is64(u32 operation) {
  switch (operation) {
  case A_ADD64: case A_SUB64: case A_RSUB64: case A_SMIN64: case A_UMIN64: case A_SMAX64: case A_UMAX64: case A_AND64:
  case A_OR64: case A_XOR64: case A_INC64: case A_DEC64: case A_SWAP64: case A_CMPSWAP64: case A_CMPSWAP_F64: case A_MSKOR64:
  case A_ADD_F64: case A_MIN_F64: case A_MAX_F64: return 1;
  default: return 0;
  }
}

#define UPDATE(BITS)                                                                                                       \
  static u##BITS update##BITS(struct wave *w, u##BITS *at, u32 operation, u##BITS x, u##BITS c, int shared) {              \
    u##BITS old, next;                                                                                                     \
    if (!shared) {                                                                                                         \
      old = *at;                                                                                                           \
      *at = next = new##BITS(operation, old, x, c);                                                                        \
    } else if (operation == A_ADD##BITS) {                                                                                 \
      old = __atomic_fetch_add(at, x, __ATOMIC_ACQ_REL);                                                                   \
      next = old + x;                                                                                                      \
    } else {                                                                                                               \
      old = __atomic_load_n(at, __ATOMIC_RELAXED);                                                                         \
      do next = new##BITS(operation, old, x, c);                                                                           \
      while (!__atomic_compare_exchange_n(at, &old, next, 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));                          \
    }                                                                                                                      \
    w->progress += next != old;                                                                                            \
    return old;                                                                                                            \
  }
UPDATE(32)
UPDATE(64)
static void check_operands(struct wave *w, const u32 *row, u32 rows, u64 exec) {
  for (u32 k = 0; row && k < rows; k++) {
    const struct taint *t = &w->taint[row_of(w, row) + k];
    u64 bad = (t->byte[0] | t->byte[1] | t->byte[2] | t->byte[3]) & exec;
    if (bad) fault(w, HIPPORT_UNINITIALISED, __builtin_ctzll(bad), 0, 0, "an atomic takes a value that was never initialised");
  }
}

static void mark_written(struct wave *w, u8 *shadow, u64 address, u32 bytes, int lane) {
  if (!shadow) return;
  for (u32 i = 0; i < bytes; i++)
    if (shadow[address + i])
      fault(w, HIPPORT_UNINITIALISED, lane, address, bytes, "an atomic updates memory that was never initialised");
}

/* The common case: every lane inside one writable range and initialised, aligned, and no other host thread. */
#define QUICK32(OP) case OP: EACH_LANE(exec, l) {                                             \
    u32 *at = (u32 *)(base + ea[l]), old = *at, next = new32(OP, old, data[l], compare ? compare[l] : 0); \
    *at = next;                                                                               \
    w->progress += next != old;                                                               \
    if (d) d[l] = old;                                                                        \
  } return 1;
static int atomic_quick(struct wave *w, u32 operation, u32 *d, u8 *base, const u64 *ea, u64 exec, const u32 *data,
                        const u32 *compare) {
  switch (operation) {
  QUICK32(A_ADD32) QUICK32(A_SUB32) QUICK32(A_SMIN32) QUICK32(A_UMIN32) QUICK32(A_SMAX32) QUICK32(A_UMAX32) QUICK32(A_AND32)
  QUICK32(A_OR32) QUICK32(A_XOR32) QUICK32(A_INC32) QUICK32(A_SWAP32) QUICK32(A_CMPSWAP32) QUICK32(A_ADD_F32)
  default: return 0;
  }
}

static int all_written(const u8 *shadow, const u64 *ea, u64 exec) {
  u32 marks = 0;
  EACH_LANE(exec, l) marks |= *(const u32 *)(shadow + ea[l]);
  return !marks;
}

static int served_quickly(struct wave *w, u32 space, u32 operation, u32 *d, const u64 *ea, const u32 *data, const u32 *compare,
                          u64 exec, u32 bytes) {
  u64 low = ALL, high = 0, skew = 0;
  if (w->tainted || (w->parallel && space != LDS_SPACE)) return 0;
  EACH_LANE(exec, l) {
    low = ea[l] < low ? ea[l] : low;
    high = ea[l] > high ? ea[l] : high;
    skew |= ea[l];
  }
  if ((skew & (bytes - 1)) || high + bytes < high) return 0;
  if (space == LDS_SPACE)
    return high + bytes <= w->lds_size && (!w->lds_shadow || all_written(w->lds_shadow, ea, exec)) &&
           atomic_quick(w, operation, d, w->lds, ea, exec, data, compare);
  const struct range *r = find_range(w, low, high + bytes);
  return r && r->writable && (!r->shadow || all_written(r->shadow - r->base, ea, exec)) &&
         atomic_quick(w, operation, d, NULL, ea, exec, data, compare);
}

void atomic_lanes(struct wave *w, u32 space, u32 operation, u32 *d, const u64 *ea, const u32 *data, const u32 *compare) {
  u64 exec = exec_of(w);
  int wide = is64(operation), shared = w->parallel && space != LDS_SPACE;
  u32 bytes = wide ? 8 : 4, rows = wide ? 2 : 1;
  int overwrites = operation == A_SWAP32 || operation == A_SWAP64;
  if (!exec) return;
  if (w->tainted) { check_operands(w, data, rows, exec); check_operands(w, compare, rows, exec); }
  if (w->profile) count_atomic(w, space, ea, exec, bytes);
  if (!wide && served_quickly(w, space, operation, d, ea, data, compare, exec, bytes)) return;
  EACH_LANE(exec, l) {
    u64 address = ea[l];
    u8 *at, *shadow;
    if (space == LDS_SPACE || (space == FLAT && address >> 32 == SHARED_APERTURE >> 32)) {
      address = (u32)address;
      if (address + bytes > w->lds_size)
        fault(w, HIPPORT_LDS_BOUNDS, l, address, bytes, "LDS atomic at offset %llu: the block has %u bytes",
              (unsigned long long)address, w->lds_size);
      at = w->lds + address;
      shadow = w->lds_shadow;
    } else {
      const struct range *r = find_range(w, address, address + bytes);
      if (!r) fault(w, HIPPORT_GLOBAL_BOUNDS, l, address, bytes, "atomic out of bounds: address 0x%llx", (unsigned long long)address);
      if (!r->writable) fault(w, HIPPORT_READ_ONLY, l, address, bytes, "atomic on %s, which is read-only", r->name);
      at = (u8 *)address;
      shadow = r->shadow ? r->shadow - r->base : NULL;
    }
    if (address & (bytes - 1))
      fault(w, HIPPORT_MISALIGNED, l, address, bytes, "atomic of %u bytes at 0x%llx is not aligned", bytes, (unsigned long long)address);
    if (shadow && overwrites) memset(shadow + address, 0, bytes);
    else mark_written(w, shadow, address, bytes, l);
    if (wide) {
      u64 x = (u64)data[LANES + l] << 32 | data[l], c = compare ? (u64)compare[LANES + l] << 32 | compare[l] : 0;
      u64 old = update64(w, (u64 *)at, operation, x, c, shared);
      if (d) { d[l] = (u32)old; d[LANES + l] = (u32)(old >> 32); }
    } else {
      u32 old = update32(w, (u32 *)at, operation, data[l], compare ? compare[l] : 0, shared);
      if (d) d[l] = old;
    }
  }
  if (d && w->tainted) taint_clear(w, d, rows, exec);
}
