extern "C" __global__ void reduce_sync(const int* x, int* out, unsigned mask) {
  unsigned t = threadIdx.x;
  int* row = out + t * 6;
  if (x[t] > -100 && (mask >> (t & 31) & 1)) {
    row[0] = hipport::reduce_add(mask, x[t]);
    row[1] = hipport::reduce_min(mask, x[t]);
    row[2] = hipport::reduce_max(mask, x[t]);
    row[3] = (int)hipport::reduce_and(mask, (unsigned)x[t]);
    row[4] = (int)hipport::reduce_or(mask, (unsigned)x[t]);
    row[5] = (int)hipport::reduce_xor(mask, (unsigned)x[t]);
  }
}
