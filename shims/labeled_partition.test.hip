namespace cg = cooperative_groups;
extern "C" __global__ void labeled_partition(const int* x, int* out) {
  int t = threadIdx.x, *row = out + t * 4;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto same = hipport::labeled_partition(tile, x[t] % 5);
  row[0] = same.size();
  row[1] = same.thread_rank();
  row[2] = same.shfl(t, 0);
  if (t % 3 == 0) row[3] = hipport::labeled_partition(cg::coalesced_threads(), x[t] % 2).size();
}
