// Numbers that are no SMs, and those that the device gives.
constexpr int kSmemBytes = 128, sm_version = 80, kNumSamples = 132, smooth = 64;
__global__ void k(float* x) { x[0] = 1; }
void run(float* x, int device) {
  int num_sms = 0;
  cudaDeviceGetAttribute(&num_sms, cudaDevAttrMultiProcessorCount, device);
  k<<<num_sms * 4, 256>>>(x);
}
