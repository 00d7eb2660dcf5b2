// offers: atomic-bins atomic-bins
// Bytes of a vector, and arrays that come in a structure.
struct Image {
  const unsigned char* pixels;
  unsigned int *bins, *tails;
  int n;
};
__global__ void quads(const uchar4* x, unsigned* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uchar4 v = x[i];
    atomicAdd(&bins[v.x], 1u);
    atomicAdd(&bins[v.y], 1u);
    atomicAdd(bins + v.z, 1u);
    atomicAdd(&bins[v.w], 1u);
  }
}
__global__ void image(Image image) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < image.n; i += gridDim.x * blockDim.x) {
    atomicAdd(&image.bins[image.pixels[i]], 1u);
  }
}
