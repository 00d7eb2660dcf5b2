#if !__has_include(<cuda/barrier>)  // libhipcxx has the same names
namespace cuda {
template <decltype(sizeof(0)) Alignment>
struct aligned_size_t {
  static constexpr decltype(sizeof(0)) align = Alignment;
  decltype(sizeof(0)) value;
  __host__ __device__ explicit constexpr aligned_size_t(decltype(sizeof(0)) size) : value(size) {}
  __host__ __device__ constexpr operator decltype(sizeof(0))() const { return value; }
};
enum class async_contract_fulfillment { none, async };
enum class pipeline_role { producer, consumer };
// What a block's pipeline keeps in LDS: for each stage a barrier of those that fill it and one of those that empty it.
template <thread_scope S, unsigned Stages>
struct pipeline_shared_state {
  static_assert(hipport::within_block<S>::value, "only pipelines of thread_scope_block and thread_scope_thread are supplied");
  struct stage { barrier<thread_scope_block> filled, emptied; };
  unsigned producers;
  stage stages[Stages];
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state &) = delete;
};
template <thread_scope S>
class pipeline {
  typedef pipeline_shared_state<thread_scope_block, 1>::stage stage;
  stage *stages_;
  unsigned count_, head_ = 0, head_turn_ = 0, tail_ = 0, tail_turn_ = 0;
  static __device__ void step(unsigned &at, unsigned &turn, unsigned count) {
    if (++at == count) at = 0, ++turn;
  }

 public:
  __device__ pipeline(stage *stages, unsigned count) : stages_(stages), count_(count) {}
  pipeline(pipeline &&) = default;
  pipeline(const pipeline &) = delete;
  __device__ void producer_acquire() {
    while (!stages_[head_].emptied.hipport_past(head_turn_)) __builtin_amdgcn_s_sleep(1);
  }
  __device__ void producer_commit() {
    stages_[head_].filled.arrive();
    step(head_, head_turn_, count_);
  }
  __device__ void consumer_wait() {
    while (!stages_[tail_].filled.hipport_past(tail_turn_ + 1)) __builtin_amdgcn_s_sleep(1);
  }
  __device__ void consumer_release() {
    stages_[tail_].emptied.arrive();
    step(tail_, tail_turn_, count_);
  }
};
// A thread's own pipeline: its copies are done when the call returns.
template <>
class pipeline<thread_scope_thread> {
 public:
  __device__ pipeline() {}
  pipeline(pipeline &&) = default;
  pipeline(const pipeline &) = delete;
  __device__ void producer_acquire() {}
  __device__ void producer_commit() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
  __device__ void consumer_wait() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
  __device__ void consumer_release() {}
  __device__ bool quit() { return true; }
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }
}  // namespace cuda
namespace hipport {
template <class Group, unsigned Stages>
__device__ inline void begin_stages(const Group &group, cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> *state,
                                    unsigned producers, unsigned consumers) {
  if (group.thread_rank() == 0)
    for (unsigned i = 0; i < Stages; ++i) init(&state->stages[i].filled, producers), init(&state->stages[i].emptied, consumers);
  group.sync();
}
template <unsigned Stages>
__device__ inline cuda::pipeline<cuda::thread_scope_block> pipeline_of(cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> *state) {
  typedef cuda::pipeline_shared_state<cuda::thread_scope_block, 1>::stage stage;
  return cuda::pipeline<cuda::thread_scope_block>((stage *)state->stages, Stages);
}
// A copy by one thread in words of up to 16 bytes, as both addresses and the size allow.
template <class Word>
__device__ inline void copy_words(void *to, const void *from, decltype(sizeof(0)) bytes, decltype(sizeof(0)) rank, decltype(sizeof(0)) count) {
  for (decltype(sizeof(0)) i = rank; i < bytes / sizeof(Word); i += count) ((Word *)to)[i] = ((const Word *)from)[i];
}
__device__ inline void copy_shared(void *to, const void *from, decltype(sizeof(0)) bytes, decltype(sizeof(0)) rank, decltype(sizeof(0)) count) {
  typedef unsigned four __attribute__((ext_vector_type(4), may_alias));
  typedef unsigned __attribute__((may_alias)) one;
  const decltype(sizeof(0)) all = (decltype(sizeof(0)))to | (decltype(sizeof(0)))from | bytes;
  if (all % 16 == 0) copy_words<four>(to, from, bytes, rank, count);
  else if (all % 4 == 0) copy_words<one>(to, from, bytes, rank, count);
  else copy_words<unsigned char>(to, from, bytes, rank, count);
}
template <class Sync> struct is_synchronizer { static constexpr bool value = false; };
template <cuda::thread_scope S, class F> struct is_synchronizer<cuda::barrier<S, F>> { static constexpr bool value = true; };
template <cuda::thread_scope S> struct is_synchronizer<cuda::pipeline<S>> { static constexpr bool value = true; };
template <bool Yes, class T> struct only_if {};
template <class T> struct only_if<true, T> { typedef T type; };
template <class Sync>
using copies_for = typename only_if<is_synchronizer<Sync>::value, cuda::async_contract_fulfillment>::type;
}  // namespace hipport
namespace cuda {
template <class Group, unsigned Stages>
__device__ inline pipeline<thread_scope_block> make_pipeline(const Group &group, pipeline_shared_state<thread_scope_block, Stages> *state) {
  hipport::begin_stages(group, state, (unsigned)group.size(), (unsigned)group.size());
  return hipport::pipeline_of(state);
}
template <class Group, unsigned Stages>
__device__ inline pipeline<thread_scope_block> make_pipeline(const Group &group, pipeline_shared_state<thread_scope_block, Stages> *state, decltype(sizeof(0)) producers) {
  hipport::begin_stages(group, state, (unsigned)producers, (unsigned)(group.size() - producers));
  return hipport::pipeline_of(state);
}
template <class Group, unsigned Stages>
__device__ inline pipeline<thread_scope_block> make_pipeline(const Group &group, pipeline_shared_state<thread_scope_block, Stages> *state, pipeline_role role) {
  if (group.thread_rank() == 0) state->producers = 0;
  group.sync();
  if (role == pipeline_role::producer) __hip_atomic_fetch_add(&state->producers, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  group.sync();
  hipport::begin_stages(group, state, state->producers, (unsigned)group.size() - state->producers);
  return hipport::pipeline_of(state);
}
template <unsigned Prior>
__device__ inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
template <thread_scope S, class F>
__device__ inline void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<S, F> &) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
// The copy is done by the calling threads, at once; the barrier or stage that is named completes by their own arrival.
template <class Sync>
__device__ inline hipport::copies_for<Sync> memcpy_async(void *to, const void *from, decltype(sizeof(0)) bytes, Sync &) {
  hipport::copy_shared(to, from, bytes, 0, 1);
  return async_contract_fulfillment::none;
}
template <class Group, class Sync>
__device__ inline hipport::copies_for<Sync> memcpy_async(const Group &group, void *to, const void *from, decltype(sizeof(0)) bytes, Sync &) {
  hipport::copy_shared(to, from, bytes, group.thread_rank(), group.size());
  return async_contract_fulfillment::none;
}
}  // namespace cuda
#endif
