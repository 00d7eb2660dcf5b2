extern "C" __global__ void bfloat_functions(const unsigned* x, unsigned* out) {
  unsigned t = threadIdx.x, *row = out + t * 12;
  __hip_bfloat162* pair = (__hip_bfloat162*)row;
  const __hip_bfloat162* pairs = (const __hip_bfloat162*)x;
  const __hip_bfloat162 a = __ldg(pairs + t), b = __ldg(pairs + t + 64), c = pairs[t + 128];
  pair[0] = hipport::hmax2_nan(a, b);
  pair[1] = hipport::both(__hmin_nan(__low2bfloat16(a), __low2bfloat16(b)), __hmax(__low2bfloat16(a), __low2bfloat16(a)));
  pair[2] = hipport::hfma2_relu(a, b, c);
  row[3] = hipport::heq2_mask(a, b);
  row[4] = hipport::hltu2_mask(a, b);
  pair[5] = hipport::hadd2_sat(a, b);
  pair[6] = hipport::hfma2_sat(a, b, c);
  pair[7] = __hltu2(a, b);
  pair[8] = hipport::h2tanh(a);
  row[10] = hipport::hne2_mask(a, b) + hipport::hbne2(a, b);
  row[11] = hipport::hbltu2(a, b);
  pair[9] = hipport::hmax2(a, b);
}
