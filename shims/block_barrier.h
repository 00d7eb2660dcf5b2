#if !__has_include(<cuda/barrier>)  // libhipcxx has the same names
namespace hipport {
struct no_completion { __host__ __device__ void operator()() {} };
template <cuda::thread_scope S>
struct within_block { static constexpr bool value = S == cuda::thread_scope_block || S == cuda::thread_scope_thread; };
}  // namespace hipport
namespace cuda {
// A barrier of threads of one block, in LDS: who arrives last begins the next phase, and who waits looks whether it has
// begun. Lanes of one wave that wait for each other in branches of their own hang, as with every wait on AMD.
template <thread_scope S = thread_scope_system, class Completion = hipport::no_completion>
class barrier {
  static_assert(hipport::within_block<S>::value, "only barriers of thread_scope_block and thread_scope_thread are supplied");
  unsigned pending_, expected_, phase_;
  Completion done_;

 public:
  typedef unsigned arrival_token;
  barrier() = default;
  __device__ barrier(long long expected, Completion done = Completion())
      : pending_((unsigned)expected), expected_((unsigned)expected), phase_(0), done_(done) {}
  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;
  static constexpr __host__ __device__ long long max() { return 0x7fffffff; }
  friend __device__ void init(barrier *self, long long expected, Completion done = Completion()) {
    self->pending_ = self->expected_ = (unsigned)expected;
    self->phase_ = 0;
    self->done_ = done;
  }
  __device__ arrival_token arrive(long long update = 1) {
    const unsigned token = __hip_atomic_load(&phase_, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP), count = (unsigned)update;
    if (__hip_atomic_fetch_add(&pending_, 0u - count, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_WORKGROUP) == count) {
      done_();
      const unsigned next = __hip_atomic_load(&expected_, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
      __hip_atomic_store(&pending_, next, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
      __hip_atomic_store(&phase_, token + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
    }
    return token;
  }
  __device__ bool try_wait(arrival_token token) const {
    return __hip_atomic_load(&phase_, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) != token;
  }
  __device__ bool try_wait_parity(bool parity) const {
    return (__hip_atomic_load(&phase_, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) & 1) != (unsigned)parity;
  }
  __device__ void wait(arrival_token token) const {
    while (!try_wait(token)) __builtin_amdgcn_s_sleep(1);
  }
  __device__ void wait_parity(bool parity) const {
    while (!try_wait_parity(parity)) __builtin_amdgcn_s_sleep(1);
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() {
    __hip_atomic_fetch_add(&expected_, 0u - 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    arrive();
  }
  // Whether as many phases are over as a pipeline needs.
  __device__ bool hipport_past(unsigned phases) const {
    return (int)(__hip_atomic_load(&phase_, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) - phases) >= 0;
  }
};
}  // namespace cuda
#endif
