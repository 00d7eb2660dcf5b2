/* The state of one wave and of what surrounds it; what generated code sees of the runtime. */
#ifndef HIPPORT_WAVE_H
#define HIPPORT_WAVE_H

#include "abi.h"
#include <stddef.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef _Float16 f16;
typedef float f32;
typedef double f64;

#define LANES 64
#define ALL (~0ull)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NOINLINE __attribute__((noinline))
#ifdef __clang__
#define LANE_LOOP _Pragma("clang loop vectorize(assume_safety)") for (int l = 0; l < LANES; l++)
#else
#define LANE_LOOP _Pragma("GCC ivdep") for (int l = 0; l < LANES; l++)
#endif

/* Scalar registers that have a name, by the number that the encoding gives them. */
enum { FLAT_SCRATCH = 102, XNACK_MASK = 104, VCC = 106, TTMP = 108, M0 = 124, EXEC = 126, SGPRS = 128 };

/* Addresses that are no host address: flat apertures, and where code lives. */
#define SHARED_APERTURE 0x0001000000000000ull
#define PRIVATE_APERTURE 0x0002000000000000ull
#define CODE_BASE 0x0010000000000000ull
#define CODE_FUNCTION_SHIFT 24
#define CODE_ADDRESS(function, entry) (CODE_BASE + ((u64)(function) << CODE_FUNCTION_SHIFT) + ((u64)(entry) << 2))

enum wave_event { WAVE_END, WAVE_BARRIER, WAVE_JUMP, WAVE_YIELD, WAVE_GRID_BARRIER };

struct wave;
typedef int (*wave_code)(struct wave *w);

struct function {
  const char *name;
  wave_code run;
  u32 entries;
};

/* Where an instruction that can fault comes from. */
struct place {
  u32 assembly_line, line, column;
  const char *file;
  const char *opcode;
};

/* What a kernel descriptor says: first SGPR of each thing that the launch sets up, -1 where it is not asked for. */
struct kernel_code {
  u64 entry;
  i32 private_buffer, dispatch_packet, queue, kernarg, dispatch_id, flat_scratch, private_size;
  i32 preload, preload_offset, preload_length; /* kernarg dwords copied to SGPRs */
  i32 group_id[3], group_info, scratch_offset;
  u32 mode; /* MODE register: round 3:0, denorm 7:4, dx10_clamp 8, ieee 9 */
  u32 first_block, block_count;
};

/* Instructions of a basic block by class, for profiled modules. */
struct basic_block {
  u16 count[HIPPORT_CLASSES];
};

struct module_code {
  const struct function *functions;
  const struct place *places;
  const struct basic_block *blocks;
  void (*relocate)(void);
  u32 function_count, place_count, block_count;
};

/* One checked range of memory. */
struct range {
  u64 base, end;
  const char *name;
  u8 *shadow;
  u32 writable;
};

/* Which lanes of a register hold uninitialised bytes, and where such a byte went into a computation. */
struct taint {
  u64 byte[4];
  u64 computed;
};

struct run;
struct block;
struct worker;

struct wave {
  u32 s[SGPRS] __attribute__((aligned(64)));
  u32 mask[LANES]; /* EXEC as ~0 or 0 a lane, for `mask_exec` */
  u64 mask_exec;
  u32 scc, mode;
  u32 *v, *a;      /* rows of 64 lanes */
  u32 *temporary;  /* four rows past the registers: what a DPP source is gathered into */
  u64 pc;
  u32 entry, at;   /* entry of the function to go on from; index of the place being executed */
  u64 retired, slice, budget;
  u32 index_on, index_mode; /* s_set_gpr_idx */
  u32 vgprs, agprs;
  const struct range *hot;
  u64 last_load[8]; /* where the load at a place began, to fetch ahead by the same step */
  u32 *scratch;    /* dword k of lane l at [k * 64 + l] */
  u32 *scratch_shadow;
  u32 scratch_size;
  u8 *lds, *lds_shadow;
  u32 lds_size;
  u32 tainted;     /* some register holds uninitialised bytes */
  struct taint *taint; /* one a row of v, a and temporary */
  u32 s_taint[SGPRS];  /* bits */
  u32 scc_taint, taint_place;
  u64 barrier_exec, start_exec;
  u32 barrier_place;
  u32 parallel;    /* other host threads run blocks of this launch */
  u32 profile;
  u32 status, index;
  u64 progress;    /* stores and atomics that changed something: a wave without any may be waiting for others */
  u64 *block_counts;
  u64 vector_lanes;
  struct hipport_counts *counts;
  u8 *approximate;
  struct block *block;
  struct run *run;
  struct worker *worker;
};

static inline u64 get64(const u32 *s) {
  u64 x;
  memcpy(&x, s, 8);
  return x;
}
static inline void set64(u32 *s, u64 x) { memcpy(s, &x, 8); }
static inline u64 exec_of(const struct wave *w) { return get64(w->s + EXEC); }

/* Lane masks from per-lane truth bytes. */
static inline u64 pack_mask(const u8 *c) {
  u64 m = 0;
  for (int i = 0; i < 8; i++) {
    u64 x;
    memcpy(&x, c + 8 * i, 8);
    m |= ((x & 0x0101010101010101ull) * 0x0102040810204080ull >> 56) << (8 * i);
  }
  return m;
}

/* A lane mask as ~0 or 0 a lane. */
static inline void expand_mask(u32 *to, u64 m) {
  const u32 low = (u32)m, high = (u32)(m >> 32);
  for (int l = 0; l < 32; l++) to[l] = -(low >> l & 1);
  for (int l = 0; l < 32; l++) to[32 + l] = -(high >> l & 1);
}

void rebuild_mask(struct wave *w, u64 exec);
static inline const u32 *lane_mask(struct wave *w, u64 exec) {
  if (UNLIKELY(w->mask_exec != exec)) rebuild_mask(w, exec);
  return w->mask;
}

/* Leaves the wave and the launch. */
void fault(struct wave *w, u32 kind, int lane, u64 address, u64 size, const char *format, ...)
    __attribute__((noreturn, format(printf, 6, 7)));
void unknown_opcode(struct wave *w, const char *name) __attribute__((noreturn));

/* --- memory.c: effective addresses, then one access for all active lanes --- */
void ea_flat(u64 *ea, const u32 *address, i64 offset);
void ea_saddr(u64 *ea, u64 base, const u32 *address, i64 offset);
void ea_scratch(u64 *ea, const u32 *address, u32 base, i64 offset);
void ea_lds(u64 *ea, const u32 *address, u32 offset);

enum space { GLOBAL, FLAT, LDS_SPACE, SCRATCH };
enum width { U8, I8, U16, I16, B32, B64, B96, B128, D16_LO_U8, D16_LO_I8, D16_LO, D16_HI_U8, D16_HI_I8, D16_HI, STORE_HI8, STORE_HI16 };
void load_lanes(struct wave *w, u32 space, u32 width, u32 *d, const u64 *ea);
void store_lanes(struct wave *w, u32 space, u32 width, const u32 *d, const u64 *ea);
void scalar_load(struct wave *w, u32 first, u32 dwords, u32 base, i64 offset);
void lds_pair(struct wave *w, u32 *d0, u32 *d1, const u32 *address, u32 o0, u32 o1, u32 dwords, u32 store);
void global_load_lds(struct wave *w, const u64 *ea, u32 bytes, u32 offset);
void ds_append(struct wave *w, u32 *d, u32 offset, i32 sign);
void ds_addtid(struct wave *w, u32 *d, u32 offset, u32 store);

/* --- access.c: the same with the address as the instruction has it; `base` is the first of two SGPRs --- */
void access_flat(struct wave *w, u32 space, u32 width, u32 *d, const u32 *address, i64 offset, u32 store);
void access_saddr(struct wave *w, u32 width, u32 *d, u32 base, const u32 *address, i64 offset, u32 store);
void access_scratch(struct wave *w, u32 width, u32 *d, const u32 *address, u32 base, i64 offset, u32 store);
void access_lds(struct wave *w, u32 width, u32 *d, const u32 *address, u32 offset, u32 store);
void load_lds_flat(struct wave *w, u32 bytes, const u32 *address, i64 offset);
void load_lds_saddr(struct wave *w, u32 bytes, u32 base, const u32 *address, i64 offset);
void atomic_flat(struct wave *w, u32 space, u32 operation, u32 *d, const u32 *address, const u32 *data, const u32 *compare,
                 i64 offset);
void atomic_saddr(struct wave *w, u32 operation, u32 *d, u32 base, const u32 *address, const u32 *data, const u32 *compare,
                  i64 offset);
void atomic_lds(struct wave *w, u32 operation, u32 *d, const u32 *address, const u32 *data, const u32 *compare, u32 offset);
void buffer_atomic(struct wave *w, u32 operation, u32 *d, u32 resource, const u32 *vindex, const u32 *voffset, u32 soffset,
                   u32 offset, const u32 *data, const u32 *compare);
void device_trap(struct wave *w) __attribute__((noreturn));

/* --- buffer.c --- */
void buffer_access(struct wave *w, u32 width, u32 *d, u32 resource, const u32 *vindex, const u32 *voffset, u32 soffset,
                   u32 offset, u32 store);
void buffer_ea(struct wave *w, u64 *ea, u64 *valid, u32 resource, const u32 *vindex, const u32 *voffset, u32 soffset,
               u32 offset, u32 bytes);

/* --- atomic.c --- */
enum atomic_operation {
  A_ADD32, A_ADD64, A_SUB32, A_SUB64, A_RSUB32, A_RSUB64, A_SMIN32, A_SMIN64, A_UMIN32, A_UMIN64, A_SMAX32, A_SMAX64,
  A_UMAX32, A_UMAX64, A_AND32, A_AND64, A_OR32, A_OR64, A_XOR32, A_XOR64, A_INC32, A_INC64, A_DEC32, A_DEC64, A_SWAP32,
  A_SWAP64, A_CMPSWAP32, A_CMPSWAP64, A_ADD_F32, A_MIN_F32, A_MAX_F32, A_ADD_F64, A_MIN_F64, A_MAX_F64, A_PK_ADD_F16,
  A_PK_ADD_BF16, A_CMPSWAP_F32, A_CMPSWAP_F64, A_MSKOR32, A_MSKOR64
};
/* `compare` is the row of the compared value where there is one; `d` is NULL where the old value is not asked for. */
void atomic_lanes(struct wave *w, u32 space, u32 operation, u32 *d, const u64 *ea, const u32 *data, const u32 *compare);

/* --- lanes.c: across lanes --- */
u64 dpp_begin(struct wave *w, u32 *to, const u32 *from, u32 rows, u32 control, u32 row_mask, u32 bank_mask, u32 bound);
void dpp_end(struct wave *w, u64 exec);
enum dpp { DPP_QUAD = 0x000, DPP_ROW_SHL = 0x100, DPP_ROW_SHR = 0x110, DPP_ROW_ROR = 0x120, DPP_WAVE_SHL = 0x130,
           DPP_WAVE_ROL = 0x134, DPP_WAVE_SHR = 0x138, DPP_WAVE_ROR = 0x13c, DPP_ROW_MIRROR = 0x140,
           DPP_ROW_HALF_MIRROR = 0x141, DPP_ROW_BCAST15 = 0x142, DPP_ROW_BCAST31 = 0x143, DPP_ROW_NEWBCAST = 0x150 };
void ds_bpermute(struct wave *w, u32 *d, const u32 *address, const u32 *data, u32 offset);
void ds_permute(struct wave *w, u32 *d, const u32 *address, const u32 *data, u32 offset);
void ds_swizzle(struct wave *w, u32 *d, const u32 *data, u32 pattern);
u32 read_first_lane(struct wave *w, const u32 *from);
u32 read_lane(struct wave *w, const u32 *from, u32 lane);
void write_lane(struct wave *w, u32 *to, u32 value, u32 lane);
void swap_rows(struct wave *w, u32 *a, u32 *b, u32 width, u32 fetch_inactive, u32 bound);
void swap_lanes(struct wave *w, u32 *a, u32 *b);
u32 *indexed_row(struct wave *w, u32 *row, u32 bit);
void movrel(struct wave *w, u32 *d, const u32 *a, u32 scalar, u32 from, u32 to);

/* --- matrix.c --- */
enum matrix_type { MT_F32, MT_F16, MT_BF16, MT_I8, MT_F64, MT_XF32 };
struct matrix_shape {
  u8 m, n, k, blocks, type, per_lane; /* per_lane: elements of A that one lane holds */
};
void matrix_multiply(struct wave *w, const struct matrix_shape *shape, u32 *d, const u32 *a, const u32 *b, const u32 *c,
                     u64 constant, u32 cbsz, u32 abid, u32 blgp);

/* --- system.c --- */
u64 clock_now(struct wave *w);
u32 get_register(struct wave *w, u32 id, u32 offset, u32 size);
void set_register(struct wave *w, u32 id, u32 offset, u32 size, u32 value);
void host_call(struct wave *w, u32 *result, const u32 *service, const u32 *const *arguments);
void host_round(u32 mode);
int barrier(struct wave *w, u32 entry);
int end_of_wave(struct wave *w);
int jump(struct wave *w, u64 address);

/* --- taint.c: only while wave.tainted is set --- */
enum taint_rule {
  TR_COMPUTE, TR_COPY, TR_AND, TR_OR, TR_XOR, TR_NOT, TR_SHL, TR_SHR, TR_SELECT, TR_BYTES
};
void taint_vector(struct wave *w, u32 rule, u32 *d, u32 rows, u32 sources, ...);
void taint_select(struct wave *w, u32 *d, u32 rows, const u32 *no, const u32 *yes, u64 condition, u64 condition_taint);
void taint_mask(struct wave *w, u32 pair, u32 sources, ...);
void taint_scalar(struct wave *w, u32 rule, u32 d, u32 dwords, u32 a, u32 sizes, u32 b);
u32 lane_marks(struct wave *w, const u32 *row, u32 lane);
void taint_branch(struct wave *w, u32 first, u32 dwords);
void taint_exec(struct wave *w);
void taint_address(struct wave *w, const u32 *row, u32 rows, u32 first, u32 dwords);

#endif
