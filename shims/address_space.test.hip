extern "C" __global__ void address_space(const unsigned* x, unsigned* out) {
  __shared__ unsigned tile[64];
  unsigned t = threadIdx.x, own = x[t];
  tile[t] = own;
  __syncthreads();
  const unsigned where = (unsigned)hipport::cvta_generic_to_shared(tile);
  out[t] = *(unsigned*)hipport::cvta_shared_to_generic(where + 4 * (63 - t));
  out[64 + t] = hipport::isShared(tile + t) + 2 * hipport::isGlobal(x + t) + 4 * hipport::isLocal(&own) + 8 * hipport::isShared(x + t) + 16 * hipport::isGlobal(tile + t);
  out[128 + t] = *(const unsigned*)hipport::cvta_global_to_generic(hipport::cvta_generic_to_global(x + t));
}
