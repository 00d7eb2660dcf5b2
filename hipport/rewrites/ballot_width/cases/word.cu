// expect: ballot-width ballot-width
__global__ void k(const int* x, unsigned* words, unsigned quarter) {
  words[threadIdx.x / 32] = __ballot_sync(0xffffffff, x[threadIdx.x] > 0);
  if (threadIdx.x < 8) words[0] = __popc(__ballot_sync(quarter, x[0] > 1));
}
