#if defined(HIP_VERSION_MAJOR) && HIP_VERSION_MAJOR < 7
// Orders the memory accesses of a wave's lanes, as ROCm 7's own does. An empty function would let the compiler move them.
__device__ inline void __syncwarp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
#endif
