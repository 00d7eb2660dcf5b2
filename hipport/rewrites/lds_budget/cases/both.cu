// expect: lds-budget
#define ROWS 64
struct Node { int a; };
__device__ float stage(float v) {
  __shared__ double part[ROWS][32], more[128];
  part[0][threadIdx.x % 32] = v;
  more[0] = v;
  return part[0][0];
}
__global__ void k(float* x) {
  extern __shared__ __align__(16) unsigned char raw[];
  raw[threadIdx.x] = 1;
  x[0] = stage(x[0]);
}
void run(float* x) { k<<<1, 64, 48 * 1024>>>(x); }
void fits(float* x) { k<<<1, 64, 47 * 1024>>>(x); }
