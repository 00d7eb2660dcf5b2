// left: nvtxEventAttributes_t nvtxRangePushEx
#include <hip/hip_runtime.h>
#include <roctracer/roctx.h>

void work(const nvtxEventAttributes_t* attributes) {
  roctxRangePushA("work");
  roctxRangePop();
  nvtxRangePushEx(attributes);
}
