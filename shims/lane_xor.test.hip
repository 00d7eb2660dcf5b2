struct Sum { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
extern "C" __global__ void lane_xor(const int* x, int* out, double* sums) {
  int t = threadIdx.x, *row = out + t * 5;
  row[0] = hipport::lane_xor<1>(x[t]); row[1] = hipport::lane_xor<2>(x[t]); row[2] = hipport::lane_xor<4>(x[t]);
  row[3] = hipport::lane_xor<8>(x[t]); row[4] = hipport::lane_xor<16>(x[t]);
  sums[t] = hipport::butterfly((double)x[t], Sum());
}
extern "C" __global__ void lane_xor_masks(const int* x, int* out) {
  int t = threadIdx.x, *row = out + t * 9;
  row[0] = hipport::lane_xor<3>(x[t]); row[1] = hipport::lane_xor<5>(x[t]); row[2] = hipport::lane_xor<6>(x[t]);
  row[3] = hipport::lane_xor<7>(x[t]); row[4] = hipport::lane_xor<9>(x[t]); row[5] = hipport::lane_xor<13>(x[t]);
  row[6] = hipport::lane_xor<15>(x[t]); row[7] = hipport::lane_xor<21>(x[t]); row[8] = hipport::lane_xor<31>(x[t]);
}
// Masks and widths that are known while compiling and others, as HIP's function has them.
extern "C" __global__ void lane_xor_as_shuffle(const int* x, const int* active, int* out, int mask, int width) {
  int t = threadIdx.x, *row = out + t * 4;
  if (!active[t]) return;
  row[0] = hipport::__shfl_xor(x[t], mask, width), row[1] = __shfl_xor(x[t], mask, width);
  long long known = 0, plain = 0;
#pragma unroll
  for (int m = 1; m <= 64; m <<= 1) {
    known = known * 31 + hipport::__shfl_xor(x[t], m, 32) + hipport::__shfl_xor((long long)x[t] << 40, m - 1, 16);
    plain = plain * 31 + __shfl_xor(x[t], m, 32) + __shfl_xor((long long)x[t] << 40, m - 1, 16);
  }
  row[2] = known == plain, row[3] = (int)known;
}
