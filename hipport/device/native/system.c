/* Faults, clocks, mode registers, and jumps. */
#include "run.h"
#include <fenv.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static void locate(struct wave *w, struct hipport_fault *f, int lane) {
  const struct run *run = w->run;
  const struct hipport_launch *launch = run->launch;
  const struct place *p = &run->module->places[w->at];
  f->line = p->line;
  f->column = p->column;
  f->assembly_line = p->assembly_line;
  snprintf(f->file, sizeof f->file, "%s", p->file);
  snprintf(f->opcode, sizeof f->opcode, "%s", p->opcode);
  snprintf(f->kernel, sizeof f->kernel, "%s", run->kernel->name);
  memcpy(f->block, w->block->id, sizeof f->block);
  f->wave = w->index;
  f->lane = lane;
  u32 thread = w->index * LANES + (lane > 0 ? (u32)lane : 0);
  f->thread[0] = thread % launch->block[0];
  f->thread[1] = thread / launch->block[0] % launch->block[1];
  f->thread[2] = thread / (launch->block[0] * launch->block[1]);
}

void fault(struct wave *w, u32 kind, int lane, u64 address, u64 size, const char *format, ...) {
  struct run *run = w->run;
  pthread_mutex_lock(&run->lock);
  if (!run->kind) {
    va_list list;
    run->kind = kind;
    run->fault->kind = kind;
    run->fault->address = address;
    run->fault->size = size;
    locate(w, run->fault, lane);
    va_start(list, format);
    vsnprintf(run->fault->message, sizeof run->fault->message, format, list);
    va_end(list);
  }
  pthread_mutex_unlock(&run->lock);
  atomic_store(&run->stop, 1);
  longjmp(w->worker->escape, 1);
}

void unknown_opcode(struct wave *w, const char *name) {
  fault(w, HIPPORT_UNKNOWN_OPCODE, -1, 0, 0, "reached %s, which is not modelled", name);
}

/* s_trap 2: what __builtin_trap, abort and a failed assert end in. */
void device_trap(struct wave *w) {
  struct run *run = w->run;
  int lane = exec_of(w) ? __builtin_ctzll(exec_of(w)) : -1;
  if (strstr(run->fault->message, "Assertion") || strstr(run->fault->message, "assertion")) {
    char text[sizeof run->fault->message];
    memcpy(text, run->fault->message, sizeof text);
    fault(w, HIPPORT_ASSERT, lane, 0, 0, "%s", text);
  }
  fault(w, HIPPORT_TRAP, lane, 0, 0, "the kernel trapped");
}

u64 clock_now(struct wave *w) { /* 100 MHz, as s_memrealtime counts; timing is not modelled */
  struct timespec t;
  (void)w;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (u64)t.tv_sec * 100000000u + (u64)t.tv_nsec / 10;
}

enum { HW_MODE = 1, HW_STATUS = 2, HW_TRAPSTS = 3, HW_HW_ID = 4, HW_GPR_ALLOC = 5, HW_LDS_ALLOC = 6, HW_XCC_ID = 20 };

u32 get_register(struct wave *w, u32 id, u32 offset, u32 size) {
  u32 value = 0;
  if (id == HW_MODE) value = w->mode;
  if (id == HW_STATUS) value = w->scc | (u32)(exec_of(w) == 0) << 9 | (u32)(get64(w->s + VCC) == 0) << 10;
  if (id == HW_HW_ID) value = w->index & 15;
  if (id == HW_LDS_ALLOC) value = w->lds_size / 4 << 12;
  return value >> offset & (size >= 32 ? ~0u : (1u << size) - 1);
}

void set_register(struct wave *w, u32 id, u32 offset, u32 size, u32 value) {
  u32 field = (size >= 32 ? ~0u : (1u << size) - 1) << offset;
  if (id == HW_MODE) w->mode = (w->mode & ~field) | (value << offset & field);
}

/* `mode`: 0 nearest even, 1 up, 2 down, 3 towards zero. */
void host_round(u32 mode) {
  static const int rounds[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  fesetround(rounds[mode & 3]);
}

int jump(struct wave *w, u64 address) {
  u64 offset = address - CODE_BASE, function = offset >> CODE_FUNCTION_SHIFT;
  u64 entry = (offset & ((1u << CODE_FUNCTION_SHIFT) - 1)) >> 2;
  if (address < CODE_BASE || function >= w->run->module->function_count || entry >= w->run->module->functions[function].entries)
    fault(w, HIPPORT_BAD_JUMP, -1, address, 0, "jump to 0x%llx, which is not code", (unsigned long long)address);
  w->pc = function;
  w->entry = (u32)entry;
  return WAVE_JUMP;
}

/* Lanes that come back after others have passed a barrier without them have missed it. */
void missed_barrier(struct wave *w) {
  u64 back = exec_of(w) & ~w->barrier_exec;
  if (!back) return;
  const struct place *p = &w->run->module->places[w->barrier_place];
  fault(w, HIPPORT_BARRIER, __builtin_ctzll(back), 0, 0, "lanes 0x%llx of the wave missed the barrier at line %u that others passed",
        (unsigned long long)back, p->line ? p->line : p->assembly_line);
}

int barrier(struct wave *w, u32 entry) {
  missed_barrier(w);
  w->barrier_exec = exec_of(w);
  w->barrier_place = w->at;
  w->entry = entry;
  return WAVE_BARRIER;
}

int end_of_wave(struct wave *w) {
  (void)w;
  return WAVE_END;
}
