// Bounded, changing the place itself, numbered blocks, a loop over slots, a single read.
__device__ int bounded(int* slots, int at) {
  int seen = -1, turns = 0;
  while (true) {
    seen = atomicCAS(slots + at, -1, -1);
    if (seen != -1) break;
    if (++turns > 10000) return -1;
  }
  return seen;
}
__device__ int bounded_on_amd(int* slots, int at) {
  int seen = -1, turns = 0;
  while (true) {
    seen = atomicCAS(slots + at, -1, -1);
    if (seen != -1) break;
#ifdef USE_ROCM
    if (++turns > 10000) return -1;
#endif
  }
  return seen;
}
__device__ int insert(int* keys, int key, int capacity) {
  int slot = key % capacity;
  while (true) {
    const int was = atomicCAS(&keys[slot], -1, key);
    if (was == -1 || was == key) break;
    slot = (slot + 1) % capacity;
  }
  return slot;
}
__global__ void scan(int* flags, int* next, int* x) {
  __shared__ int block;
  if (threadIdx.x == 0) {
    block = atomicAdd(next, 1);
    while (block > 0 && atomicAdd(&flags[block - 1], 0) == 0) {
    }
  }
  __syncthreads();
  x[threadIdx.x] = block + atomicOr(flags, 0);
}
__device__ void largest(float* p, float v) {
  int old = __float_as_int(*p), seen;
  do {
    seen = old;
    old = atomicCAS((int*)p, seen, __float_as_int(v > __int_as_float(seen) ? v : __int_as_float(seen)));
  } while (seen != old);
}
