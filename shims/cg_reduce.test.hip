namespace cg = cooperative_groups;
struct Pair { float value; short at; };
struct Larger { __device__ Pair operator()(Pair a, Pair b) const { return b.value > a.value ? b : a; } };
template <unsigned N> __device__ int tile_sum(int v) { return cg::reduce(cg::tiled_partition<N>(cg::this_thread_block()), v, cg::plus<int>()); }
extern "C" __global__ void cg_reduce(const int* x, int* out) {
  int t = threadIdx.x, *row = out + t * 8;
  row[0] = tile_sum<1>(x[t]); row[1] = tile_sum<2>(x[t]); row[2] = tile_sum<8>(x[t]); row[3] = tile_sum<32>(x[t]);
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  row[4] = cg::reduce(tile, x[t], cg::greater<int>());
  row[5] = cg::reduce(tile, Pair{(float)x[t], (short)t}, Larger()).at;
  if (x[t] & 1) row[6] = cg::reduce(cg::coalesced_threads(), x[t], cg::less<int>());
  row[7] = (int)cg::reduce(tile, (unsigned)x[t], cg::bit_xor<unsigned>());
}
