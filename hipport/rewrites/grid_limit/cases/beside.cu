// expect: grid-limit grid-limit grid-limit
// x is capped by itself; a macro launches with what its user counts; several kernels follow one size.
#include <cstdint>
unsigned cap_grid_dim_x(int64_t blocks, int64_t threads);
struct Tensor {
  int64_t size(int) const;
};

__global__ void columns(float* x) {
  if (blockIdx.y < 8) x[blockIdx.x] = blockIdx.z;
}
template <int N>
__global__ void rows(float* x) {
  x[blockIdx.x] = N;
}
__global__ void scale(float* x) { x[blockIdx.x] *= 2; }
__global__ void shift(float* x) { x[blockIdx.x] += 2; }

void capped(float* x, const Tensor& t, int n) {
  const int batches = t.size(0);
  const auto blocks = cap_grid_dim_x((n + 255) / 256, 256);
  columns<<<dim3(blocks, batches, 4), 256>>>(x);
  const auto fewer = cap_grid_dim_x((n + 255) / 256, int64_t{256} * batches * 4);
  columns<<<dim3(fewer, batches, 4), 256>>>(x);
  columns<<<dim3(blocks, 8, 4), 256>>>(x);
}

#define LAUNCH_ROWS(N) rows<N><<<count, N>>>(x)

void by_macro(float* x, const Tensor& t) {
  const uint32_t count = t.size(0);
  if (count > 8) {
    LAUNCH_ROWS(512);
  } else {
    LAUNCH_ROWS(64);
  }
}

void several(float* x, int n) {
  scale<<<n, 256>>>(x);
  shift<<<n, 256>>>(x);
}
