// expect: atomic-spin atomic-spin atomic-spin
__device__ int metadata(int* slots, int at) {
  int seen = -1;
  while (true) {
    seen = atomicCAS(slots + at, -1, -1);
    if (seen != -1) {
      break;
    }
  }
  return seen;
}
__global__ void k(int* slots, unsigned* ready, int* x) {
  x[threadIdx.x] = metadata(slots, x[threadIdx.x]);
  for (;;) {
    const unsigned now = atomicOr(&ready[blockIdx.x], 0u);
    if (now == 1u) break;
  }
  do {
  } while (atomicAdd(&ready[0], 0u) == 0u);
}
