/* Uninitialised bytes on their way through a wave.
 *
 * A copy is no use: loads, moves, shuffles and stores carry the marks along. Arithmetic on a marked byte gives a marked,
 * `computed` result. A fault is raised where such a value decides something: an address, a branch or EXEC mask, an atomic, or
 * a computed value that is stored to global memory. Selects look at the lane that is chosen, AND and OR at the other operand.
 * All of this runs only in waves that have met a marked byte. */
#include "run.h"
#include <stdarg.h>

static struct taint *taint_of(struct wave *w, const u32 *row) { return &w->taint[row_of(w, row)]; }
static u64 any_byte(const struct taint *t) { return t->byte[0] | t->byte[1] | t->byte[2] | t->byte[3]; }

static void uninitialised(struct wave *w, int lane, const char *where) __attribute__((noreturn));
static void uninitialised(struct wave *w, int lane, const char *where) {
  const struct place *p = &w->run->module->places[w->taint_place];
  fault(w, HIPPORT_UNINITIALISED, lane, 0, 0, "%s depends on a value that was never initialised, first loaded at line %u", where,
        p->line ? p->line : p->assembly_line);
}

static void mark(struct wave *w) {
  if (!w->tainted) w->taint_place = w->at;
  w->tainted = 1;
}

void taint_clear(struct wave *w, const u32 *row, u32 rows, u64 exec) {
  struct taint *t = taint_of(w, row);
  for (; rows; rows--, t++) {
    for (int b = 0; b < 4; b++) t->byte[b] &= ~exec;
    t->computed &= ~exec;
  }
}

static void set_byte(struct taint *t, u32 byte, int lane, u8 code) {
  u64 bit = 1ull << lane;
  if (code) t->byte[byte] |= bit;
  else t->byte[byte] &= ~bit;
  if (code == 2) t->computed |= bit;
}

void taint_loaded(struct wave *w, u32 width, u32 *d, const u8 *shadow, const u64 *ea, u64 exec) {
  u32 bytes = width_bytes(width), rows = bytes > 4 ? bytes / 4 : 1, first = 0;
  int high = width == D16_HI || width == D16_HI_U8 || width == D16_HI_I8;
  int partial = high || width == D16_LO || width == D16_LO_U8 || width == D16_LO_I8;
  int extends = width == I8 || width == I16 || width == D16_LO_I8 || width == D16_HI_I8;
  struct taint *t = taint_of(w, d);
  if (!partial) taint_clear(w, d, rows, exec);
  if (high) first = 2;
  EACH_LANE(exec, l) {
    for (u32 i = 0; i < bytes; i++) {
      u8 code = shadow ? shadow[ea[l] + i] : 0;
      if (code) mark(w);
      set_byte(t + i / 4, (first + i) % 4, l, code);
      if (extends && i + 1 == bytes) for (u32 b = i + 1; b < (partial ? 2 : 4); b++) set_byte(t, first + b, l, code);
    }
    if (partial && bytes == 1 && !extends) set_byte(t, first + 1, l, 0);
  }
}

void taint_stored(struct wave *w, u32 space, u32 width, const u32 *d, u8 *shadow, const u64 *ea, u64 exec) {
  u32 bytes = width_bytes(width), first = width == STORE_HI8 || width == STORE_HI16 ? 2 : 0;
  const struct taint *t = taint_of(w, d);
  EACH_LANE(exec, l) for (u32 i = 0; i < bytes; i++) {
    const struct taint *r = t + i / 4;
    u8 code = r->byte[(first + i) % 4] >> l & 1 ? (r->computed >> l & 1 ? 2 : 1) : 0;
    if (code == 2 && space == GLOBAL) uninitialised(w, l, "a stored result");
    if (shadow) shadow[ea[l] + i] = code;
  }
}

/* A source of a vector instruction: a row of lanes, or a scalar register (marked as a whole). */
static struct taint source_taint(struct wave *w, const u32 *row) {
  struct taint t;
  if (row >= w->s && row < w->s + SGPRS) {
    u32 bits = w->s_taint[row - w->s];
    for (int b = 0; b < 4; b++) t.byte[b] = bits >> 8 * b & 255 ? ALL : 0;
    t.computed = bits ? ALL : 0;
    return t;
  }
  return *taint_of(w, row);
}

static void shift_bytes(struct taint *t, int bytes) { /* towards the high end where positive */
  struct taint from = *t;
  for (int b = 0; b < 4; b++) t->byte[b] = b - bytes >= 0 && b - bytes < 4 ? from.byte[b - bytes] : 0;
}

/* Byte b of the result is clean where the constant decides it. */
static void keep_bytes(struct taint *t, u32 constant, u32 neutral) {
  for (int b = 0; b < 4; b++) if ((constant >> 8 * b & 255) == neutral) t->byte[b] = 0;
}

/* Arguments after `sources`: for each source its row (const u32 *; NULL = constant), its rows (u32) and the constant (u32). */
void taint_vector(struct wave *w, u32 rule, u32 *d, u32 rows, u32 sources, ...) {
  struct taint in[8], result;
  u32 constants[8], count = 0, is_constant[8];
  va_list list;
  u64 exec = exec_of(w), any = 0;
  va_start(list, sources);
  for (u32 i = 0; i < sources && count < 6; i++) {
    const u32 *row = va_arg(list, const u32 *);
    u32 source_rows = va_arg(list, u32), constant = va_arg(list, u32);
    memset(&in[count], 0, sizeof in[count]);
    for (u32 k = 0; row && k < source_rows; k++) {
      struct taint t = source_taint(w, row + (row >= w->s && row < w->s + SGPRS ? k : k * LANES));
      if (rule == TR_COPY && source_rows == rows && rows > 1) { /* row by row */
        struct taint *to = taint_of(w, d) + k;
        for (int b = 0; b < 4; b++) to->byte[b] = (to->byte[b] & ~exec) | (t.byte[b] & exec);
        to->computed = (to->computed & ~exec) | (t.computed & exec);
      }
      for (int b = 0; b < 4; b++) in[count].byte[b] |= t.byte[b];
      in[count].computed |= t.computed;
    }
    is_constant[count] = !row;
    constants[count] = constant;
    any |= any_byte(&in[count]);
    count++;
  }
  va_end(list);
  if (rule == TR_COPY && rows > 1) return;
  if (!(any & exec)) { taint_clear(w, d, rows, exec); return; }
  memset(&result, 0, sizeof result);
  for (u32 i = 0; i < count; i++) {
    for (int b = 0; b < 4; b++) result.byte[b] |= in[i].byte[b];
    result.computed |= in[i].computed;
  }
  u64 touched = any;
  switch (rule) {
  case TR_COPY: case TR_XOR: case TR_NOT: touched = rule == TR_COPY ? 0 : any; break;
  case TR_AND:
    if (is_constant[0]) keep_bytes(&result, constants[0], 0);
    if (is_constant[1]) keep_bytes(&result, constants[1], 0);
    touched = 0;
    break;
  case TR_OR:
    if (is_constant[0]) keep_bytes(&result, constants[0], 255);
    if (is_constant[1]) keep_bytes(&result, constants[1], 255);
    touched = 0;
    break;
  case TR_SHL: case TR_SHR: /* sources: amount, value */
    if (is_constant[0] && !(constants[0] & 7)) {
      result = in[1];
      shift_bytes(&result, rule == TR_SHL ? (int)(constants[0] >> 3) : -(int)(constants[0] >> 3));
      touched = 0;
      break;
    } /* fall through */
  default:
    for (int b = 0; b < 4; b++) result.byte[b] = any;
    break;
  }
  result.computed = (result.computed | touched) & any_byte(&result);
  struct taint *to = taint_of(w, d);
  for (u32 k = 0; k < rows; k++, to++) {
    for (int b = 0; b < 4; b++) to->byte[b] = (to->byte[b] & ~exec) | (result.byte[b] & exec);
    to->computed = (to->computed & ~exec) | (result.computed & exec);
  }
}

/* v_cndmask: `condition` is the mask; each lane takes the marks of what it chose. A marked condition marks the result. */
void taint_select(struct wave *w, u32 *d, u32 rows, const u32 *no, const u32 *yes, u64 condition, u64 condition_taint) {
  u64 exec = exec_of(w);
  for (u32 k = 0; k < rows; k++) {
    struct taint n = {{0}, 0}, y = {{0}, 0}, *to = taint_of(w, d) + k;
    if (no) n = source_taint(w, no + (no >= w->s && no < w->s + SGPRS ? k : k * LANES));
    if (yes) y = source_taint(w, yes + (yes >= w->s && yes < w->s + SGPRS ? k : k * LANES));
    for (int b = 0; b < 4; b++) {
      u64 chosen = (condition & y.byte[b]) | (~condition & n.byte[b]) | condition_taint;
      to->byte[b] = (to->byte[b] & ~exec) | (chosen & exec);
    }
    u64 computed = (condition & y.computed) | (~condition & n.computed) | condition_taint;
    to->computed = (to->computed & ~exec) | (computed & exec);
  }
}

/* A comparison or carry into an SGPR pair: the bits of lanes with a marked source. */
void taint_mask(struct wave *w, u32 pair, u32 sources, ...) {
  u64 any = 0, exec = exec_of(w);
  va_list list;
  va_start(list, sources);
  for (u32 i = 0; i < sources; i++) {
    const u32 *row = va_arg(list, const u32 *);
    u32 rows = va_arg(list, u32);
    (void)va_arg(list, u32);
    for (u32 k = 0; row && k < rows; k++) {
      struct taint t = source_taint(w, row + (row >= w->s && row < w->s + SGPRS ? k : k * LANES));
      any |= any_byte(&t);
    }
  }
  va_end(list);
  set64(w->s_taint + pair, any & exec);
}

static u64 scalar_marks(const struct wave *w, u32 at, u32 dwords) {
  if (at >= SGPRS) return 0;
  return dwords == 2 ? get64(w->s_taint + at) : w->s_taint[at];
}

/* Runs before the instruction. `a` and `b` are SGPR numbers, or SGPRS for a constant; `sizes` has their dwords in nibbles.
 * Bit 8 of `rule`: SCC is written. */
void taint_scalar(struct wave *w, u32 rule, u32 d, u32 dwords, u32 a, u32 sizes, u32 b) {
  u32 a_dwords = sizes & 15, b_dwords = sizes >> 4;
  u64 x = scalar_marks(w, a, a_dwords), y = scalar_marks(w, b, b_dwords), r;
  u64 va = a >= SGPRS ? ALL : a_dwords == 2 ? get64(w->s + a) : w->s[a];
  u64 vb = b >= SGPRS ? ALL : b_dwords == 2 ? get64(w->s + b) : w->s[b];
  switch (rule & 0xff) {
  case TR_COPY: case TR_NOT: r = x; break;
  case TR_AND: r = (x & y) | (x & vb) | (y & va); break;
  case TR_OR: r = a >= SGPRS ? y : b >= SGPRS ? x : (x & y) | (x & ~vb) | (y & ~va); break;
  case TR_XOR: r = x | y; break;
  case TR_SELECT: r = w->scc_taint ? ALL : w->scc ? x : y; break;
  default: r = x | y ? ALL : 0; break;
  }
  if (rule & 0x100) w->scc_taint = r != 0;
  if (d >= SGPRS) return;
  if (dwords == 2) set64(w->s_taint + d, r);
  else w->s_taint[d] = (u32)r;
}

void taint_branch(struct wave *w, u32 first, u32 dwords) {
  u64 bits = first == SGPRS ? w->scc_taint : scalar_marks(w, first, dwords);
  if (bits) uninitialised(w, dwords == 2 ? __builtin_ctzll(bits) : -1, "a branch");
}

/* EXEC has just been written. */
void taint_exec(struct wave *w) {
  u64 bits = get64(w->s_taint + EXEC);
  if (bits) uninitialised(w, __builtin_ctzll(bits), "a branch");
}

void taint_address(struct wave *w, const u32 *row, u32 rows, u32 first, u32 dwords) {
  u64 exec = exec_of(w);
  for (u32 k = 0; row && k < rows; k++) {
    struct taint t = taint_of(w, row)[k];
    u64 bad = any_byte(&t) & exec;
    if (bad) uninitialised(w, __builtin_ctzll(bad), "an address");
  }
  if (first < SGPRS && scalar_marks(w, first, dwords)) uninitialised(w, -1, "an address");
}

u32 lane_marks(struct wave *w, const u32 *row, u32 lane) {
  const struct taint *t = taint_of(w, row);
  u32 bits = 0;
  for (int b = 0; b < 4; b++) if (t->byte[b] >> (lane & 63) & 1) bits |= 0xffu << 8 * b;
  return bits;
}
