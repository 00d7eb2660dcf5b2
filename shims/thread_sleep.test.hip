extern "C" __global__ void thread_sleep(const unsigned* x, unsigned* out) {
  hipport::nanosleep(x[threadIdx.x] % 3000u);
  out[threadIdx.x] = 1;
}
