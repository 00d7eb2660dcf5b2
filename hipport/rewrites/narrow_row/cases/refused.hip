// expect: shuffle-width
// offers: narrow-row narrow-row narrow-row narrow-row atomic-tree narrow-row narrow-row narrow-row narrow-row narrow-row
// What is told and not packed: threads that meet, or whose launches or helpers are not all known.
#define D 16
__device__ int place();
__device__ int own() { return threadIdx.x; }
__global__ void helper(float* y) {
  if (threadIdx.x < D) y[blockIdx.x * D + place()] = 1;
}
__global__ void asked(float* y) {
  if (threadIdx.x < D) y[blockIdx.x * D + own()] = 1;
}
__global__ void named(float* y) {
  if (threadIdx.x < D) y[blockIdx.x * D + threadIdx.x] = 1;
}
__global__ void counted(int* y) {
  unsigned hipport_sum = 0;
  if (threadIdx.x < D) hipport_sum += 1;
  hipport::block_add(y, hipport_sum);
}
__global__ void shared(float* y) {
  __shared__ float s[D];
  if (threadIdx.x < D) {
    s[threadIdx.x] = y[threadIdx.x];
    y[blockIdx.x * D + threadIdx.x] = s[D - 1 - threadIdx.x];
  }
}
__global__ void handed(float* y) {
  if (threadIdx.x < D) y[threadIdx.x] = __shfl(y[threadIdx.x], 3, 32);
}
__global__ __launch_bounds__(32) void bounded(float* y) {
  if (threadIdx.x < D) y[blockIdx.x * D + threadIdx.x] = 1;
}
__global__ void upright(float* y) {
  if (threadIdx.x < D) y[blockIdx.y * D + threadIdx.x] = 1;
}
__global__ void few(float* y) {
  if (threadIdx.x < D) y[(blockIdx.y * gridDim.x + blockIdx.x) * D + threadIdx.x] = 1;
}
void run(float* y, int n, int* c, dim3 grid) {
  upright<<<dim3(1, 64), 32>>>(y);
  few<<<dim3(3, 64), 32>>>(y);
  helper<<<n, 32>>>(y);
  asked<<<n, 32>>>(y);
  named<<<n, 32>>>(y);
  void (*other)(float*) = named;
  counted<<<grid, 32>>>(c);
  shared<<<n, 32>>>(y);
  handed<<<n, 32>>>(y);
  bounded<<<n, 32>>>(y);
}
