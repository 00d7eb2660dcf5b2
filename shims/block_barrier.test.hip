struct CountPhases {
  int *phases;
  __device__ void operator()() { *phases += 1; }
};
extern "C" __global__ void block_barrier(const int *x, int *out, int *phases, int turns, int few) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier all;
  __shared__ cuda::barrier<cuda::thread_scope_block, CountPhases> counted;
  __shared__ int tile[1024];
  const int t = threadIdx.x, n = blockDim.x;
  if (t == 0) {
    init(&all, n);
    init(&counted, n, CountPhases{phases + blockIdx.x});
  }
  __syncthreads();
  int value = x[blockIdx.x * n + t];
  for (int k = 0; k < turns; ++k) {
    tile[t] = value;
    barrier::arrival_token token = all.arrive();
    value += k;
    all.wait(static_cast<barrier::arrival_token &&>(token));
    value += tile[(t + 1) % n];
    counted.arrive_and_wait();
  }
  // waves drop out one after the other; the rest still meet
  if (t >= few) {
    all.arrive_and_drop();
    out[blockIdx.x * n + t] = value;
    return;
  }
  tile[t] = value;
  const bool first = !(turns & 1);
  all.arrive();
  all.wait_parity(!first);
  tile[t] += 1;
  all.arrive_and_wait();
  out[blockIdx.x * n + t] = tile[(t + 1) % few];
}
