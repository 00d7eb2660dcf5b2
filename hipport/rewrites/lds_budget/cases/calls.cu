// expect: lds-budget lds-budget lds-budget
__global__ void k(float* x) { x[0] = 1; }
int run(float* x, CUfunction f, void** args) {
  cudaLaunchConfig_t config = {};
  config.dynamicSmemBytes = 100 * 1024;
  constexpr int bytes = 96 << 10;
  cudaLaunchKernel((void*)k, dim3(1), dim3(64), args, bytes, 0);
  cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 70000, 0, args, nullptr);
  cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 60000, 0, args, nullptr);
  return 0;
}
