// offers: atomic-bins atomic-bins
// Bytes of a vector, and arrays that come in a structure.
struct Image {
  const unsigned char* pixels;
  unsigned int *bins, *tails;
  int n;
};
__global__ void quads(const uchar4* x, unsigned* bins, int n) {
  __shared__ unsigned int hipport_bins[256];
  hipport::clear_bins(hipport_bins);
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uchar4 v = x[i];
    atomicAdd(&hipport_bins[v.x], 1u);
    atomicAdd(&hipport_bins[v.y], 1u);
    atomicAdd(&hipport_bins[v.z], 1u);
    atomicAdd(&hipport_bins[v.w], 1u);
  }
  __syncthreads();
  hipport::flush_bins(hipport_bins, bins);
}
__global__ void image(Image image) {
  __shared__ unsigned int hipport_bins[256];
  hipport::clear_bins(hipport_bins);
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < image.n; i += gridDim.x * blockDim.x) {
    atomicAdd(&hipport_bins[image.pixels[i]], 1u);
  }
  __syncthreads();
  hipport::flush_bins(hipport_bins, image.bins);
}
