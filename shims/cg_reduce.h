#include <hip/hip_cooperative_groups.h>
namespace hipport {
namespace groups {
template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };
// The value of another lane, word by word: `T` may be any trivially copyable type, as in CUDA.
template <class T, class Fetch>
__device__ inline T fetched(T value, Fetch fetch) {
  int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned i = 0; i < sizeof(words) / 4; ++i) words[i] = fetch(words[i]);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
// A tile: all of its lanes are there, so a butterfly. A coalesced group: as many lanes as there are, one by one.
template <unsigned N, class P, class T, class Op>
__device__ inline T reduce(const cooperative_groups::thread_block_tile<N, P> &tile, T value, Op op) {
  for (unsigned offset = N / 2; offset > 0; offset >>= 1) 
    value = op(value, fetched(value, [&](int word) { return tile.shfl_xor(word, offset); }));
  return value;
}
template <class T, class Op>
__device__ inline T reduce(const cooperative_groups::coalesced_group &group, T value, Op op) {
  T result = fetched(value, [&](int word) { return group.shfl(word, 0); });
  for (unsigned rank = 1; rank < group.size(); ++rank)
    result = op(result, fetched(value, [&](int word) { return group.shfl(word, (int)rank); }));
  return result;
}
}  // namespace groups
}  // namespace hipport
namespace cooperative_groups {
using hipport::groups::bit_and;
using hipport::groups::bit_or;
using hipport::groups::bit_xor;
using hipport::groups::greater;
using hipport::groups::less;
using hipport::groups::plus;
using hipport::groups::reduce;
}  // namespace cooperative_groups
