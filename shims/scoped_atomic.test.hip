struct Halves { short low, high; };
extern "C" __global__ void scoped_atomic(const int* x, int* out, float* real, unsigned long long* wide, unsigned short* small) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> part;
  __shared__ int* top;
  const int t = threadIdx.x, v = x[blockIdx.x * blockDim.x + t];
  if (t == 0) { part.store(0, cuda::memory_order_relaxed); top = out; }
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(out[0]), least(out[1]), most(out[2]), bits(out[3]), odd(out[4]);
  sum.fetch_add(v, cuda::std::memory_order_relaxed);
  least.fetch_min(v, cuda::memory_order::relaxed);
  most.fetch_max(v);
  bits |= 1 << (v & 7);
  odd ^= v;
  part++;
  ++part;
  part -= 1;
  cuda::atomic_ref<float, cuda::thread_scope_block> held(real[blockIdx.x]);
  held.fetch_add(0.5f * v, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned long long> far(wide[0]);
  far.fetch_sub(1);
  cuda::std::atomic_ref<unsigned short> narrow(small[1]);
  narrow.fetch_add(1);
  cuda::atomic_ref<double, cuda::thread_scope_device> slot(*reinterpret_cast<double*>(wide + 1));
  double seen = slot.load();
  while (!slot.compare_exchange_weak(seen, seen + v, cuda::memory_order_acq_rel)) {}
  cuda::atomic_ref<Halves, cuda::thread_scope_device> both(*reinterpret_cast<Halves*>(out + 5));
  Halves old = both.load(cuda::memory_order_acquire), next;
  do { next.low = old.low + 1; next.high = old.high - 1; } while (!both.compare_exchange_strong(old, next));
  cuda::atomic_ref<int*, cuda::thread_scope_block>(top).fetch_add(1);
  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
  __syncthreads();
  if (t == 0) {
    out[6 + 3 * blockIdx.x] = part;
    out[7 + 3 * blockIdx.x] = (int)(top - out);
    out[8 + 3 * blockIdx.x] = cuda::atomic_ref<int, cuda::thread_scope_device>(out[8 + 3 * blockIdx.x]).exchange(9);
  }
}
inline int on_the_host(int n) {
  cuda::atomic<int> count(n);
  cuda::std::atomic<float> real{1.5f};
  int expected = n;
  count.compare_exchange_strong(expected, 4);
  count = count + 1;
  real.store(real.load() + count.exchange(2));
  return count.fetch_or(1) + (int)real;
}
