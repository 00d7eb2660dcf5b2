// expect: ballot-width ballot-width
__global__ void k(const int* x, unsigned* words, unsigned quarter) {
  words[threadIdx.x / 32] = (unsigned)(__ballot(x[threadIdx.x] > 0) >> (__lane_id() & 32));
  if (threadIdx.x < 8) words[0] = __popc(((unsigned)(__ballot(x[0] > 1) >> (__lane_id() & 32)) & (quarter)));
}
