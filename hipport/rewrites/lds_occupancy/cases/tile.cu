// offers: lds-occupancy lds-occupancy lds-occupancy lds-occupancy
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
struct Cell { double at[3]; int id; };
template <class T, int N = 1024> __global__ void of(T* x) {
  __shared__ T cells[N];
  __shared__ char flag[N / 2];
  cells[threadIdx.x] = x[0];
  flag[threadIdx.x] = 1;
  x[1] = cells[flag[0]];
}
void run(float* x, Cell* c) {
  tiles<<<64, 128>>>(x);
  more<<<64, 128, 22016>>>(x);
  of<<<64, 128>>>(c);
  of<double, 4096><<<64, 128>>>((double*)x);
}
