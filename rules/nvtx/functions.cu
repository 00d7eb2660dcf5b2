// left: nvtxEventAttributes_t nvtxRangePushEx
#include <nvToolsExt.h>

void work(const nvtxEventAttributes_t* attributes) {
  nvtxRangePushA("work");
  nvtxRangePop();
  nvtxRangePushEx(attributes);
}
