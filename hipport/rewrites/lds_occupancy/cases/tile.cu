// offers: lds-occupancy lds-occupancy
__global__ void tiles(float* x) {
  __shared__ float tile[8192];
  tile[threadIdx.x] = x[0];
  x[1] = tile[0];
}
__global__ void more(float* x) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[0];
  x[1] = s[0];
}
void run(float* x) {
  tiles<<<64, 128>>>(x);
  more<<<64, 128, 22016>>>(x);
}
