#include <hip/hip_runtime.h>
#include <rccl/rccl.h>

ncclResult_t sum(const float* in, float* out, size_t n, ncclComm_t comm, hipStream_t stream) {
  return ncclAllReduce(in, out, n, ncclFloat, ncclSum, comm, stream);
}
