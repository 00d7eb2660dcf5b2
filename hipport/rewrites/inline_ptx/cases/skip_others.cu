#include <cstdint>
static inline uint64_t ticks() { uint32_t a, d; asm volatile("rdtsc" : "=a"(a), "=d"(d)); return ((uint64_t)d << 32) | a; }
static inline void cpuid(int* r) { __asm__ __volatile__("cpuid" : "=a"(r[0]), "=b"(r[1]), "=c"(r[2]), "=d"(r[3]) : "a"(0)); }
static inline double root(double x) { double r; asm("sqrtsd %1, %0" : "=x"(r) : "x"(x)); return r; }
static inline unsigned mulhi(unsigned a, unsigned b) { unsigned lo, hi; asm("mul %3" : "=a"(lo), "=d"(hi) : "a"(a), "r"(b)); return hi; }
static inline void pause_() { asm volatile("pause\n\tmov %eax, %eax; add $1, %eax"); }
#if defined(__aarch64__)
static inline void prefetch(const void* p) { asm volatile("prfm pldl1keep, [%0]" ::"r"(p)); }
static inline uint64_t counter() { uint64_t v; asm volatile("mrs %0, cntvct_el0" : "=r"(v)); return v; }
#endif
__device__ void barrier_for_the_compiler() { asm volatile("" ::: "memory"); }
#ifdef __HIP_PLATFORM_AMD__
__device__ float add(float a, float b) { float r; asm("v_add_f32 %0, %1, %2" : "=v"(r) : "v"(a), "v"(b)); return r; }
#else
__device__ float add(float a, float b) { float r; asm("add.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
#endif
__device__ const char* text() { return "bfe.u32 %0, %1, 4, 8;"; }
