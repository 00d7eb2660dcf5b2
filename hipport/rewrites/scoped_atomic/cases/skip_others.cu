// Other things of libcu++ and of other namespaces, and a library that declares them itself.
namespace mine { namespace cuda { template <class T> struct atomic { T held; }; } }
__global__ void k(int* x) {
  mine::cuda::atomic<int> a{x[0]};
  x[1] = a.held;
}
