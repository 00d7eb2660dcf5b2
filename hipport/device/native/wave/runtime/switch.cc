// Changing from one stack to another: the registers that a call keeps, and nothing else.
#include "wave.h"

extern "C" void hipport_wave_switch(void **save, void *to);

#if defined(__x86_64__)
asm(R"(
.text
.globl hipport_wave_switch
.hidden hipport_wave_switch
.type hipport_wave_switch, @function
hipport_wave_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size hipport_wave_switch, .-hipport_wave_switch
)");
#elif defined(__aarch64__)
asm(R"(
.text
.globl hipport_wave_switch
.hidden hipport_wave_switch
.type hipport_wave_switch, @function
hipport_wave_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x2, sp
  str x2, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size hipport_wave_switch, .-hipport_wave_switch
)");
#else
#error "the wave executor has no stack switch for this processor"
#endif

namespace hipport_wave {

void switch_to_scheduler() { hipport_wave_switch(&worker->current->stack_pointer, worker->scheduler); }

void switch_to_fiber(Worker &w, Fiber &f) {
  w.current = &f;
  w.stack = (uintptr_t)f.stack;
  hipport_wave_switch(&w.scheduler, f.stack_pointer);
  w.current = nullptr;
}

static void begin() {
  Worker &w = *worker;
  w.job->invoke(w.job->body);
  w.current->state = ENDED;
  switch_to_scheduler();
  __builtin_unreachable();
}

void prepare_stack(Fiber &f) {
  // stacks a power of two apart would all want the same lines of the caches
  const size_t aside = (size_t)(f.number % 61) * 192;
  #if defined(__x86_64__)
  void **top = (void **)(f.stack + STACK_BYTES - aside) - 9;  // as after a call: 8 past a multiple of 16
  top[0] = nullptr;  // the return address of `begin`: the end of every trail
  void **at = top - 1;
  at[0] = (void *)begin;
  for (int i = 1; i <= 6; i++) at[-i] = nullptr;
  f.stack_pointer = at - 6;
#else
  void **at = (void **)(f.stack + STACK_BYTES - aside) - 28;
  for (int i = 0; i < 20; i++) at[i] = nullptr;
  at[11] = (void *)begin;  // x30
  f.stack_pointer = at;
#endif
}

}  // namespace hipport_wave
