#include <hip/hip_runtime.h>
int main() {
  for (volatile int busy = 1; busy;) {
  }
}
