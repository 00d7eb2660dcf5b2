// One row a block, in shared memory; instantiated for two types.
template <class T>
__global__ void row_softmax(const T* x, T* y, int columns, float scale, const T* bias) {
  extern __shared__ float row[];
  float most = -3.4e38f;
  for (int i = 0; i < columns; ++i) most = fmaxf(most, scale * static_cast<float>(x[blockIdx.x * columns + i]));
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    row[i] = expf(scale * static_cast<float>(x[blockIdx.x * columns + i]) - most);
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) sum += row[i];
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    y[blockIdx.x * columns + i] = static_cast<T>(row[i] / sum) + (bias ? bias[i] : static_cast<T>(0));
}
template __global__ void row_softmax<float>(const float*, float*, int, float, const float*);
template __global__ void row_softmax<double>(const double*, double*, int, float, const double*);

__global__ void out_of_bounds(int* p) { p[1 << 30] = 1; }
