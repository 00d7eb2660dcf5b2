// expect: barrier-divergence
__global__ void votes(const int* x, int* y, int* z, int n, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool hipport_active = !(i >= n);
  { const auto hipport_met = __syncthreads_count(hipport_active && (x[i] > 2)); if (hipport_active) y[i] = hipport_met; }
  if (!__syncthreads_and(!hipport_active || (x[i] < most))) {
    if (hipport_active) z[i] = 1;
    __syncthreads();
  if (hipport_active) {
    z[i] += 2;
  }
  } else {
    
  if (hipport_active) {z[i] = 2;
  }
  }
  int k = 3;
  {
  const bool hipport_active2 = hipport_active && (i % 3 == 0);
    { const auto hipport_met = __syncthreads_or(hipport_active2 && (x[i] == most)) != 0; if (hipport_active2) k += hipport_met; }
  if (hipport_active2) {
    y[i] += k;
  }
  }
  int top = 0;
  {
  bool hipport_active3 = hipport_active;
  for (int j = 0;; hipport_active3 ? (void)(++j) : (void)0) {
  hipport_active3 = hipport_active3 && (j < 2);
  if (!__syncthreads_or(hipport_active3)) break;
    if (__syncthreads_count(hipport_active3 && (x[i] > j)) == 0) if (hipport_active3) hipport_active3 = false;
  if (hipport_active3) {
    top = j;
  }
  }
  }
  if (!hipport_active) return;
  z[i] += 8 * top;
}
