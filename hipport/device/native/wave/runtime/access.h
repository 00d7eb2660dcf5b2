// One load, store or atomic operation on its way through the checks.
#ifndef HIPPORT_WAVE_ACCESS_H
#define HIPPORT_WAVE_ACCESS_H

#include "wave.h"

namespace hipport_wave {

struct Access {
  uintptr_t pc, frame;
  bool write, atomic;
  const char *verb() const { return atomic ? "atomic operation" : write ? "store" : "load"; }
};

void shared_access(Worker &w, uintptr_t a, unsigned n, const Access &from);
void global_access(Worker &w, uintptr_t a, unsigned n, const Access &from);
void thread_local_image(uintptr_t &base, size_t &bytes);
void raise_pending(Worker &w, const PendingWrite &p);
void raise_suspect(Worker &w, Fiber &f, const Suspect &s);
void runaway(Worker &w, uintptr_t pc, uintptr_t frame);

}  // namespace hipport_wave
#endif
