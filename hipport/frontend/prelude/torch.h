// The names of PyTorch's C++ headers that extension code uses around its kernels
#pragma once
namespace c10 {
enum class ScalarType { Byte, Char, Short, Int, Long, Half, Float, Double, Bool, BFloat16, Float8_e4m3fn, Float8_e5m2 };
using ::__half; struct Half : ::__half { using ::__half::__half; Half() = default; __HIPPORT_BOTH__ Half(float); }; struct BFloat16 : ::__nv_bfloat16 { BFloat16() = default; __HIPPORT_BOTH__ BFloat16(float); };
template <class T> struct complex { T r, i; };
struct Device { int index() const; bool is_cuda() const; }; struct DeviceGuard { template <class... A> DeviceGuard(A &&...); };
template <class T> struct ArrayRef { template <class... A> ArrayRef(A &&...); size_t size() const; T operator[](size_t) const; };
typedef ArrayRef<int64_t> IntArrayRef;
template <class T> struct optional : std::optional<T> { template <class... A> optional(A &&...); };
namespace cuda { struct CUDAStream { cudaStream_t stream() const; operator cudaStream_t() const; }; CUDAStream getCurrentCUDAStream(int = -1); struct CUDAGuard { template <class... A> CUDAGuard(A &&...); }; struct OptionalCUDAGuard { template <class... A> OptionalCUDAGuard(A &&...); }; }
}
namespace at {
using c10::ScalarType; using c10::Half; using c10::BFloat16; using c10::IntArrayRef; using c10::Device;
struct TensorOptions { template <class... A> TensorOptions dtype(A &&...) const; template <class... A> TensorOptions device(A &&...) const; template <class... A> TensorOptions requires_grad(A &&...) const; };
template <class T, size_t N, class I = int64_t> struct TensorAccessor { __HIPPORT_BOTH__ TensorAccessor<T, N - 1, I> operator[](I) const; __HIPPORT_BOTH__ I size(I) const; __HIPPORT_BOTH__ I stride(I) const; __HIPPORT_BOTH__ T *data() const; };
template <class T, class I> struct TensorAccessor<T, 1, I> { __HIPPORT_BOTH__ T &operator[](I) const; __HIPPORT_BOTH__ I size(I) const; __HIPPORT_BOTH__ I stride(I) const; __HIPPORT_BOTH__ T *data() const; };
template <class T> struct RestrictPtrTraits {}; template <class T> struct DefaultPtrTraits {};
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t> struct GenericPackedTensorAccessor : TensorAccessor<T, N, I> {};
template <class T, size_t N, template <class> class P = DefaultPtrTraits> struct PackedTensorAccessor32 : TensorAccessor<T, N, int32_t> {};
template <class T, size_t N, template <class> class P = DefaultPtrTraits> struct PackedTensorAccessor64 : TensorAccessor<T, N, int64_t> {};
struct Tensor { Tensor(); int64_t size(int64_t) const; int64_t dim() const; int64_t numel() const; int64_t stride(int64_t) const; IntArrayRef sizes() const; bool is_cuda() const; bool is_contiguous() const; bool defined() const; Tensor contiguous() const; ScalarType scalar_type() const; ScalarType dtype() const; Device device() const; int get_device() const; TensorOptions options() const; template <class T> T *data_ptr() const; void *data_ptr() const; template <class T> T *data() const; template <class T> T *mutable_data_ptr() const; template <class T> const T *const_data_ptr() const; template <class T> T item() const; Tensor to(...) const; Tensor zero_(); template <class... A> Tensor view(A &&...) const; template <class... A> Tensor reshape(A &&...) const; template <class T, size_t N> TensorAccessor<T, N> accessor() const; template <class T, size_t N, template <class> class P = DefaultPtrTraits> PackedTensorAccessor32<T, N, P> packed_accessor32() const; template <class T, size_t N, template <class> class P = DefaultPtrTraits> PackedTensorAccessor64<T, N, P> packed_accessor64() const; template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t> GenericPackedTensorAccessor<T, N, P, I> packed_accessor() const; Tensor operator[](int64_t) const; int64_t element_size() const; };
template <class... A> Tensor empty(A &&...); template <class... A> Tensor zeros(A &&...); template <class... A> Tensor ones(A &&...); template <class... A> Tensor empty_like(A &&...); template <class... A> Tensor zeros_like(A &&...); template <class... A> Tensor full(A &&...);
constexpr ScalarType kFloat = ScalarType::Float, kInt = ScalarType::Int, kLong = ScalarType::Long, kHalf = ScalarType::Half, kByte = ScalarType::Byte, kBFloat16 = ScalarType::BFloat16, kDouble = ScalarType::Double, kChar = ScalarType::Char, kBool = ScalarType::Bool;
extern int kCUDA, kCPU;
template <class T> struct AccumulateType_ { typedef float type; }; template <class T, bool C> using acc_type = float; template <class T> struct OpMathType { typedef float type; }; template <class T> using opmath_type = float;
namespace cuda { using namespace c10::cuda; cudaDeviceProp *getCurrentDeviceProperties(); cudaDeviceProp *getDeviceProperties(int); int warp_size(); template <class T> T ATenCeilDiv(T, T); }
namespace native {}
template <class T, class U> __device__ T gpuAtomicAdd(T *, U);
struct PhiloxCudaState {}; struct Generator {};
}
template <class T, class U> __device__ T gpuAtomicAdd(T *, U); template <class T, class U> __device__ void gpuAtomicAddNoReturn(T *, U);
namespace torch { using namespace at; using at::Tensor; namespace autograd {} typedef c10::Device Device; template <class T> using optional = c10::optional<T>; }
namespace pybind11 { struct module_ { template <class... A> void def(A &&...); }; template <class... A> int arg(A &&...); }
namespace py = pybind11;
#define TORCH_EXTENSION_NAME extension
#define C10_WARP_SIZE 32
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_LAUNCH_BOUNDS_1(a) __launch_bounds__(a)
#define C10_LAUNCH_BOUNDS_2(a, b) __launch_bounds__(a, b)
#define TORCH_CHECK(...) ((void)0)
#define TORCH_INTERNAL_ASSERT(...) ((void)0)
#define AT_ASSERTM(...) ((void)0)
#define AT_ASSERT(...) ((void)0)
#define AT_ERROR(...) ((void)0)
#define C10_CUDA_CHECK(x) ((void)(x))
#define AT_CUDA_CHECK(x) ((void)(x))
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ((void)0)
#define CUDA_KERNEL_ASSERT(x) ((void)(x))
#define PYBIND11_MODULE(name, m) static void pybind_init_##name(pybind11::module_ &m)
#define TORCH_LIBRARY(name, m) static void torch_init_##name(pybind11::module_ &m)
#define TORCH_LIBRARY_IMPL(name, key, m) static void torch_impl_##name##_##key(pybind11::module_ &m)
#define HIPPORT_DISPATCH(...) [&] { using scalar_t = float; using index_t = int64_t; (void)sizeof(scalar_t); (void)sizeof(index_t); return __VA_ARGS__(); }()
#define AT_DISPATCH_FLOATING_TYPES(t, n, ...) HIPPORT_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(t, n, ...) HIPPORT_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(t, n, ...) HIPPORT_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(t, n, ...) HIPPORT_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(t, n, ...) HIPPORT_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(t, n, ...) HIPPORT_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND(a, t, n, ...) HIPPORT_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(a, b, t, n, ...) HIPPORT_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND3(a, b, c, t, n, ...) HIPPORT_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(a, t, n, ...) HIPPORT_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(a, b, t, n, ...) HIPPORT_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_SWITCH(t, n, ...) __VA_ARGS__
#define AT_DISPATCH_CASE(t, ...) HIPPORT_DISPATCH(__VA_ARGS__)
