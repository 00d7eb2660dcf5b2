// Faults that only a look at all threads finds. Each kernel is launched with one block of 64 threads, 256 bytes of dynamic
// shared memory, and an array of 64 floats; `// fault: KIND` marks the lines that may be blamed.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void barrier_forgotten(float* out) {
  __shared__ float tile[64];
  tile[threadIdx.x] = threadIdx.x;  // fault: race
  out[threadIdx.x] = tile[63 - threadIdx.x];  // fault: race
}

__global__ void two_write_one_word(float* out) {
  __shared__ int winner;
  if (threadIdx.x % 40 == 0) winner = threadIdx.x;  // fault: race
  __syncthreads();
  out[threadIdx.x] = winner;
}

__global__ void neighbours_in_global_memory(float* out) {
  out[threadIdx.x] = threadIdx.x;  // fault: race
  if (threadIdx.x > 0) out[threadIdx.x] += out[threadIdx.x - 1];  // fault: race
}

__global__ void warp_tail_without_syncwarp(float* out) {
  __shared__ volatile float part[64];
  part[threadIdx.x] = 1.0f;
  __syncthreads();
  if (threadIdx.x < 32) {
    part[threadIdx.x] = part[threadIdx.x] + part[threadIdx.x + 32];  // fault: race
    part[threadIdx.x] = part[threadIdx.x] + part[threadIdx.x + 16];  // fault: race
  }
  __syncthreads();
  out[threadIdx.x] = part[0];
}

__global__ void plain_beside_atomic(float* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 5;
  atomicAdd(&count, 1);  // fault: race
  __syncthreads();
  out[threadIdx.x] = count;
}

__global__ void shuffle_from_a_lane_that_left(float* out) {
  if (threadIdx.x % 32 >= 20) return;
  out[threadIdx.x] = __shfl_down_sync(0xffffffff, out[threadIdx.x], 16);  // fault: lane
}

__global__ void shuffle_from_a_lane_elsewhere(float* out) {
  float v = out[threadIdx.x];
  if (threadIdx.x % 32 < 8) v = __shfl_sync(0xff, v, 9);  // fault: lane
  out[threadIdx.x] = v;
}

__global__ void mask_without_the_caller(float* out) {
  out[threadIdx.x] = __any_sync(0x0000ffff, threadIdx.x == 3);  // fault: mask
}

__global__ void mask_waits_for_a_lane_at_a_barrier(float* out) {
  if (threadIdx.x % 32 == 7) __syncthreads();
  __syncwarp();  // fault: deadlock
  out[threadIdx.x] = 1.0f;
}

__global__ void barriers_in_both_branches(float* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = 1.0f;
    __syncthreads();  // fault: barrier
  } else {
    __syncthreads();  // fault: barrier
  }
}

__global__ void grid_barrier_in_a_plain_launch(float* out) {
  cooperative_groups::this_grid().sync();  // fault: barrier
  out[threadIdx.x] = 1.0f;
}

__global__ void past_one_array_into_the_next(float* out) {
  __shared__ float first[64];
  __shared__ float second[64];
  first[threadIdx.x] = 1.0f;
  second[threadIdx.x] = 2.0f;
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x + 1] + second[threadIdx.x];  // fault: lds_bounds
}

__global__ void past_dynamic_shared_memory(float* out) {
  extern __shared__ float dynamic[];
  dynamic[threadIdx.x + 8] = 1.0f;  // fault: lds_bounds
  __syncthreads();
  out[threadIdx.x] = dynamic[threadIdx.x];
}

__global__ void past_the_array(float* out) {
  out[threadIdx.x + 1] = 1.0f;  // fault: global_bounds
}

__device__ float table[8];
__global__ void past_a_variable(float* out) {
  out[threadIdx.x] = table[threadIdx.x];  // fault: global_bounds
}

__global__ void past_the_heap_block(float* out) {
  int* mine = new int[4];
  for (int i = 0; i < 4; i++) mine[i] = i;
  out[threadIdx.x] = mine[threadIdx.x];  // fault: global_bounds
  delete[] mine;
}

__global__ void unwritten_shared_memory(float* out) {
  __shared__ float tile[64];
  if (threadIdx.x < 63) tile[threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + 1.0f;  // fault: uninitialised
}

__global__ void divided_by_zero(float* out) {
  const int by = static_cast<int>(out[threadIdx.x]) - static_cast<int>(threadIdx.x);
  out[threadIdx.x] = 64 / by;  // fault: trap
}

template <class T>
__device__ T tree(T v) {
  for (int step = 16; step > 0; step >>= 1) v += __shfl_xor_sync(0x00ff00ff, v, step);  // fault: mask
  return v;
}
__global__ void in_a_called_function(float* out) { out[threadIdx.x] = tree(out[threadIdx.x]); }
