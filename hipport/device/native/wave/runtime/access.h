// One load, store or atomic operation on its way through the checks.
#ifndef HIPPORT_WAVE_ACCESS_H
#define HIPPORT_WAVE_ACCESS_H

#include "wave.h"

namespace hipport_wave {

// memcpy and memcmp for the sizes that accesses have, without a call.
inline void keep(void *to, const void *from, unsigned n) {
  switch (n) {
    case 4: __builtin_memcpy(to, from, 4); return;
    case 8: __builtin_memcpy(to, from, 8); return;
    case 1: __builtin_memcpy(to, from, 1); return;
    case 2: __builtin_memcpy(to, from, 2); return;
    case 16: __builtin_memcpy(to, from, 16); return;
    default: __builtin_memcpy(to, from, n);
  }
}
inline bool same(const void *a, const void *b, unsigned n) {
  switch (n) {
    case 4: return __builtin_memcmp(a, b, 4) == 0;
    case 8: return __builtin_memcmp(a, b, 8) == 0;
    case 1: return __builtin_memcmp(a, b, 1) == 0;
    case 2: return __builtin_memcmp(a, b, 2) == 0;
    case 16: return __builtin_memcmp(a, b, 16) == 0;
    default: return __builtin_memcmp(a, b, n) == 0;
  }
}

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
