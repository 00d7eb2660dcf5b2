/* MFMA. Element k of row i of A, block b, is element k % per_lane of lane i + m * (b + blocks * (k / per_lane)); B likewise
 * by column. Source: AMD lab notes "AMD matrix cores", which give this formula. D has four consecutive rows a register
 * quartet (one for f64). The sum runs over k in order with one rounding a step in f32; the machine's own order inside one
 * instruction is not documented for the narrow types. */
#include "alu.h"
#include "run.h"

static f32 element(const u32 *rows, u32 lane, u32 index, u32 type) {
  switch (type) {
  case MT_F32: return F(rows[index * LANES + lane]);
  case MT_XF32: return F(rows[index * LANES + lane] & 0xffffe000u);
  case MT_F16: return (f32)H(rows[(index >> 1) * LANES + lane] >> 16 * (index & 1));
  case MT_BF16: return B(rows[(index >> 1) * LANES + lane] >> 16 * (index & 1) & 0xffffu);
  default: return 0;
  }
}
static f64 element64(const u32 *rows, u32 lane) { return DF((u64)rows[LANES + lane] << 32 | rows[lane]); }
static i32 element8(const u32 *rows, u32 lane, u32 index) {
  return (i8)(rows[(index >> 2) * LANES + lane] >> 8 * (index & 3));
}

/* Lane that supplies B under `blgp`: broadcasts and rotations of the narrow shapes. */
static u32 lane_of_b(u32 lane, u32 blgp) {
  switch (blgp) {
  case 1: return lane & 31;
  case 2: return lane | 32;
  case 3: return (lane + 16) & 63;
  case 4: case 5: case 6: case 7: return (lane & 15) | (blgp - 4) << 4;
  default: return lane;
  }
}
/* Block that supplies A under `cbsz` and `abid`: one block broadcast to 2^cbsz. */
static u32 block_of_a(u32 block, u32 cbsz, u32 abid) {
  return cbsz ? (block & ~((1u << cbsz) - 1)) | (abid & ((1u << cbsz) - 1)) : block;
}

struct operands {
  const u32 *a, *b;
  u32 cbsz, abid, blgp;
};

static void multiply_f32(const struct matrix_shape *s, const struct operands *o, u32 block, u32 i, u32 j, f32 *sum) {
  u32 from = block_of_a(block, o->cbsz, o->abid);
  for (u32 k = 0; k < s->k; k++) {
    u32 group = k / s->per_lane, index = k % s->per_lane;
    f32 x = element(o->a, i + s->m * (from + s->blocks * group), index, s->type);
    f32 y = element(o->b, lane_of_b(j + s->n * (block + s->blocks * group), o->blgp), index, s->type);
    *sum = fmaf(x, y, *sum);
  }
}
static void multiply_i8(const struct matrix_shape *s, const struct operands *o, u32 block, u32 i, u32 j, u32 *sum) {
  u32 from = block_of_a(block, o->cbsz, o->abid);
  for (u32 k = 0; k < s->k; k++) {
    u32 group = k / s->per_lane, index = k % s->per_lane;
    *sum += (u32)(element8(o->a, i + s->m * (from + s->blocks * group), index) *
                  element8(o->b, lane_of_b(j + s->n * (block + s->blocks * group), o->blgp), index));
  }
}
static void multiply_f64(const struct matrix_shape *s, const struct operands *o, u32 block, u32 i, u32 j, f64 *sum) {
  f64 sign_a = o->blgp & 1 ? -1 : 1, sign_b = o->blgp & 2 ? -1 : 1; /* f64 reuses blgp as negations */
  for (u32 k = 0; k < s->k; k++)
    *sum = fma(sign_a * element64(o->a, i + s->m * (block + s->blocks * k)),
               sign_b * element64(o->b, j + s->n * (block + s->blocks * k)), *sum);
}

/* Register (of 32 bits, or pair for f64) and lane that hold D[block][i][j]. */
static void place_of(const struct matrix_shape *s, u32 block, u32 i, u32 j, u32 *reg, u32 *lane) {
  u32 quad = s->type == MT_F64 ? 1 : 4, groups = LANES / s->n;
  if (s->m == 4 && s->n == 4) {
    *reg = s->type == MT_F64 ? 0 : i;
    *lane = s->type == MT_F64 ? j + 4 * (block + 4 * i) : j + 4 * block;
    return;
  }
  /* rows of all blocks in one list: quads go round the lane groups, then on to the next registers */
  if (s->type == MT_F64) { *reg = i / groups; *lane = j + s->n * (i % groups); return; }
  u32 per_block = s->m / (quad * groups);
  *reg = block * quad * per_block + (i / (quad * groups)) * quad + i % quad;
  *lane = j + s->n * (i / quad % groups);
}

void matrix_multiply(struct wave *w, const struct matrix_shape *shape, u32 *d, const u32 *a, const u32 *b, const u32 *c,
                     u64 constant, u32 cbsz, u32 abid, u32 blgp) {
  const struct matrix_shape *s = shape;
  (void)w;
  struct operands o = {a, b, cbsz, abid, blgp};
  u32 result[64 * LANES], wide = s->type == MT_F64, regs = s->m * s->n * s->blocks / LANES * (wide ? 2 : 1);
  for (u32 block = 0; block < s->blocks; block++)
    for (u32 i = 0; i < s->m; i++)
      for (u32 j = 0; j < s->n; j++) {
        u32 reg, lane;
        place_of(s, block, i, j, &reg, &lane);
        if (wide) {
          f64 sum = c ? element64(c + 2 * reg * LANES, lane) : DF(constant);
          if (blgp & 4) sum = -sum;
          multiply_f64(s, &o, block, i, j, &sum);
          result[2 * reg * LANES + lane] = (u32)UD(sum);
          result[(2 * reg + 1) * LANES + lane] = (u32)(UD(sum) >> 32);
        } else {
          u32 start = c ? c[reg * LANES + lane] : (u32)constant;
          f32 sum = F(start);
          if (s->type == MT_I8) multiply_i8(s, &o, block, i, j, &start);
          else { multiply_f32(s, &o, block, i, j, &sum); start = UF(sum); }
          result[reg * LANES + lane] = start;
        }
      }
  memcpy(d, result, (size_t)regs * LANES * 4); /* EXEC is ignored */
}
