struct Sum { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
extern "C" __global__ void lane_xor(const int* x, int* out, double* sums) {
  int t = threadIdx.x, *row = out + t * 5;
  row[0] = hipport::lane_xor<1>(x[t]); row[1] = hipport::lane_xor<2>(x[t]); row[2] = hipport::lane_xor<4>(x[t]);
  row[3] = hipport::lane_xor<8>(x[t]); row[4] = hipport::lane_xor<16>(x[t]);
  sums[t] = hipport::butterfly((double)x[t], Sum());
}
