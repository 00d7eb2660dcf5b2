// offers: system-fence
__global__ void alone(float* y, unsigned* done, int n) {
  y[blockIdx.x] = n;
  __threadfence_system();
  if (threadIdx.x == 0) atomicAdd(done, 1u);
  __threadfence_system();
}
