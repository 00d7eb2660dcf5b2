namespace hipport {
// The dynamic LDS that a block of `kernel` may ask for, at most `wanted`: AMD has no opt-in that lifts the limit.
template <class Kernel>
inline int lds_fit(Kernel kernel, size_t wanted) {
  int device = 0, most = 0;
  hipFuncAttributes made{};
  if (hipGetDevice(&device) != hipSuccess ||
      hipDeviceGetAttribute(&most, hipDeviceAttributeMaxSharedMemoryPerBlock, device) != hipSuccess ||
      hipFuncGetAttributes(&made, reinterpret_cast<const void*>(kernel)) != hipSuccess) {
    return static_cast<int>(wanted);
  }
  const size_t left = static_cast<size_t>(most) > made.sharedSizeBytes ? most - made.sharedSizeBytes : 0;
  return static_cast<int>(wanted < left ? wanted : left);
}
}  // namespace hipport
