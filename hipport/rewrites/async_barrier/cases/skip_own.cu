// A namespace of the file's own.
namespace lib {
namespace cuda {
template <int S>
struct barrier {
  int v;
};
}  // namespace cuda
}  // namespace lib
__global__ void k(int* x) {
  __shared__ lib::cuda::barrier<2> b;
  b.v = 1;
  x[threadIdx.x] = b.v;
}
