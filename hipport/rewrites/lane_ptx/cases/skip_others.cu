#include <cstdint>
static inline uint64_t ticks() { uint32_t a, d; asm volatile("rdtsc" : "=a"(a), "=d"(d)); return ((uint64_t)d << 32) | a; }
__device__ void barrier_for_the_compiler() { asm volatile("" ::: "memory"); }
__device__ const char* text() { return "mov.u32 %0, %laneid;"; }
