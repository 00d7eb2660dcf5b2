namespace hipport {
// Memory accesses of PTX: vectors, orderings, scopes, and addresses of shared memory, which are 32-bit offsets in LDS.
template <class T, int N>
using vector = T __attribute__((ext_vector_type(N)));
template <class T>
__device__ inline T *shared_pointer(unsigned long long address) {
  return (T *)(__attribute__((address_space(3))) T *)(unsigned)address;
}
__device__ inline unsigned shared_address(const void *pointer) {
  return (unsigned)(unsigned long long)(__attribute__((address_space(3))) const char *)pointer;
}
template <int N, class T>
__device__ inline vector<T, N> load(const T *from) { return *(const vector<T, N> *)from; }
template <int N, class T>
__device__ inline void store(T *to, vector<T, N> value) { *(vector<T, N> *)to = value; }
template <int N, class T>
__device__ inline vector<T, N> load_volatile(const T *from) { return *(const volatile vector<T, N> *)from; }
template <int N, class T>
__device__ inline void store_volatile(T *to, vector<T, N> value) { *(volatile vector<T, N> *)to = value; }
template <int N, class T>
__device__ inline vector<T, N> load_streaming(const T *from) { return __builtin_nontemporal_load((const vector<T, N> *)from); }
template <int N, class T>
__device__ inline void store_streaming(T *to, vector<T, N> value) { __builtin_nontemporal_store(value, (vector<T, N> *)to); }
// PTX orders the elements of a vector access among themselves in no way: each is an access of its own.
template <int N, int Scope, class T>
__device__ inline vector<T, N> load_relaxed(const T *from) {
  vector<T, N> value;
  for (int i = 0; i < N; ++i) value[i] = __hip_atomic_load(from + i, __ATOMIC_RELAXED, Scope);
  return value;
}
template <int N, int Scope, class T>
__device__ inline void store_relaxed(T *to, vector<T, N> value) {
  for (int i = 0; i < N; ++i) __hip_atomic_store(to + i, (T)value[i], __ATOMIC_RELAXED, Scope);
}
template <int Scope>
__device__ inline void fence_in(int order) {
  if (Scope == __HIP_MEMORY_SCOPE_WORKGROUP) {
    if (order == __ATOMIC_ACQUIRE) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    else __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  } else if (Scope == __HIP_MEMORY_SCOPE_AGENT) {
    if (order == __ATOMIC_ACQUIRE) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    else __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  } else {
    if (order == __ATOMIC_ACQUIRE) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
    else __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
  }
}
template <int N, int Scope, class T>
__device__ inline vector<T, N> load_acquire(const T *from) {
  const vector<T, N> value = load_relaxed<N, Scope>(from);
  fence_in<Scope>(__ATOMIC_ACQUIRE);
  return value;
}
template <int N, int Scope, class T>
__device__ inline void store_release(T *to, vector<T, N> value) {
  fence_in<Scope>(__ATOMIC_RELEASE);
  store_relaxed<N, Scope>(to, value);
}
template <int Order, int Scope, class T>
__device__ inline T compare_and_swap(T *at, T expected, T desired) {
  constexpr int failed = Order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : Order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : Order;
  __hip_atomic_compare_exchange_strong(at, &expected, desired, Order, failed, Scope);
  return expected;
}
template <int Order, int Scope>
__device__ inline unsigned atomic_inc(unsigned *at, unsigned most) {
  unsigned seen = __hip_atomic_load(at, __ATOMIC_RELAXED, Scope), before;
  do before = seen;
  while ((seen = compare_and_swap<Order, Scope>(at, before, before >= most ? 0u : before + 1u)) != before);
  return before;
}
template <int Order, int Scope>
__device__ inline unsigned atomic_dec(unsigned *at, unsigned most) {
  unsigned seen = __hip_atomic_load(at, __ATOMIC_RELAXED, Scope), before;
  do before = seen;
  while ((seen = compare_and_swap<Order, Scope>(at, before, before == 0u || before > most ? most : before - 1u)) != before);
  return before;
}
}  // namespace hipport
