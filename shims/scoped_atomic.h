#if !__has_include(<cuda/atomic>)  // libhipcxx has the same names
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
namespace std {
enum class memory_order : int {
  relaxed = __ATOMIC_RELAXED,
  consume = __ATOMIC_CONSUME,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST
};
static constexpr memory_order memory_order_relaxed = memory_order::relaxed;
static constexpr memory_order memory_order_consume = memory_order::consume;
static constexpr memory_order memory_order_acquire = memory_order::acquire;
static constexpr memory_order memory_order_release = memory_order::release;
static constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
static constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;
}  // namespace std
using std::memory_order;
using std::memory_order_relaxed;
using std::memory_order_consume;
using std::memory_order_acquire;
using std::memory_order_release;
using std::memory_order_acq_rel;
using std::memory_order_seq_cst;
}  // namespace cuda
namespace hipport {
template <unsigned N> struct atomic_word;
template <> struct atomic_word<1> { typedef unsigned char type; };
template <> struct atomic_word<2> { typedef unsigned short type; };
template <> struct atomic_word<4> { typedef unsigned int type; };
template <> struct atomic_word<8> { typedef unsigned long long type; };
template <class T> struct atomic_number { static constexpr bool whole = T(0.5f) == T(0), real = !whole; };
template <> struct atomic_number<bool> { static constexpr bool whole = false, real = false; };
template <class T> struct atomic_number<T*> { static constexpr bool whole = false, real = false; };
// Which operations a type has: a number adds, an integer has bits, a pointer moves by elements.
template <class T, bool = __is_arithmetic(T)> struct atomic_kind { static constexpr bool whole = false, real = false; };
template <class T> struct atomic_kind<T, true> : atomic_number<T> {};
template <cuda::thread_scope S>
struct atomic_scope {
  static constexpr int value = S == cuda::thread_scope_system   ? __HIP_MEMORY_SCOPE_SYSTEM
                               : S == cuda::thread_scope_device ? __HIP_MEMORY_SCOPE_AGENT
                               : S == cuda::thread_scope_block  ? __HIP_MEMORY_SCOPE_WORKGROUP
                                                                : __HIP_MEMORY_SCOPE_SINGLETHREAD;
};
template <class T, bool = atomic_kind<T>::whole || atomic_kind<T>::real> struct atomic_adds {};
template <class T> struct atomic_adds<T, true> { typedef T type; };
template <class T, bool = atomic_kind<T>::whole> struct atomic_bits {};
template <class T> struct atomic_bits<T, true> { typedef T type; };
template <class T> struct atomic_steps {};
template <class T> struct atomic_steps<T*> { typedef T* type; typedef T element; };
// What an atomic object and a reference share. `Self` has `place()`, where the value lies.
template <class Self, class T, cuda::thread_scope S>
struct atomic_operations {
  typedef T value_type;
  typedef cuda::memory_order order;
  static constexpr bool is_always_lock_free = true;
  static constexpr order strict = cuda::memory_order::seq_cst;
  __host__ __device__ bool is_lock_free() const { return true; }
  __host__ __device__ T load(order o = strict) const {
    return __builtin_bit_cast(T, __hip_atomic_load(bits(), (int)o, scope));
  }
  __host__ __device__ void store(T value, order o = strict) const {
    __hip_atomic_store(bits(), __builtin_bit_cast(word, value), (int)o, scope);
  }
  __host__ __device__ T exchange(T value, order o = strict) const {
    return __builtin_bit_cast(T, __hip_atomic_exchange(bits(), __builtin_bit_cast(word, value), (int)o, scope));
  }
  __host__ __device__ bool compare_exchange_strong(T& expected, T desired, order yes, order no) const {
    word seen = __builtin_bit_cast(word, expected);
    const word wanted = __builtin_bit_cast(word, desired);
    const bool done = __hip_atomic_compare_exchange_strong(bits(), &seen, wanted, (int)yes, (int)no, scope);
    if (!done) expected = __builtin_bit_cast(T, seen);
    return done;
  }
  __host__ __device__ bool compare_exchange_strong(T& expected, T desired, order o = strict) const {
    const order no = o == order::acq_rel ? order::acquire : o == order::release ? order::relaxed : o;
    return compare_exchange_strong(expected, desired, o, no);
  }
  __host__ __device__ bool compare_exchange_weak(T& expected, T desired, order yes, order no) const {
    return compare_exchange_strong(expected, desired, yes, no);
  }
  __host__ __device__ bool compare_exchange_weak(T& expected, T desired, order o = strict) const {
    return compare_exchange_strong(expected, desired, o);
  }
  template <class U = T, class V>
  __host__ __device__ auto fetch_add(V value, order o = strict) const -> typename atomic_adds<U>::type {
    return __hip_atomic_fetch_add(at(), (T)value, (int)o, scope);
  }
  template <class U = T, class V>
  __host__ __device__ auto fetch_sub(V value, order o = strict) const -> typename atomic_adds<U>::type {
    return __hip_atomic_fetch_add(at(), (T)(T(0) - (T)value), (int)o, scope);
  }
  template <class U = T>
  __host__ __device__ auto fetch_add(__PTRDIFF_TYPE__ steps, order o = strict) const -> typename atomic_steps<U>::type {
    typedef unsigned long long raw;
    return (T)__hip_atomic_fetch_add((raw*)at(), (raw)steps * sizeof(typename atomic_steps<U>::element), (int)o, scope);
  }
  template <class U = T>
  __host__ __device__ auto fetch_sub(__PTRDIFF_TYPE__ steps, order o = strict) const -> typename atomic_steps<U>::type {
    return fetch_add<U>(-steps, o);
  }
  template <class U = T, class V>
  __host__ __device__ auto fetch_min(V value, order o = strict) const -> typename atomic_adds<U>::type {
    return __hip_atomic_fetch_min(at(), (T)value, (int)o, scope);
  }
  template <class U = T, class V>
  __host__ __device__ auto fetch_max(V value, order o = strict) const -> typename atomic_adds<U>::type {
    return __hip_atomic_fetch_max(at(), (T)value, (int)o, scope);
  }
  template <class U = T, class V>
  __host__ __device__ auto fetch_and(V value, order o = strict) const -> typename atomic_bits<U>::type {
    return __hip_atomic_fetch_and(at(), (T)value, (int)o, scope);
  }
  template <class U = T, class V>
  __host__ __device__ auto fetch_or(V value, order o = strict) const -> typename atomic_bits<U>::type {
    return __hip_atomic_fetch_or(at(), (T)value, (int)o, scope);
  }
  template <class U = T, class V>
  __host__ __device__ auto fetch_xor(V value, order o = strict) const -> typename atomic_bits<U>::type {
    return __hip_atomic_fetch_xor(at(), (T)value, (int)o, scope);
  }
  __host__ __device__ operator T() const { return load(); }
  __host__ __device__ T operator++() const { return fetch_add(1) + 1; }
  __host__ __device__ T operator--() const { return fetch_sub(1) - 1; }
  __host__ __device__ T operator++(int) const { return fetch_add(1); }
  __host__ __device__ T operator--(int) const { return fetch_sub(1); }
  template <class V> __host__ __device__ T operator+=(V value) const { return fetch_add(value) + value; }
  template <class V> __host__ __device__ T operator-=(V value) const { return fetch_sub(value) - value; }
  template <class V> __host__ __device__ T operator&=(V value) const { return fetch_and(value) & value; }
  template <class V> __host__ __device__ T operator|=(V value) const { return fetch_or(value) | value; }
  template <class V> __host__ __device__ T operator^=(V value) const { return fetch_xor(value) ^ value; }

 private:
  typedef typename atomic_word<sizeof(T)>::type word;
  static constexpr int scope = atomic_scope<S>::value;
  __host__ __device__ T* at() const { return static_cast<const Self*>(this)->place(); }
  __host__ __device__ word* bits() const { return (word*)at(); }
};
}  // namespace hipport
namespace cuda {
template <class T, thread_scope S = thread_scope_system>
struct atomic : hipport::atomic_operations<atomic<T, S>, T, S> {
  atomic() = default;
  __host__ __device__ constexpr atomic(T value) : held(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  __host__ __device__ T operator=(T value) { this->store(value); return value; }
  __host__ __device__ T* place() const { return const_cast<T*>(&held); }

 private:
  alignas(sizeof(T)) T held;
};
template <class T, thread_scope S = thread_scope_system>
struct atomic_ref : hipport::atomic_operations<atomic_ref<T, S>, T, S> {
  static constexpr unsigned long required_alignment = sizeof(T);
  __host__ __device__ explicit atomic_ref(T& value) : held(&value) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  __host__ __device__ T operator=(T value) const { this->store(value); return value; }
  __host__ __device__ T* place() const { return held; }

 private:
  T* held;
};
// A full fence of the scope: at least what any order asks for.
__host__ __device__ inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (order == memory_order::relaxed || scope == thread_scope_thread) return;
#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
  if (scope == thread_scope_block) __threadfence_block();
  else if (scope == thread_scope_device) __threadfence();
  else __threadfence_system();
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
namespace std {
template <class T> using atomic = cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
using cuda::atomic_thread_fence;
}  // namespace std
}  // namespace cuda
#endif
