// expect: cooperative-launch cooperative-launch
#include <cuda_runtime.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void relax(float* x, int n, int turns) {
  cg::grid_group grid = cg::this_grid();
  for (int t = 0; t < turns; ++t) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) x[i] *= 0.5f;
    grid.sync();
  }
}

void run(float* x, int n, int turns) {
  void* arguments[] = {&x, &n, &turns};
  cudaLaunchCooperativeKernel((void*)relax, dim3((n + 255) / 256), dim3(256), arguments, 0, 0);
}

void run_everywhere(cudaLaunchParams* list, int devices) { cudaLaunchCooperativeKernelMultiDevice(list, devices, 0); }
