#include <cuComplex.h>

__device__ cuDoubleComplex square(cuDoubleComplex z) { return cuCmul(z, z); }
__device__ float length(cuComplex z) { return cuCabsf(make_cuComplex(cuCrealf(z), cuCimagf(z))); }
