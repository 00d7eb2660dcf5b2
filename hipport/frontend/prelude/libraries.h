// cooperative groups, CUB, Thrust, wmma, curand and cuda:: names
#pragma once
namespace cooperative_groups {
struct thread_group { __device__ void sync() const; __device__ unsigned size() const; __device__ unsigned num_threads() const; __device__ unsigned thread_rank() const; };
struct thread_block : thread_group { static __device__ dim3 group_index(); static __device__ dim3 thread_index(); static __device__ dim3 dim_threads(); static __device__ dim3 group_dim(); };
struct grid_group : thread_group { __device__ unsigned block_rank() const; __device__ unsigned num_blocks() const; __device__ bool is_valid() const; };
struct cluster_group : thread_group { __device__ unsigned block_rank() const; template <class T> __device__ T *map_shared_rank(T *, int) const; };
struct warp_group : thread_group { template <class T> __device__ T shfl(T, int) const; template <class T> __device__ T shfl_down(T, unsigned) const; template <class T> __device__ T shfl_up(T, unsigned) const; template <class T> __device__ T shfl_xor(T, unsigned) const; __device__ unsigned ballot(int) const; __device__ int any(int) const; __device__ int all(int) const; template <class T> __device__ unsigned match_any(T) const; template <class T> __device__ unsigned match_all(T, int &) const; __device__ unsigned meta_group_size() const; __device__ unsigned meta_group_rank() const; };
template <unsigned N, class P = void> struct thread_block_tile : warp_group { thread_block_tile() = default; template <class Q> __device__ thread_block_tile(const thread_block_tile<N, Q> &); };
struct coalesced_group : warp_group {};
__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ cluster_group this_cluster();
__device__ coalesced_group coalesced_threads();
template <unsigned N, class G> __device__ thread_block_tile<N, G> tiled_partition(const G &);
template <class G> __device__ warp_group tiled_partition(const G &, unsigned);
template <class G> __device__ coalesced_group labeled_partition(const G &, int);
template <class G> __device__ coalesced_group binary_partition(const G &, bool);
template <class G> __device__ void sync(const G &);
template <class G, class T, class O> __device__ T reduce(const G &, T, O);
template <class G, class T, class O> __device__ T inclusive_scan(const G &, T, O);
template <class G, class T> __device__ T inclusive_scan(const G &, T);
template <class G, class T, class O> __device__ T exclusive_scan(const G &, T, O);
template <class G, class T> __device__ T exclusive_scan(const G &, T);
template <class G, class... A> __device__ void memcpy_async(const G &, A...);
template <class G> __device__ void wait(const G &);
template <unsigned N, class G> __device__ void wait_prior(const G &);
template <class G, class F, class... A> __device__ void invoke_one(const G &, F &&, A &&...);
template <class G, class F, class... A> __device__ auto invoke_one_broadcast(const G &, F &&f, A &&...a) -> decltype(f(a...));
template <class T> struct plus { template <class A> __device__ A operator()(A, A) const; };
template <class T> struct less { template <class A> __device__ A operator()(A, A) const; };
template <class T> struct greater { template <class A> __device__ A operator()(A, A) const; };
template <class T> struct bit_and { template <class A> __device__ A operator()(A, A) const; };
template <class T> struct bit_or { template <class A> __device__ A operator()(A, A) const; };
template <class T> struct bit_xor { template <class A> __device__ A operator()(A, A) const; };
} // namespace cooperative_groups
namespace cub {
struct Sum { template <class T> __HIPPORT_BOTH__ T operator()(T, T) const; };
struct Max { template <class T> __HIPPORT_BOTH__ T operator()(T, T) const; };
struct Min { template <class T> __HIPPORT_BOTH__ T operator()(T, T) const; };
template <class T, int W = 32> struct WarpReduce { struct TempStorage { T v[W]; }; __device__ WarpReduce(TempStorage &); __device__ T Sum(T); __device__ T Sum(T, int); template <class O> __device__ T Reduce(T, O); template <class O> __device__ T Reduce(T, O, int); template <class F> __device__ T HeadSegmentedSum(T, F); };
template <class T, int W = 32> struct WarpScan { struct TempStorage { T v[W]; }; __device__ WarpScan(TempStorage &); template <class... A> __device__ void InclusiveSum(T, A &&...); template <class... A> __device__ void ExclusiveSum(T, A &&...); template <class... A> __device__ void InclusiveScan(T, A &&...); };
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS, BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE };
template <class T, int B, int A = 1, int... X> struct BlockReduce { struct TempStorage { T v[B]; }; __device__ BlockReduce(TempStorage &); __device__ T Sum(T); __device__ T Sum(T, int); template <class O> __device__ T Reduce(T, O); template <class O> __device__ T Reduce(T, O, int); template <int N> __device__ T Sum(T (&)[N]); template <int N, class O> __device__ T Reduce(T (&)[N], O); };
template <class T, int B, int A = 0, int... X> struct BlockScan { struct TempStorage { T v[B]; }; __device__ BlockScan(TempStorage &); template <class... Y> __device__ void InclusiveSum(Y &&...); template <class... Y> __device__ void ExclusiveSum(Y &&...); template <class... Y> __device__ void InclusiveScan(Y &&...); template <class... Y> __device__ void ExclusiveScan(Y &&...); };
template <class T, int B, int I, int A = 0> struct BlockLoad { struct TempStorage { T v[B]; }; __device__ BlockLoad(TempStorage &); template <class... Y> __device__ void Load(Y &&...); };
template <class T, int B, int I, int A = 0> struct BlockStore { struct TempStorage { T v[B]; }; __device__ BlockStore(TempStorage &); template <class... Y> __device__ void Store(Y &&...); };
template <class T, int B, int I, class V = void> struct BlockRadixSort { struct TempStorage { T v[B]; }; __device__ BlockRadixSort(TempStorage &); template <class... Y> __device__ void Sort(Y &&...); };
struct HIPPORT_Device { template <class... A> static cudaError_t Sum(A &&...); template <class... A> static cudaError_t Max(A &&...); template <class... A> static cudaError_t Min(A &&...); template <class... A> static cudaError_t Reduce(A &&...); template <class... A> static cudaError_t ExclusiveSum(A &&...); template <class... A> static cudaError_t InclusiveSum(A &&...); template <class... A> static cudaError_t SortPairs(A &&...); template <class... A> static cudaError_t SortKeys(A &&...); template <class... A> static cudaError_t Flagged(A &&...); template <class... A> static cudaError_t If(A &&...); };
typedef HIPPORT_Device DeviceReduce, DeviceScan, DeviceRadixSort, DeviceSelect, DeviceSegmentedReduce;
} // namespace cub
namespace thrust {
template <class T> struct device_ptr { T *get() const; __HIPPORT_BOTH__ T &operator*() const; device_ptr operator+(size_t) const; };
template <class T> struct device_vector : std::vector<T> { template <class... A> device_vector(A &&...); };
template <class T> struct host_vector : std::vector<T> { template <class... A> host_vector(A &&...); };
template <class T> device_ptr<T> device_pointer_cast(T *); template <class P> auto raw_pointer_cast(P p) -> decltype(p.get());
template <class A, class B> struct pair { A first; B second; };
template <class... A> struct tuple {}; template <class... A> __HIPPORT_BOTH__ tuple<A...> make_tuple(A...); template <int N, class T> __HIPPORT_BOTH__ int &get(T &&);
template <class T> struct plus { __HIPPORT_BOTH__ T operator()(T, T) const; }; template <class T> struct maximum { __HIPPORT_BOTH__ T operator()(T, T) const; }; template <class T> struct minimum { __HIPPORT_BOTH__ T operator()(T, T) const; };
template <class T> struct complex { __HIPPORT_BOTH__ complex(T = 0, T = 0); __HIPPORT_BOTH__ T real() const; __HIPPORT_BOTH__ T imag() const; };
extern int host, device; namespace cuda { struct par_t { template <class S> par_t on(S) const; }; extern par_t par; }
HIPPORT_ALGO(sort) HIPPORT_ALGO(reduce) HIPPORT_ALGO(transform) HIPPORT_ALGO(copy) HIPPORT_ALGO(fill) HIPPORT_ALGO(exclusive_scan) HIPPORT_ALGO(inclusive_scan) HIPPORT_ALGO(sort_by_key) HIPPORT_ALGO(sequence) HIPPORT_ALGO(for_each) HIPPORT_ALGO(transform_reduce)
} // namespace thrust
namespace nvcuda { namespace wmma { struct matrix_a; struct matrix_b; struct accumulator; struct row_major; struct col_major; enum layout_t { mem_row_major, mem_col_major }; namespace precision { struct tf32; }
template <class U, int M, int N, int K, class T, class L = void> struct fragment { T x[8]; static constexpr int num_elements = 8; };
template <class F, class P> __device__ void load_matrix_sync(F &, const P *, unsigned); template <class F, class P> __device__ void load_matrix_sync(F &, const P *, unsigned, layout_t); template <class P, class F> __device__ void store_matrix_sync(P *, const F &, unsigned, layout_t); template <class F, class T> __device__ void fill_fragment(F &, T); template <class D, class A, class B, class C> __device__ void mma_sync(D &, const A &, const B &, const C &); } }
namespace cuda { enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
namespace std { using namespace ::std; typedef int memory_order; constexpr int memory_order_relaxed = 0, memory_order_acquire = 1, memory_order_release = 2; }
template <class T, thread_scope S = thread_scope_system> struct atomic_ref { __HIPPORT_BOTH__ atomic_ref(T &); __HIPPORT_BOTH__ T load(int = 0) const; __HIPPORT_BOTH__ void store(T, int = 0) const; __HIPPORT_BOTH__ T fetch_add(T, int = 0) const; };
template <class T, thread_scope S = thread_scope_system> struct atomic { __HIPPORT_BOTH__ T load(int = 0) const; __HIPPORT_BOTH__ void store(T, int = 0); __HIPPORT_BOTH__ T fetch_add(T, int = 0); };
template <thread_scope S = thread_scope_system, class F = int> struct barrier { struct arrival_token {}; barrier() = default; __device__ barrier(long long); __device__ arrival_token arrive(long long = 1); __device__ void wait(arrival_token) const; __device__ bool try_wait(arrival_token) const; __device__ void wait_parity(bool) const; __device__ bool try_wait_parity(bool) const; __device__ void arrive_and_wait(); __device__ void arrive_and_drop(); friend __device__ void init(barrier *, long long) {} friend __device__ void init(barrier *, long long, F) {} };
template <size_t A> struct aligned_size_t { __HIPPORT_BOTH__ explicit constexpr aligned_size_t(size_t n) : value(n) {} __HIPPORT_BOTH__ constexpr operator size_t() const { return value; } size_t value; };
enum class pipeline_role { producer, consumer }; enum class async_contract_fulfillment { none, async };
template <thread_scope S, unsigned N> struct pipeline_shared_state { int v[N]; };
template <thread_scope S> struct pipeline { __device__ void producer_acquire(); __device__ void producer_commit(); __device__ void consumer_wait(); __device__ void consumer_release(); __device__ bool quit(); };
__device__ pipeline<thread_scope_thread> make_pipeline();
template <class G, thread_scope S, unsigned N> __device__ pipeline<S> make_pipeline(const G &, pipeline_shared_state<S, N> *);
template <class G, thread_scope S, unsigned N, class R> __device__ pipeline<S> make_pipeline(const G &, pipeline_shared_state<S, N> *, R);
template <class T, class U, class Z, class Y> __device__ async_contract_fulfillment memcpy_async(T *, const U *, Z, Y &);
template <class G, class T, class U, class Z, class Y> __device__ async_contract_fulfillment memcpy_async(const G &, T *, const U *, Z, Y &);
template <unsigned N> __device__ void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &);
template <class B> __device__ void pipeline_producer_commit(pipeline<thread_scope_thread> &, B &);
template <thread_scope S> __device__ void atomic_thread_fence(int); constexpr int memory_order_relaxed = 0, memory_order_acquire = 1, memory_order_release = 2; }
__device__ void __pipeline_memcpy_async(void *, const void *, size_t, size_t = 0);
__device__ void __pipeline_commit();
__device__ void __barrier_sync(unsigned); __device__ void __barrier_sync_count(unsigned, unsigned);
__device__ void __pipeline_wait_prior(size_t);
struct curandState { int v; };
typedef curandState curandState_t, curandStateXORWOW_t, curandStatePhilox4_32_10_t;
template <class S> __device__ void curand_init(unsigned long long, unsigned long long, unsigned long long, S *);
template <class S> __device__ float curand_uniform(S *); template <class S> __device__ float curand_normal(S *); template <class S> __device__ unsigned curand(S *); template <class S> __device__ double curand_uniform_double(S *); template <class S> __device__ float4 curand_uniform4(S *);
typedef float2 cuComplex, cuFloatComplex; typedef double2 cuDoubleComplex;
__HIPPORT_BOTH__ cuFloatComplex cuCmulf(cuFloatComplex, cuFloatComplex); __HIPPORT_BOTH__ cuFloatComplex cuCaddf(cuFloatComplex, cuFloatComplex); __HIPPORT_BOTH__ cuDoubleComplex cuCmul(cuDoubleComplex, cuDoubleComplex); __HIPPORT_BOTH__ cuDoubleComplex cuCadd(cuDoubleComplex, cuDoubleComplex); __HIPPORT_BOTH__ cuDoubleComplex make_cuDoubleComplex(double, double); __HIPPORT_BOTH__ cuFloatComplex make_cuFloatComplex(float, float);
typedef struct cublasContext *cublasHandle_t; typedef struct cusparseContext *cusparseHandle_t; typedef struct cufftContext *cufftHandle_;
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int); template <class T> __device__ T tex2D(cudaTextureObject_t, float, float); template <class T> __device__ T tex3D(cudaTextureObject_t, float, float, float);
