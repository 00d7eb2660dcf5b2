// offers: atomic-tree atomic-tree atomic-tree atomic-tree
// Minima of floats, a type that a template brings, two counters of one array, an address from a macro.
#define SLOT 1
template <typename T>
__global__ void several(const T* x, const float* y, T* total, float* least, int* count, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(total, x[i]);
    atomicMin(least, y[i]);
    if (x[i] > T(3)) atomicAdd(&count[0], 1);
    else atomicSub(&count[SLOT], 2);
  }
}
template __global__ void several<unsigned>(const unsigned*, const float*, unsigned*, float*, int*, int);
