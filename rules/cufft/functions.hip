#include <hip/hip_runtime.h>
#include <hipfft/hipfft.h>

void transform(hipfftComplex* data, int n, hipStream_t stream) {
  hipfftHandle plan;
  if (hipfftPlan1d(&plan, n, HIPFFT_C2C, 1) != HIPFFT_SUCCESS) return;
  hipfftSetStream(plan, stream);
  hipfftExecC2C(plan, data, data, HIPFFT_FORWARD);
  hipfftExecC2C(plan, data, data, HIPFFT_BACKWARD);
  hipfftDestroy(plan);
}
