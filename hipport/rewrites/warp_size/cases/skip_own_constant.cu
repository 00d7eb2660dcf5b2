const int warpSize_ = 32;
template <int warpSize> __device__ int own(int v) { return threadIdx.x % warpSize + v; }
__global__ void k(int* x) { x[0] = own<32>(x[1]); }
