// expect: host-wave-constant host-wave-constant
#if defined(__GFX9__)
constexpr int kWave = 64;
#else
constexpr int kWave = 32;
#endif
__global__ void k(float* x) { x[threadIdx.x / kWave] = 1; }
void run(float* x, int n) {
  dim3 block(kWave, 4);
  k<<<n / (kWave * 4), block>>>(x);
}
