#include <hip/hip_runtime.h>
#include <hip/hip_complex.h>

__device__ hipDoubleComplex square(hipDoubleComplex z) { return hipCmul(z, z); }
__device__ float length(hipComplex z) { return hipCabsf(make_hipComplex(hipCrealf(z), hipCimagf(z))); }
