// expect: cub-warp-width cub-warp-width
// wave32: unchanged
namespace cub { template <class T, int W = 32> struct WarpReduce { struct TempStorage {}; }; template <class T, int W = 32> struct WarpScan {}; }
template <class T> __global__ void k(T* x) {
  using Reduce = cub::WarpReduce<T, 32>;
  using Scan = cub::WarpScan<unsigned /* the key */, 32>;
  using Given = cub::WarpReduce<T, 16>;
  __shared__ typename Reduce::TempStorage storage;
}
