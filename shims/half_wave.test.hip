// 128 threads, of which those with x[t] < 0 take no part; `mask` names lanes of each 32.
extern "C" __global__ void half_wave(const int* x, unsigned* out, unsigned mask) {
  unsigned t = threadIdx.x;
  unsigned* row = out + t * 12;
  row[0] = hipport::lane();
  row[1] = hipport::lanemask_lt();
  row[2] = hipport::lanemask_ge();
  row[3] = hipport::lanemask_le() ^ hipport::lanemask_gt() ^ hipport::lanemask_eq();
  if (x[t] >= 0 && (mask >> (t & 31) & 1)) {
    row[4] = hipport::activemask();
    row[5] = hipport::ballot(mask, x[t] & 1);
    row[6] = hipport::any(mask, x[t] > 90);
    row[7] = hipport::all(mask, x[t] > 3);
    row[8] = hipport::match_any(mask, x[t] % 5);
    int same = -1;
    row[9] = hipport::match_all(mask, x[t] / 64, &same);
    row[10] = (unsigned)same;
  }
}
