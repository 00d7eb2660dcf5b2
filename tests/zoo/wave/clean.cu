// What looks like a fault and is none. Launched as faulty.cu is, but with two blocks and 128 floats.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void all_write_the_same(float* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (threadIdx.x % 3 == 0) found = 1;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = found;
}

__global__ void warp_tail_with_syncwarp(float* out) {
  __shared__ float part[64];
  part[threadIdx.x] = 1.0f;
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int step = 32; step > 0; step >>= 1) {
      const float more = part[threadIdx.x + step / 2 * 2 % 64];
      __syncwarp();
      part[threadIdx.x] = part[threadIdx.x] + more;
      __syncwarp();
    }
  }
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = part[0];
}

__global__ void half_a_warp_alone(float* out) {
  __shared__ float part[64];
  if (threadIdx.x % 32 < 16) {
    part[threadIdx.x] = threadIdx.x;
    __syncwarp(0x0000ffff);
    out[blockIdx.x * 64 + threadIdx.x] = part[threadIdx.x ^ 8];
  } else {
    part[threadIdx.x] = 1.0f;
    __syncwarp(0xffff0000);
    out[blockIdx.x * 64 + threadIdx.x] = part[threadIdx.x ^ 8];
  }
}

__global__ void counted_up(float* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const int place = atomicAdd(&count, 1);
  out[blockIdx.x * 64 + place] = place;
}

__global__ void some_leave_before_the_barrier(float* out) {
  if (threadIdx.x >= 40) return;
  __shared__ float tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tile[39 - threadIdx.x];
}

__device__ unsigned arrived;
__global__ void the_last_block_sums(float* out) {
  __shared__ bool last;
  out[blockIdx.x * 64 + threadIdx.x] = 1.0f;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (last) out[threadIdx.x] = out[threadIdx.x] + out[64 + threadIdx.x];
}

__device__ int lock;
__global__ void one_at_a_time(float* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0.0f;
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      sum = sum + threadIdx.x;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

__device__ volatile int flag;
__global__ void waits_for_the_other_block(float* out) {
  if (blockIdx.x == 0) {
    while (flag == 0) {
    }
    out[threadIdx.x] = 2.0f;
  } else {
    out[64 + threadIdx.x] = 1.0f;
    __syncthreads();
    if (threadIdx.x == 0) flag = 1;
  }
}

__global__ void lanes_by_twos(float* out) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  float v = out[i];
  if (threadIdx.x % 2) {
    auto odd = cg::coalesced_threads();
    v = odd.shfl(v, odd.size() - 1) + odd.thread_rank();
  }
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  out[i] = v + tile.ballot(threadIdx.x % 3 == 0) + tile.shfl_up(v, 1);
}

__global__ void bytes_of_one_word(float* out) {
  __shared__ unsigned char bytes[64];
  bytes[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = bytes[63 - threadIdx.x];
}

__global__ void heap_of_its_own(float* out) {
  int* mine = static_cast<int*>(malloc(4 * sizeof(int)));
  memset(mine, 0, 4 * sizeof(int));
  for (int i = 0; i < 4; i++) mine[i] += i * threadIdx.x;
  out[blockIdx.x * 64 + threadIdx.x] = mine[3];
  free(mine);
}

struct Padded {
  char c;
  float f;
};
__global__ void padding_is_copied(float* out) {
  __shared__ Padded all[64];
  Padded one;
  one.c = 1;
  one.f = threadIdx.x;
  all[threadIdx.x] = one;
  __syncthreads();
  const Padded other = all[63 - threadIdx.x];
  out[blockIdx.x * 64 + threadIdx.x] = other.c + other.f;
}
