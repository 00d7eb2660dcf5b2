namespace cg = cooperative_groups;
extern "C" __global__ void cg_scan(const int *x, long long *out, int *calls) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const auto small = cg::tiled_partition<8>(block);
  const int t = threadIdx.x;
  long long *row = out + t * 7;
  row[0] = cg::inclusive_scan(tile, x[t]);
  row[1] = cg::exclusive_scan(tile, (long long)x[t]);
  row[2] = cg::inclusive_scan(small, x[t], cg::greater<int>());
  row[3] = cg::exclusive_scan(small, x[t], cg::plus<int>());
  cg::invoke_one(tile, [&](int step) { atomicAdd(calls, step); }, 3);
  row[4] = cg::invoke_one_broadcast(tile, [&] { return x[t] + 1; });
  if (x[t] % 3) {
    const auto active = cg::coalesced_threads();
    row[5] = cg::inclusive_scan(active, x[t]);
    row[6] = cg::exclusive_scan(active, 1);
  }
}
