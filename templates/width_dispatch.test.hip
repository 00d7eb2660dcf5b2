template <int W> __global__ void width_dispatch_kernel(int* x) { x[0] = W; }
hipError_t run(int* x, int device) {
  return hipport::dispatch_width(device, [&](auto width) { width_dispatch_kernel<width()><<<1, width()>>>(x); });
}
template __global__ void width_dispatch_kernel<32>(int*);
extern "C" __global__ void width_dispatch(int* out) { out[threadIdx.x] = hipport::wave_constant<64>()(); }
