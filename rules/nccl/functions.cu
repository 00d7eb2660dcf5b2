#include <nccl.h>

ncclResult_t sum(const float* in, float* out, size_t n, ncclComm_t comm, cudaStream_t stream) {
  return ncclAllReduce(in, out, n, ncclFloat, ncclSum, comm, stream);
}
