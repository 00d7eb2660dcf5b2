// Cooperative groups: blocks, grids, tiles, and the lanes that run together.
#ifndef HIPPORT_WAVE_COOPERATIVE_GROUPS_H
#define HIPPORT_WAVE_COOPERATIVE_GROUPS_H

#include "hipport/device.h"
#include "hipport/host.h"

namespace cooperative_groups {

namespace details {
using ::hipport_wave::Site;
typedef unsigned long long Mask;
HIPPORT_INLINE Mask lanes_below(unsigned n) { return n >= 64 ? ~0ull : (1ull << n) - 1; }
HIPPORT_INLINE unsigned rank_in(Mask mask) { return (unsigned)__builtin_popcountll(mask & lanes_below(::hipport_wave::lane_number())); }
// The lane whose rank in the mask is `rank`.
HIPPORT_INLINE int nth(Mask mask, unsigned rank) {
  for (; rank > 0 && mask; rank--) mask &= mask - 1;
  return mask ? __builtin_ctzll(mask) : -1;
}
// A mask's bits pushed together, in order.
HIPPORT_INLINE Mask packed(Mask bits, Mask mask) {
  Mask out = 0;
  for (unsigned i = 0; mask; i++, mask &= mask - 1)
    if (bits & mask & -mask) out |= 1ull << i;
  return out;
}
HIPPORT_INLINE unsigned thread_number() {
  const uint3 t = threadIdx;
  const dim3 b = blockDim;
  return (t.z * b.y + t.y) * b.x + t.x;
}
HIPPORT_INLINE unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
HIPPORT_INLINE Mask living_lanes() {
  const unsigned first = thread_number() / HIPPORT_WAVE_SIZE * HIPPORT_WAVE_SIZE, all = threads_of_block();
  return lanes_below(all - first < HIPPORT_WAVE_SIZE ? all - first : HIPPORT_WAVE_SIZE);
}
}  // namespace details

class thread_block {
 public:
  HIPPORT_INLINE void sync(HIPPORT_SITE) const { ::hipport_wave::barrier(::hipport_wave::BARRIER, 0, HIPPORT_HERE); }
  HIPPORT_INLINE static unsigned thread_rank() { return details::thread_number(); }
  HIPPORT_INLINE static unsigned size() { return details::threads_of_block(); }
  HIPPORT_INLINE static unsigned num_threads() { return size(); }
  HIPPORT_INLINE static dim3 group_index() { return dim3(blockIdx); }
  HIPPORT_INLINE static dim3 thread_index() { return dim3(threadIdx); }
  HIPPORT_INLINE static dim3 group_dim() { return blockDim; }
  HIPPORT_INLINE static dim3 dim_threads() { return blockDim; }
  HIPPORT_INLINE static bool is_valid() { return true; }
};
HIPPORT_INLINE thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  HIPPORT_INLINE void sync(HIPPORT_SITE) const { ::hipport_wave::grid_barrier(HIPPORT_HERE); }
  HIPPORT_INLINE static bool is_valid() { return true; }
  HIPPORT_INLINE static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  HIPPORT_INLINE static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  HIPPORT_INLINE static unsigned long long size() { return num_blocks() * details::threads_of_block(); }
  HIPPORT_INLINE static unsigned long long num_threads() { return size(); }
  HIPPORT_INLINE static unsigned long long thread_rank() { return block_rank() * details::threads_of_block() + details::thread_number(); }
  HIPPORT_INLINE static dim3 dim_blocks() { return gridDim; }
  HIPPORT_INLINE static dim3 group_dim() { return gridDim; }
};
HIPPORT_INLINE grid_group this_grid() { return {}; }

// Lanes of one wave: what tiles, coalesced and partitioned groups have in common.
class lane_group {
 protected:
  details::Mask lanes_;
  unsigned width_;  // a power of two where the lanes are neighbours, else 0

 public:
  HIPPORT_INLINE lane_group(details::Mask lanes, unsigned width) : lanes_(lanes), width_(width) {}
  HIPPORT_INLINE details::Mask lanes() const { return lanes_; }
  HIPPORT_INLINE unsigned thread_rank() const { return width_ ? ::hipport_wave::lane_number() & (width_ - 1) : details::rank_in(lanes_); }
  HIPPORT_INLINE unsigned size() const { return width_ ? width_ : (unsigned)__builtin_popcountll(lanes_); }
  HIPPORT_INLINE unsigned num_threads() const { return size(); }
  HIPPORT_INLINE bool is_valid() const { return true; }
  HIPPORT_INLINE void sync(HIPPORT_SITE) const {
    ::hipport_wave::collective(::hipport_wave::SYNC, lanes_, nullptr, nullptr, 0, 0, 0, HIPPORT_HERE);
  }
  template <class T>
  HIPPORT_INLINE T shfl(T value, int rank, HIPPORT_SITE) const {
    const int from = width_ ? rank : details::nth(lanes_, (unsigned)rank % size());
    return ::hipport_wave::exchange(::hipport_wave::SHUFFLE, lanes_, value, from, width_ ? width_ : HIPPORT_WAVE_SIZE, HIPPORT_HERE);
  }
  template <class T>
  HIPPORT_INLINE T shfl_down(T value, unsigned delta, HIPPORT_SITE) const {
    if (width_) return ::hipport_wave::exchange(::hipport_wave::SHUFFLE_DOWN, lanes_, value, (int)delta, width_, HIPPORT_HERE);
    const unsigned to = thread_rank() + delta;
    return shfl(value, to < size() ? to : thread_rank(), hipport_file, hipport_line);
  }
  template <class T>
  HIPPORT_INLINE T shfl_up(T value, unsigned delta, HIPPORT_SITE) const {
    if (width_) return ::hipport_wave::exchange(::hipport_wave::SHUFFLE_UP, lanes_, value, (int)delta, width_, HIPPORT_HERE);
    return shfl(value, thread_rank() >= delta ? thread_rank() - delta : thread_rank(), hipport_file, hipport_line);
  }
  template <class T>
  HIPPORT_INLINE T shfl_xor(T value, unsigned mask, HIPPORT_SITE) const {
    if (width_) return ::hipport_wave::exchange(::hipport_wave::SHUFFLE_XOR, lanes_, value, (int)mask, width_, HIPPORT_HERE);
    const unsigned to = thread_rank() ^ mask;
    return shfl(value, to < size() ? to : thread_rank(), hipport_file, hipport_line);
  }
  HIPPORT_INLINE int any(int p, HIPPORT_SITE) const { return ::hipport_wave::vote(lanes_, p, HIPPORT_HERE) != 0; }
  HIPPORT_INLINE int all(int p, HIPPORT_SITE) const { return ::hipport_wave::vote(lanes_, !p, HIPPORT_HERE) == 0; }
  HIPPORT_INLINE hipport_lanes ballot(int p, HIPPORT_SITE) const {
    return (hipport_lanes)details::packed(::hipport_wave::vote(lanes_, p, HIPPORT_HERE), lanes_);
  }
  template <class T>
  HIPPORT_INLINE hipport_lanes match_any(T value, HIPPORT_SITE) const {
    const details::Mask same = ::hipport_wave::collective(::hipport_wave::MATCH_ANY, lanes_, &value, nullptr, sizeof value, 0, 0, HIPPORT_HERE);
    return (hipport_lanes)details::packed(same, lanes_);
  }
  template <class T>
  HIPPORT_INLINE hipport_lanes match_all(T value, int &all, HIPPORT_SITE) const {
    const details::Mask same = ::hipport_wave::collective(::hipport_wave::MATCH_ALL, lanes_, &value, nullptr, sizeof value, 0, 0, HIPPORT_HERE);
    all = same != 0;
    return (hipport_lanes)details::packed(same, lanes_);
  }
};

class coalesced_group : public lane_group {
 public:
  HIPPORT_INLINE explicit coalesced_group(details::Mask lanes) : lane_group(lanes, 0) {}
  HIPPORT_INLINE unsigned long long meta_group_size() const { return 1; }
  HIPPORT_INLINE unsigned meta_group_rank() const { return 0; }
};
HIPPORT_INLINE coalesced_group coalesced_threads(HIPPORT_SITE) { return coalesced_group(::hipport_wave::lanes_here(HIPPORT_HERE)); }

template <unsigned N, class Parent = void>
class thread_block_tile : public lane_group {
  static_assert(N <= HIPPORT_WAVE_SIZE && (N & (N - 1)) == 0, "the wave executor has tiles of up to one wave");
  HIPPORT_INLINE static details::Mask own() { return details::lanes_below(N) << (::hipport_wave::lane_number() & ~(N - 1)); }

 public:
  HIPPORT_INLINE thread_block_tile() : lane_group(own(), N) {}
  template <class Other> HIPPORT_INLINE thread_block_tile(const thread_block_tile<N, Other> &) : lane_group(own(), N) {}
  HIPPORT_INLINE static constexpr unsigned size() { return N; }
  HIPPORT_INLINE static constexpr unsigned num_threads() { return N; }
  HIPPORT_INLINE static unsigned meta_group_rank() { return details::thread_number() / N; }
  HIPPORT_INLINE static unsigned meta_group_size() { return (details::threads_of_block() + N - 1) / N; }
};
template <unsigned N, class Parent>
HIPPORT_INLINE thread_block_tile<N, Parent> tiled_partition(const Parent &) {
  return {};
}

// Any group, its kind known at run time.
class thread_group {
  int kind_;  // 0 block, 1 grid, 2 lanes
  lane_group lanes_;

 public:
  HIPPORT_INLINE thread_group(const thread_block &) : kind_(0), lanes_(0, 0) {}
  HIPPORT_INLINE thread_group(const grid_group &) : kind_(1), lanes_(0, 0) {}
  HIPPORT_INLINE thread_group(const lane_group &g) : kind_(2), lanes_(g) {}
  HIPPORT_INLINE unsigned long long size() const {
    return kind_ == 0 ? thread_block::size() : kind_ == 1 ? grid_group::size() : lanes_.size();
  }
  HIPPORT_INLINE unsigned long long num_threads() const { return size(); }
  HIPPORT_INLINE unsigned long long thread_rank() const {
    return kind_ == 0 ? thread_block::thread_rank() : kind_ == 1 ? grid_group::thread_rank() : lanes_.thread_rank();
  }
  HIPPORT_INLINE bool is_valid() const { return true; }
  HIPPORT_INLINE void sync(HIPPORT_SITE) const {
    if (kind_ == 0) thread_block().sync(hipport_file, hipport_line);
    else if (kind_ == 1) grid_group().sync(hipport_file, hipport_line);
    else lanes_.sync(hipport_file, hipport_line);
  }
};
HIPPORT_INLINE thread_group tiled_partition(const thread_group &, unsigned n) {
  return lane_group(details::lanes_below(n) << (::hipport_wave::lane_number() & ~(n - 1)), n);
}
HIPPORT_INLINE coalesced_group tiled_partition(const coalesced_group &g, unsigned n) {
  details::Mask mine = 0, all = g.lanes();
  const unsigned part = g.thread_rank() / n;
  for (unsigned i = 0; all; i++, all &= all - 1)
    if (i / n == part) mine |= all & -all;
  return coalesced_group(mine);
}
template <class Group, class Label>
HIPPORT_INLINE coalesced_group labeled_partition(const Group &g, Label label, HIPPORT_SITE) {
  return coalesced_group(::hipport_wave::collective(::hipport_wave::MATCH_ANY, g.lanes(), &label, nullptr, sizeof label, 0, 0, HIPPORT_HERE));
}
template <class Group>
HIPPORT_INLINE coalesced_group binary_partition(const Group &g, bool p, HIPPORT_SITE) {
  const details::Mask yes = ::hipport_wave::vote(g.lanes(), p, HIPPORT_HERE);
  return coalesced_group(p ? yes : g.lanes() & details::living_lanes() & ~yes);
}
template <class Group>
HIPPORT_INLINE void sync(const Group &g, HIPPORT_SITE) { g.sync(hipport_file, hipport_line); }
HIPPORT_INLINE void sync(HIPPORT_SITE) { ::hipport_wave::barrier(::hipport_wave::BARRIER, 0, HIPPORT_HERE); }

template <class T> struct plus { HIPPORT_INLINE T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { HIPPORT_INLINE T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { HIPPORT_INLINE T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { HIPPORT_INLINE T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { HIPPORT_INLINE T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { HIPPORT_INLINE T operator()(T a, T b) const { return a ^ b; } };

// A butterfly where the lanes are neighbours and all there, else in order of rank.
template <class Group, class T, class Op>
HIPPORT_INLINE T reduce(const Group &g, T value, Op op, HIPPORT_SITE) {
  const unsigned n = g.size();
  if ((n & (n - 1)) == 0 && (g.lanes() & details::living_lanes()) == g.lanes()) {
    for (unsigned step = n / 2; step > 0; step /= 2) value = op(value, g.shfl_xor(value, step, hipport_file, hipport_line));
    return value;
  }
  const unsigned there = (unsigned)__builtin_popcountll(g.lanes() & details::living_lanes());
  T sum = g.shfl(value, 0, hipport_file, hipport_line);
  for (unsigned i = 1; i < there; i++) sum = op(sum, g.shfl(value, (int)i, hipport_file, hipport_line));
  return sum;
}
template <class Group, class T, class Op>
HIPPORT_INLINE T inclusive_scan(const Group &g, T value, Op op, HIPPORT_SITE) {
  const unsigned rank = g.thread_rank();
  for (unsigned step = 1; step < g.size(); step *= 2) {
    const T below = g.shfl_up(value, step, hipport_file, hipport_line);
    if (rank >= step) value = op(below, value);
  }
  return value;
}
template <class Group, class T>
HIPPORT_INLINE T inclusive_scan(const Group &g, T value, HIPPORT_SITE) {
  return inclusive_scan(g, value, plus<T>(), hipport_file, hipport_line);
}
template <class Group, class T, class Op>
HIPPORT_INLINE T exclusive_scan(const Group &g, T value, Op op, HIPPORT_SITE) {
  const T all = inclusive_scan(g, value, op, hipport_file, hipport_line);
  const T below = g.shfl_up(all, 1, hipport_file, hipport_line);
  return g.thread_rank() == 0 ? T{} : below;
}
template <class Group, class T>
HIPPORT_INLINE T exclusive_scan(const Group &g, T value, HIPPORT_SITE) {
  return exclusive_scan(g, value, plus<T>(), hipport_file, hipport_line);
}

// Copies are made at once: the threads of the group each take a part.
template <class Group, class T, class N>
HIPPORT_INLINE void memcpy_async(const Group &g, T *to, const T *from, N bytes) {
  const size_t count = (size_t)bytes / sizeof(T), step = g.size();
  for (size_t i = g.thread_rank(); i < count; i += step) to[i] = from[i];
}
template <class Group>
HIPPORT_INLINE void wait(const Group &g, HIPPORT_SITE) { g.sync(hipport_file, hipport_line); }
template <unsigned Left, class Group>
HIPPORT_INLINE void wait_prior(const Group &g, HIPPORT_SITE) { g.sync(hipport_file, hipport_line); }
template <class Group, class F>
HIPPORT_INLINE void invoke_one(const Group &g, F f) {
  if (g.thread_rank() == 0) f();
}

}  // namespace cooperative_groups

#endif
