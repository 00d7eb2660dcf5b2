// Stores, early ends, constant bounds, plain loads, shuffles, pragmas of one's own, atomics, inner loops, turns that wait
// for each other, strides (the number of turns is not known when they start), volatile reads, maxima.
__device__ float other(float);
template <int N>
__global__ void k(const int* index, const float* x, float* y, const int* begin, int n) {
  float sum = 0, bits[4] = {0, 0, 0, 0};
  __shared__ float s[64];
  for (int i = begin[0]; i < n; ++i) y[i] = x[index[i]];
  for (int i = begin[0]; i < n; ++i) {
    if (index[i] < 0) break;
    sum += x[index[i]];
  }
  for (int i = 0; i < 8; ++i) sum += x[index[i]];
  for (int i = 0; i < N; ++i) sum += x[index[i]];
  for (int i = begin[0]; i < n; ++i) sum += x[i];
  for (int i = begin[0]; i < n; ++i) sum += other(x[index[i]]);
  for (int i = begin[0]; i < n; ++i) atomicExch(&y[index[i]], x[i]);
#pragma unroll 2
  for (int i = begin[0]; i < n; ++i) sum += x[index[i]];
  for (int i = begin[0]; i < n; ++i) {
    sum += x[index[i]];
    s[i % 64] = sum;
  }
  for (int i = begin[0]; i < n; ++i)
    for (int j = 0; j < 4; ++j) bits[j] += s[j];
  for (int i = begin[0]; i < n; ++i) sum = x[index[i]];
  if (n > 3)
    for (int i = begin[0]; i < n; ++i) sum += x[index[i]];
  int at = n;
  for (int i = begin[0]; i < n; ++i) {
    at = index[at];
    sum += x[at];
  }
  for (int i = begin[0]; i < n; i += 32) sum += x[index[i]];
  const volatile int* own = index;
  for (int i = begin[0]; i < n; ++i) sum += x[own[i]];
  for (int i = begin[0]; i < n; ++i) sum = fmaxf(sum, x[index[i]]);
  for (int i = begin[0]; i < n; ++i)
    for (int j = 0; j < n; ++j) sum += x[index[i] + j];
  int i = begin[0];
  while (i < n) {
    if (x[i] > 0) ++i;
    sum += x[index[i]];
    i += index[i] > 3;
  }
  while (i < 8) sum += x[index[i++]];
  y[n] = sum + bits[threadIdx.x % 4];
}
template __global__ void k<3>(const int*, const float*, float*, const int*, int);
