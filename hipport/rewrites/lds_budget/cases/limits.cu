// expect: lds-budget lds-budget lds-budget
// offers: lds-budget
__global__ void k(float* x) { x[0] = 1; }
#ifdef USE_ROCM
constexpr int kMaxSharedMemory = 64 * 1024;
#endif
constexpr int kHopperSmem = 227 * 1024, kSmemAmpere = (163 << 10);
bool fits(int smem) { return smem <= 48 * 1024; }
