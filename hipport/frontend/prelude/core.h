// Stands in for the CUDA toolkit's headers when a file is only read: names, shapes and attributes, no behaviour.
#pragma once
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__ inline
#ifndef HIPPORT_SYSTEM  // whose headers have it in attributes; clang knows the word in CUDA
#define __noinline__ __attribute__((noinline))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __grid_constant__
#define __nv_pure__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDART_CB
#define CUDARTAPI
#define CUDA_VERSION 12060
#define CUDART_VERSION 12060
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 6
#define __NVCC__ 1
#define __HIPPORT_BOTH__ __host__ __device__
// Names that the system's headers declare for the host: beside those only the device's are declared here
#ifdef HIPPORT_SYSTEM
#define __HIPPORT_CLIB__ __device__
#else
#define __HIPPORT_CLIB__ __HIPPORT_BOTH__
#endif

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long ssize_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

struct uint3;
#define HIPPORT_V1(T, N) struct N##1 { T x; }; __HIPPORT_BOTH__ N##1 make_##N##1(T x);
#define HIPPORT_V2(T, N) struct __align__(2 * sizeof(T)) N##2 { T x, y; }; __HIPPORT_BOTH__ N##2 make_##N##2(T x, T y);
#define HIPPORT_V3(T, N) struct N##3 { T x, y, z; }; __HIPPORT_BOTH__ N##3 make_##N##3(T x, T y, T z);
#define HIPPORT_V4(T, N) struct __align__(sizeof(T) > 4 ? 16 : 4 * sizeof(T)) N##4 { T x, y, z, w; }; __HIPPORT_BOTH__ N##4 make_##N##4(T x, T y, T z, T w);
#define HIPPORT_V(T, N) HIPPORT_V1(T, N) HIPPORT_V2(T, N) HIPPORT_V3(T, N) HIPPORT_V4(T, N)
HIPPORT_V(signed char, char)
HIPPORT_V(unsigned char, uchar)
HIPPORT_V(short, short)
HIPPORT_V(unsigned short, ushort)
HIPPORT_V(int, int)
HIPPORT_V(unsigned int, uint)
HIPPORT_V(long, long)
HIPPORT_V(unsigned long, ulong)
HIPPORT_V(long long, longlong)
HIPPORT_V(unsigned long long, ulonglong)
HIPPORT_V(float, float)
HIPPORT_V(double, double)
struct dim3 {
  unsigned int x, y, z;
  __HIPPORT_BOTH__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
  __HIPPORT_BOTH__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __HIPPORT_BOTH__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;

enum cudaError { cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorUnknown, cudaErrorNotReady };
typedef cudaError cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
typedef struct CUstream_st *cudaStream_t;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *cudaEvent_t;
typedef struct cudaGraph_st *cudaGraph_t;
typedef struct cudaGraphExec_st *cudaGraphExec_t;
typedef struct cudaArray *cudaArray_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
typedef int cudaDeviceAttr;
struct cudaDeviceProp { char name[256]; size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor, totalConstMem; int warpSize, major, minor, multiProcessorCount, maxThreadsPerBlock, maxThreadsPerMultiProcessor, regsPerBlock, clockRate, memoryClockRate, memoryBusWidth, l2CacheSize, cooperativeLaunch, concurrentKernels, canMapHostMemory, integrated; int maxThreadsDim[3], maxGridSize[3]; };
struct cudaFuncAttributes { size_t sharedSizeBytes; int maxThreadsPerBlock, numRegs, maxDynamicSharedSizeBytes; };
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t smem = 0, cudaStream_t stream = nullptr);
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t smem = 0, void *stream = nullptr);
#define HIPPORT_API(N) template <class... A> cudaError_t N(A &&...);
HIPPORT_API(cudaMalloc) HIPPORT_API(cudaFree) HIPPORT_API(cudaMemcpy) HIPPORT_API(cudaMemcpyAsync) HIPPORT_API(cudaMemset)
HIPPORT_API(cudaMemsetAsync) HIPPORT_API(cudaMallocHost) HIPPORT_API(cudaFreeHost) HIPPORT_API(cudaHostAlloc) HIPPORT_API(cudaMallocManaged)
HIPPORT_API(cudaDeviceSynchronize) HIPPORT_API(cudaThreadSynchronize) HIPPORT_API(cudaStreamSynchronize) HIPPORT_API(cudaStreamCreate)
HIPPORT_API(cudaStreamDestroy) HIPPORT_API(cudaEventCreate) HIPPORT_API(cudaEventRecord) HIPPORT_API(cudaEventSynchronize)
HIPPORT_API(cudaEventElapsedTime) HIPPORT_API(cudaEventDestroy) HIPPORT_API(cudaGetLastError) HIPPORT_API(cudaPeekAtLastError)
HIPPORT_API(cudaGetDevice) HIPPORT_API(cudaSetDevice) HIPPORT_API(cudaGetDeviceCount) HIPPORT_API(cudaGetDeviceProperties)
HIPPORT_API(cudaMemcpyToSymbol) HIPPORT_API(cudaMemcpyFromSymbol) HIPPORT_API(cudaGetSymbolAddress) HIPPORT_API(cudaFuncSetAttribute)
HIPPORT_API(cudaFuncSetCacheConfig) HIPPORT_API(cudaFuncGetAttributes) HIPPORT_API(cudaLaunchKernel) HIPPORT_API(cudaLaunchCooperativeKernel)
HIPPORT_API(cudaDeviceGetAttribute) HIPPORT_API(cudaOccupancyMaxActiveBlocksPerMultiprocessor) HIPPORT_API(cudaOccupancyMaxPotentialBlockSize)
HIPPORT_API(cudaMemPrefetchAsync) HIPPORT_API(cudaMemAdvise) HIPPORT_API(cudaDeviceReset) HIPPORT_API(cudaMemGetInfo)
HIPPORT_API(cudaMallocPitch) HIPPORT_API(cudaMemcpy2D) HIPPORT_API(cudaHostRegister) HIPPORT_API(cudaStreamCreateWithFlags)
HIPPORT_API(cudaMallocAsync) HIPPORT_API(cudaFreeAsync) HIPPORT_API(cudaProfilerStart) HIPPORT_API(cudaProfilerStop)
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
enum { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9, cudaFuncCachePreferL1 = 2, cudaFuncCachePreferShared = 1, cudaHostAllocMapped = 2, cudaHostAllocDefault = 0, cudaMemAttachGlobal = 1, cudaStreamNonBlocking = 1, cudaEventDefault = 0, cudaEventDisableTiming = 2, cudaDevAttrWarpSize = 10, cudaDevAttrMultiProcessorCount = 16, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97 };

// warp functions
#define HIPPORT_MASK unsigned
template <class T> __device__ T __shfl_sync(HIPPORT_MASK mask, T var, int src, int width = 32);
template <class T> __device__ T __shfl_up_sync(HIPPORT_MASK mask, T var, unsigned delta, int width = 32);
template <class T> __device__ T __shfl_down_sync(HIPPORT_MASK mask, T var, unsigned delta, int width = 32);
template <class T> __device__ T __shfl_xor_sync(HIPPORT_MASK mask, T var, int lanemask, int width = 32);
template <class T> __device__ T __shfl(T var, int src, int width = 32);
template <class T> __device__ T __shfl_up(T var, unsigned delta, int width = 32);
template <class T> __device__ T __shfl_down(T var, unsigned delta, int width = 32);
template <class T> __device__ T __shfl_xor(T var, int lanemask, int width = 32);
__device__ unsigned __ballot_sync(HIPPORT_MASK mask, int p);
__device__ int __any_sync(HIPPORT_MASK mask, int p);
__device__ int __all_sync(HIPPORT_MASK mask, int p);
__device__ int __uni_sync(HIPPORT_MASK mask, int p);
__device__ unsigned __ballot(int p);
__device__ int __any(int p);
__device__ int __all(int p);
__device__ unsigned __activemask();
template <class T> __device__ unsigned __match_any_sync(HIPPORT_MASK mask, T v);
template <class T> __device__ unsigned __match_all_sync(HIPPORT_MASK mask, T v, int *pred);
template <class T> __device__ T __reduce_add_sync(HIPPORT_MASK mask, T v);
template <class T> __device__ T __reduce_min_sync(HIPPORT_MASK mask, T v);
template <class T> __device__ T __reduce_max_sync(HIPPORT_MASK mask, T v);
template <class T> __device__ T __reduce_and_sync(HIPPORT_MASK mask, T v);
template <class T> __device__ T __reduce_or_sync(HIPPORT_MASK mask, T v);
template <class T> __device__ T __reduce_xor_sync(HIPPORT_MASK mask, T v);
__device__ void __syncwarp(HIPPORT_MASK mask = 0xffffffffu);
__device__ void __syncthreads();
__device__ int __syncthreads_count(int p);
__device__ int __syncthreads_and(int p);
__device__ int __syncthreads_or(int p);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __nanosleep(unsigned ns);
__device__ void __trap();
__device__ void __brkpt();
__device__ void __prof_trigger(int);
__device__ long long clock64();
__device__ long clock();
__device__ unsigned __nvvm_get_smem_pointer(void *);
__device__ size_t __cvta_generic_to_shared(const void *p);

// integer and bit functions
__HIPPORT_BOTH__ int __popc(unsigned x);
__HIPPORT_BOTH__ int __popcll(unsigned long long x);
__HIPPORT_BOTH__ int __ffs(int x);
__HIPPORT_BOTH__ int __ffsll(long long x);
__HIPPORT_BOTH__ int __clz(int x);
__HIPPORT_BOTH__ int __clzll(long long x);
__HIPPORT_BOTH__ unsigned __brev(unsigned x);
__HIPPORT_BOTH__ unsigned long long __brevll(unsigned long long x);
__HIPPORT_BOTH__ unsigned __fns(unsigned mask, unsigned base, int offset);
__HIPPORT_BOTH__ unsigned __byte_perm(unsigned a, unsigned b, unsigned s);
__HIPPORT_BOTH__ int __mulhi(int a, int b);
__HIPPORT_BOTH__ unsigned __umulhi(unsigned a, unsigned b);
__HIPPORT_BOTH__ long long __mul64hi(long long a, long long b);
__HIPPORT_BOTH__ unsigned long long __umul64hi(unsigned long long a, unsigned long long b);
__HIPPORT_BOTH__ int __mul24(int a, int b);
__HIPPORT_BOTH__ unsigned __umul24(unsigned a, unsigned b);
__HIPPORT_BOTH__ unsigned __funnelshift_l(unsigned a, unsigned b, unsigned s);
__HIPPORT_BOTH__ unsigned __funnelshift_r(unsigned a, unsigned b, unsigned s);
__HIPPORT_BOTH__ int __dp4a(int a, int b, int c);
__HIPPORT_BOTH__ unsigned __sad(int a, int b, unsigned c);
__HIPPORT_BOTH__ unsigned __usad(unsigned a, unsigned b, unsigned c);
template <class T> __device__ T __ldg(const T *p);
template <class T> __device__ T __ldcg(const T *p);
template <class T> __device__ T __ldca(const T *p);
template <class T> __device__ T __ldcs(const T *p);
template <class T> __device__ T __ldcv(const T *p);
template <class T> __device__ void __stcg(T *p, T v);
template <class T> __device__ void __stcs(T *p, T v);
template <class T> __device__ void __stwt(T *p, T v);
#define HIPPORT_CAST(N, R, A) __HIPPORT_BOTH__ R N(A x);
HIPPORT_CAST(__float_as_int, int, float) HIPPORT_CAST(__int_as_float, float, int) HIPPORT_CAST(__float_as_uint, unsigned, float)
HIPPORT_CAST(__uint_as_float, float, unsigned) HIPPORT_CAST(__double_as_longlong, long long, double) HIPPORT_CAST(__longlong_as_double, double, long long)
HIPPORT_CAST(__float2int_rn, int, float) HIPPORT_CAST(__float2int_rd, int, float) HIPPORT_CAST(__float2int_rz, int, float) HIPPORT_CAST(__float2int_ru, int, float)
HIPPORT_CAST(__float2uint_rn, unsigned, float) HIPPORT_CAST(__float2uint_rz, unsigned, float) HIPPORT_CAST(__int2float_rn, float, int) HIPPORT_CAST(__uint2float_rn, float, unsigned)
HIPPORT_CAST(__double2int_rn, int, double) HIPPORT_CAST(__double2float_rn, float, double) HIPPORT_CAST(__int2double_rn, double, int) HIPPORT_CAST(__ll2double_rn, double, long long)
HIPPORT_CAST(__double2hiint, int, double) HIPPORT_CAST(__double2loint, int, double) HIPPORT_CAST(__float2ll_rn, long long, float)
__HIPPORT_BOTH__ double __hiloint2double(int hi, int lo);

// atomics
#define HIPPORT_ATOMIC(N) template <class T, class U> __device__ T N(T *p, U v); template <class T, class U> __device__ T N##_block(T *p, U v); template <class T, class U> __device__ T N##_system(T *p, U v);
HIPPORT_ATOMIC(atomicAdd) HIPPORT_ATOMIC(atomicSub) HIPPORT_ATOMIC(atomicExch) HIPPORT_ATOMIC(atomicMin) HIPPORT_ATOMIC(atomicMax)
HIPPORT_ATOMIC(atomicInc) HIPPORT_ATOMIC(atomicDec) HIPPORT_ATOMIC(atomicAnd) HIPPORT_ATOMIC(atomicOr) HIPPORT_ATOMIC(atomicXor)
template <class T, class U, class V> __device__ T atomicCAS(T *p, U c, V v);
template <class T, class U, class V> __device__ T atomicCAS_block(T *p, U c, V v);
template <class T, class U, class V> __device__ T atomicCAS_system(T *p, U c, V v);

// maths
#define HIPPORT_M1(N) __HIPPORT_CLIB__ double N(double x); __HIPPORT_CLIB__ float N(float x); __HIPPORT_CLIB__ float N##f(float x);
#define HIPPORT_M2(N) __HIPPORT_CLIB__ double N(double x, double y); __HIPPORT_CLIB__ float N(float x, float y); __HIPPORT_CLIB__ float N##f(float x, float y);
HIPPORT_M1(sqrt) HIPPORT_M1(rsqrt) HIPPORT_M1(cbrt) HIPPORT_M1(exp) HIPPORT_M1(exp2) HIPPORT_M1(exp10) HIPPORT_M1(expm1) HIPPORT_M1(log) HIPPORT_M1(log2) HIPPORT_M1(log10)
HIPPORT_M1(log1p) HIPPORT_M1(sin) HIPPORT_M1(cos) HIPPORT_M1(tan) HIPPORT_M1(asin) HIPPORT_M1(acos) HIPPORT_M1(atan) HIPPORT_M1(sinh) HIPPORT_M1(cosh) HIPPORT_M1(tanh)
HIPPORT_M1(erf) HIPPORT_M1(erfc) HIPPORT_M1(floor) HIPPORT_M1(ceil) HIPPORT_M1(round) HIPPORT_M1(trunc) HIPPORT_M1(rint) HIPPORT_M1(nearbyint) HIPPORT_M1(fabs) HIPPORT_M1(sinpi) HIPPORT_M1(cospi) HIPPORT_M1(lgamma) HIPPORT_M1(tgamma) HIPPORT_M1(normcdf)
HIPPORT_M2(pow) HIPPORT_M2(fmin) HIPPORT_M2(fmax) HIPPORT_M2(fmod) HIPPORT_M2(atan2) HIPPORT_M2(hypot) HIPPORT_M2(copysign) HIPPORT_M2(fdim) HIPPORT_M2(remainder)
__HIPPORT_CLIB__ double fma(double, double, double);
__HIPPORT_CLIB__ float fma(float, float, float);
__HIPPORT_CLIB__ float fmaf(float, float, float);
__HIPPORT_CLIB__ float rsqrtf(float);
__HIPPORT_CLIB__ long lrint(double); __HIPPORT_CLIB__ long lrintf(float); __HIPPORT_CLIB__ long lround(double); __HIPPORT_CLIB__ long lroundf(float);
__HIPPORT_CLIB__ long long llrint(double); __HIPPORT_CLIB__ long long llrintf(float);
__HIPPORT_CLIB__ int abs(int);
__HIPPORT_CLIB__ long labs(long);
__HIPPORT_CLIB__ long long llabs(long long);
__HIPPORT_CLIB__ double ldexp(double, int);
__HIPPORT_CLIB__ float ldexpf(float, int);
__HIPPORT_CLIB__ float frexpf(float, int *);
__HIPPORT_CLIB__ double frexp(double, int *);
__HIPPORT_CLIB__ double scalbn(double, int); __HIPPORT_CLIB__ float scalbnf(float, int); __HIPPORT_CLIB__ double scalbln(double, long); __HIPPORT_CLIB__ float scalblnf(float, long);
template <class T> __HIPPORT_CLIB__ bool isnan(T);
template <class T> __HIPPORT_CLIB__ bool isinf(T);
template <class T> __HIPPORT_CLIB__ bool isfinite(T);
template <class T> __HIPPORT_CLIB__ bool signbit(T);
template <class A, class B> __HIPPORT_CLIB__ auto min(A a, B b) -> decltype(a + b);
template <class A, class B> __HIPPORT_CLIB__ auto max(A a, B b) -> decltype(a + b);
__HIPPORT_CLIB__ void sincos(double, double *, double *);
__HIPPORT_CLIB__ void sincosf(float, float *, float *);
__HIPPORT_CLIB__ void sincospif(float, float *, float *);
#define HIPPORT_F1(N) __device__ float N(float x);
#define HIPPORT_F2(N) __device__ float N(float x, float y);
HIPPORT_F1(__expf) HIPPORT_F1(__exp10f) HIPPORT_F1(__logf) HIPPORT_F1(__log2f) HIPPORT_F1(__log10f) HIPPORT_F1(__sinf) HIPPORT_F1(__cosf) HIPPORT_F1(__tanf) HIPPORT_F1(__saturatef)
HIPPORT_F1(__fsqrt_rn) HIPPORT_F1(__frsqrt_rn) HIPPORT_F1(__frcp_rn)
HIPPORT_F2(__powf) HIPPORT_F2(__fdividef) HIPPORT_F2(__fadd_rn) HIPPORT_F2(__fsub_rn) HIPPORT_F2(__fmul_rn) HIPPORT_F2(__fdiv_rn)
__device__ float __fmaf_rn(float, float, float);
__device__ double __dadd_rn(double, double);
__device__ double __dmul_rn(double, double);
__device__ double __fma_rn(double, double, double);
__device__ void __sincosf(float, float *, float *);

// C library that device code and small programs use
__HIPPORT_CLIB__ int printf(const char *, ...);
__HIPPORT_CLIB__ void *memcpy(void *, const void *, size_t);
__HIPPORT_CLIB__ void *memset(void *, int, size_t);
__HIPPORT_CLIB__ void *memmove(void *, const void *, size_t);
__HIPPORT_CLIB__ int memcmp(const void *, const void *, size_t);
__HIPPORT_CLIB__ void *malloc(size_t);
__HIPPORT_CLIB__ void free(void *);
#ifdef HIPPORT_SYSTEM
__device__ void __assert_fail(const char *, const char *, unsigned, const char *);
#else
__HIPPORT_BOTH__ void __hipport_assert(bool);
#define assert(x) __hipport_assert(!!(x))
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void exit(int);
void abort();
int atoi(const char *);
double atof(const char *);
long atol(const char *);
int rand();
void srand(unsigned);
typedef struct _IO_FILE FILE;
extern FILE *stderr, *stdout, *stdin;
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int fflush(FILE *);
FILE *fopen(const char *, const char *);
int fclose(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int fscanf(FILE *, const char *, ...);
int sscanf(const char *, const char *, ...);
size_t strlen(const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
#define NULL 0
#define EXIT_FAILURE 1
#define EXIT_SUCCESS 0
#define RAND_MAX 2147483647
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LLONG_MAX 9223372036854775807ll
#define ULLONG_MAX 18446744073709551615ull
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.19209290e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_EPSILON 2.2204460492503131e-16
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define M_PI 3.14159265358979323846
#define UINT64_MAX 18446744073709551615ul
#define UINT32_MAX 4294967295u
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807l
#define UINT8_MAX 255
#endif
#define CUDART_INF_F (__builtin_inff())
#define CUDART_PI_F 3.141592654f
