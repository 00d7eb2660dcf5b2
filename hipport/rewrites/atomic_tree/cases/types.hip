// offers: atomic-tree atomic-tree atomic-tree atomic-tree
// Minima of floats, a type that a template brings, two counters of one array, an address from a macro.
#define SLOT 1
template <typename T>
__global__ void several(const T* x, const float* y, T* total, float* least, int* count, int n) {
  T hipport_sum = 0;
  float hipport_best1 = __builtin_inff();
  unsigned hipport_sum2 = 0;
  unsigned hipport_sum3 = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    hipport_sum += (T)(x[i]);
    hipport_best1 = hipport::Least()(hipport_best1, (float)(y[i]));
    if (x[i] > T(3)) hipport_sum2 += 1;
    else hipport_sum3 -= 2;
  }
  hipport::block_add(total, hipport_sum);
  __syncthreads();
  hipport::block_min(least, hipport_best1);
  __syncthreads();
  hipport::block_add(&count[0], hipport_sum2);
  __syncthreads();
  hipport::block_add(&count[SLOT], hipport_sum3);
}
template __global__ void several<unsigned>(const unsigned*, const float*, unsigned*, float*, int*, int);
