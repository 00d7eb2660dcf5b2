#include <cuda_runtime.h>
#include <cooperative_groups.h>

__global__ void relax(float* x, int n) {
  auto grid = cooperative_groups::this_grid();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) x[i] *= 0.5f;
  grid.sync();
}

void run(float* x, int n, int processors) {
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, relax, 256, 0);
  void* arguments[] = {&x, &n};
  cudaLaunchCooperativeKernel((void*)relax, dim3(blocks * processors), dim3(256), arguments, 0, 0);
}
