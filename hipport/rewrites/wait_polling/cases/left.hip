// expect: wait-polling wait-polling missing-function wait-polling wait-polling wait-polling
struct State {
  int status, value;
};
__global__ void host(volatile int* flag, int* out) {  // nobody here writes it: the host may
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
  }
  out[0] = 1;
}
__global__ void cached(unsigned* flag, int* out) {
  if (threadIdx.x == 0) {
    while (hipport::ldcg(flag + blockIdx.x) == 0u) {
    }
  }
  out[0] = 1;
}
__global__ void two(volatile int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (flag[blockIdx.x] == 0 || flag[blockIdx.x + 1] == 0) {
    }
  }
  out[0] = 1;
}
__global__ void member(volatile State* state, int* out) {
  if (threadIdx.x == 0) {
    while (state[blockIdx.x].status == 0) {
    }
  }
  out[0] = 1;
}
template <class T>
__global__ void any(volatile T* flag, int* out) {
  if (threadIdx.x == 0) {
    while (flag[blockIdx.x] == T(0)) {
    }
  }
  out[0] = 1;
}
