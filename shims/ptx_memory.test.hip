extern "C" __global__ void ptx_memory(const unsigned* x, unsigned* out, unsigned* counters) {
  __shared__ unsigned tile[64];
  unsigned t = threadIdx.x;
  *hipport::shared_pointer<unsigned>(hipport::shared_address(tile + t)) = x[t];
  __syncthreads();
  hipport::store_release<4, __HIP_MEMORY_SCOPE_AGENT>(out + t * 8, hipport::load_acquire<4, __HIP_MEMORY_SCOPE_SYSTEM>(x + (t & ~3u)));
  hipport::store_streaming<2>(out + t * 8 + 4, hipport::load_streaming<2>(x + (t & ~1u)));
  out[t * 8 + 6] = tile[63 - t];
  out[t * 8 + 7] = hipport::atomic_inc<__ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT>(counters, 1000u);
  hipport::atomic_dec<__ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT>(counters + 1, 6u);
}
