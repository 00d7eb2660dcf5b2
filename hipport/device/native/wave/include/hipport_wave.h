// What compiled CUDA or HIP source calls in the wave executor. Implemented by runtime/*.cc, which is not instrumented.
#ifndef HIPPORT_WAVE_H
#define HIPPORT_WAVE_H

#include <stddef.h>
#include <stdint.h>

#ifndef HIPPORT_WAVE_SIZE
#error "HIPPORT_WAVE_SIZE is 32 or 64"
#endif

// The place of a call in the source: what tells two barriers apart, whatever the compiler did with the code.
#define HIPPORT_SITE const char *hipport_file = __builtin_FILE(), int hipport_line = __builtin_LINE()
#define HIPPORT_HERE ::hipport_wave::Site{hipport_file, hipport_line}
#define HIPPORT_INLINE inline __attribute__((always_inline))

namespace hipport_wave {

struct Index {
  unsigned x, y, z;
};
struct Site {
  const char *file;
  int line;
};

// Of the running thread; on the host 0. They never change for one thread.
__attribute__((const)) Index thread_index();
__attribute__((const)) Index block_index();
__attribute__((const)) Index block_extent();
__attribute__((const)) Index grid_extent();
__attribute__((const)) unsigned lane_number();
__attribute__((const)) unsigned warp_number();
__attribute__((const)) bool on_device();

enum Collective : int { SHUFFLE, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR, BALLOT, SYNC, MATCH_ANY, MATCH_ALL, REDUCE };
enum Barrier : int { BARRIER, BARRIER_COUNT, BARRIER_AND, BARRIER_OR };
enum Reduction : int { ADD, MIN_SIGNED, MAX_SIGNED, MIN_UNSIGNED, MAX_UNSIGNED, AND, OR, XOR };

// Lanes named by `mask` meet; with no mask (0) those that have come here together. `in` and `out` hold `bytes` bytes.
// Gives the ballot (BALLOT, MATCH_*), or the lanes that met.
uint64_t collective(int what, uint64_t mask, const void *in, void *out, unsigned bytes, int argument, int width, Site site);
int barrier(int what, int predicate, Site site);
void grid_barrier(Site site);
void fence();
void pause();

// Before an atomic operation on memory: bounds, alignment, and order with plain accesses.
void atomic_access(const volatile void *at, unsigned bytes, bool writes);

void *dynamic_shared();
unsigned dynamic_shared_bytes();
void *device_allocate(size_t bytes);
void device_free(void *at);
uint64_t clock_ticks();
[[noreturn]] void stop_trap();
[[noreturn]] void stop_assert(const char *what, const char *file, int line);
[[noreturn]] void not_modelled(const char *what);
void used_approximate(int which);
inline __attribute__((always_inline)) unsigned bit_field(unsigned v, unsigned at, unsigned n) {
  return n >= 32 ? v >> (at & 31) : (unsigned)(((unsigned long long)v >> at) & ((1ull << n) - 1));
}

// Host side: the shape of the next launch, and the launch itself, which the kernel's own body asks for.
struct Dim3Like {
  unsigned x, y, z;
};
void configure(Dim3Like grid, Dim3Like block, size_t shared, const void *stream, bool cooperative = false);
void run(const void *body, size_t bytes, void (*invoke)(const void *body), const char *kernel);

template <class Body>
inline void enter(const char *kernel, Body body) {
  run(&body, sizeof(Body), [](const void *place) {
    Body own = *static_cast<const Body *>(place);
    own();
  }, kernel);
}

// A kernel that can be launched by its name, with its arguments as bytes.
struct Parameter {
  const char *type;
  uint32_t offset, size, pointer;
};
struct Registered {
  const char *name;
  const void *function;
  const Parameter *parameters;
  unsigned count;
  unsigned bytes;
  unsigned max_block;
  void (*call)(const void *function, const char *arguments);
};
void add(Registered *kernel);

}  // namespace hipport_wave
#endif
