// The standard library's names that device code and its callers use
#pragma once
namespace std {
typedef unsigned long size_t;
typedef long ptrdiff_t;
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::uintptr_t; using ::intptr_t;
typedef decltype(nullptr) nullptr_t;
template <class T, T V> struct integral_constant { static constexpr T value = V; typedef T value_type; typedef integral_constant type; constexpr operator T() const { return V; } };
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <bool B> using bool_constant = integral_constant<bool, B>;
template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_cv { typedef typename remove_const<T>::type type; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using decay_t = typename remove_cv<typename remove_reference<T>::type>::type;
template <class T> struct decay { typedef decay_t<T> type; };
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { typedef T type; };
template <class T, class F> struct conditional<false, T, F> { typedef F type; };
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class... T> using void_t = void;
template <class T> struct is_integral : bool_constant<__is_integral(T)> {};
template <class T> struct is_floating_point : bool_constant<__is_floating_point(T)> {};
template <class T> struct is_arithmetic : bool_constant<__is_arithmetic(T)> {};
template <class T> struct is_pointer : bool_constant<__is_pointer(T)> {};
template <class T> struct is_unsigned : bool_constant<__is_unsigned(T)> {};
template <class T> struct is_signed : bool_constant<__is_signed(T)> {};
template <class T> struct is_const : bool_constant<__is_const(T)> {};
template <class A, class B> struct is_base_of : bool_constant<__is_base_of(A, B)> {};
template <class T> inline constexpr bool is_integral_v = is_integral<T>::value;
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <class T> inline constexpr bool is_pointer_v = is_pointer<T>::value;
template <class T> struct make_unsigned { typedef unsigned type; };
template <class T> T &&declval() noexcept;
template <class T> constexpr __HIPPORT_BOTH__ remove_reference_t<T> &&move(T &&t) { return static_cast<remove_reference_t<T> &&>(t); }
template <class T> constexpr __HIPPORT_BOTH__ T &&forward(remove_reference_t<T> &t) { return static_cast<T &&>(t); }
template <class T> constexpr __HIPPORT_BOTH__ void swap(T &a, T &b);
template <class T> constexpr __HIPPORT_BOTH__ const T &min(const T &a, const T &b);
template <class T> constexpr __HIPPORT_BOTH__ const T &max(const T &a, const T &b);
template <class T, class C> constexpr const T &min(const T &a, const T &b, C);
template <class T, class C> constexpr const T &max(const T &a, const T &b, C);
template <class T> struct initializer_list { const T *b; size_t n; constexpr const T *begin() const { return b; } constexpr const T *end() const { return b + n; } constexpr size_t size() const { return n; } };
template <class T> constexpr T max(initializer_list<T>);
template <class T> constexpr T min(initializer_list<T>);
template <class T> struct numeric_limits { static constexpr __HIPPORT_BOTH__ T max() { return T(); } static constexpr __HIPPORT_BOTH__ T min() { return T(); } static constexpr __HIPPORT_BOTH__ T lowest() { return T(); } static constexpr __HIPPORT_BOTH__ T infinity() { return T(); } static constexpr __HIPPORT_BOTH__ T quiet_NaN() { return T(); } static constexpr __HIPPORT_BOTH__ T epsilon() { return T(); } static constexpr int digits = 32; };
template <class T, size_t N> struct array { T v[N]; __HIPPORT_BOTH__ constexpr T &operator[](size_t i) { return v[i]; } __HIPPORT_BOTH__ constexpr const T &operator[](size_t i) const { return v[i]; } constexpr size_t size() const { return N; } T *data(); T *begin(); T *end(); void fill(const T &); };
template <class A, class B> struct pair { A first; B second; pair() = default; pair(A, B); };
template <class A, class B> pair<A, B> make_pair(A, B);
template <class... T> struct tuple { tuple(); tuple(T...); };
template <class... T> tuple<T...> make_tuple(T...);
template <class... T> tuple<T &...> tie(T &...);
template <class T> struct allocator {};
template <class T, class A = allocator<T>> struct vector { typedef T value_type; typedef T *iterator; typedef const T *const_iterator; vector(); vector(size_t); vector(size_t, T); vector(initializer_list<T>); template <class I> vector(I, I); T *data() const; size_t size() const; bool empty() const; T &operator[](size_t) const; T &at(size_t) const; T *begin() const; T *end() const; T &front() const; T &back() const; void push_back(T); template <class... X> void emplace_back(X &&...); void resize(size_t); void resize(size_t, T); void reserve(size_t); void clear(); void pop_back(); template <class... X> void insert(X &&...); template <class... X> void erase(X &&...); template <class... X> void assign(X &&...); };
struct string { string(); string(const char *); const char *c_str() const; size_t size() const; size_t length() const; bool empty() const; char operator[](size_t) const; string operator+(const string &) const; string &operator+=(const string &); bool operator==(const string &) const; bool operator!=(const string &) const; bool operator<(const string &) const; size_t find(const string &, size_t = 0) const; string substr(size_t, size_t = 0) const; char *begin() const; char *end() const; static constexpr size_t npos = -1; };
string operator+(const char *, const string &);
template <class T> string to_string(T);
int stoi(const string &); float stof(const string &); double stod(const string &); long stol(const string &);
struct ostream { template <class T> ostream &operator<<(const T &); ostream &operator<<(ostream &(*)(ostream &)); };
struct istream { template <class T> istream &operator>>(T &); operator bool() const; };
struct ofstream : ostream { ofstream(); template <class... X> ofstream(X &&...); void close(); bool is_open(); void open(const string &); void write(const char *, size_t); };
struct ifstream : istream { ifstream(); template <class... X> ifstream(X &&...); void close(); bool is_open(); void open(const string &); void read(char *, size_t); };
struct stringstream : ostream { stringstream(); template <class... X> stringstream(X &&...); string str() const; template <class T> stringstream &operator>>(T &); };
typedef stringstream ostringstream; typedef stringstream istringstream;
extern ostream cout, cerr, clog; extern istream cin;
ostream &endl(ostream &); ostream &flush(ostream &); ostream &fixed(ostream &);
int setprecision(int); int setw(int); char setfill(char);
template <class A, class B> struct map { map(); B &operator[](const A &); B &at(const A &); pair<A, B> *begin(); pair<A, B> *end(); pair<A, B> *find(const A &); size_t size(); size_t count(const A &); };
template <class A, class B> struct unordered_map : map<A, B> {};
template <class A> struct set { set(); void insert(const A &); A *begin(); A *end(); size_t size(); size_t count(const A &); };
template <class A> struct unordered_set : set<A> {};
template <class T> struct list : vector<T> {}; template <class T> struct deque : vector<T> {}; template <class T> struct queue : vector<T> { void push(T); void pop(); };
template <class T, class D = void> struct unique_ptr { unique_ptr(); unique_ptr(T *); T *get() const; T *operator->() const; T &operator*() const; T *release(); void reset(T * = nullptr); };
template <class T> struct unique_ptr<T[]> { unique_ptr(); unique_ptr(T *); T *get() const; T &operator[](size_t) const; };
template <class T> struct shared_ptr : unique_ptr<T> {};
template <class T, class... A> unique_ptr<T> make_unique(A &&...);
template <class T, class... A> shared_ptr<T> make_shared(A &&...);
template <class S> struct function;
template <class R, class... A> struct function<R(A...)> { function(); template <class F> function(F); R operator()(A...) const; };
template <class T> struct optional { optional(); optional(T); bool has_value() const; T &value() const; T &operator*() const; explicit operator bool() const; };
#define HIPPORT_FUNCTOR(N) template <class T = void> struct N { template <class A, class B> __HIPPORT_BOTH__ auto operator()(A a, B b) const -> decltype(a + b); };
HIPPORT_FUNCTOR(plus) HIPPORT_FUNCTOR(minus) HIPPORT_FUNCTOR(multiplies) HIPPORT_FUNCTOR(greater) HIPPORT_FUNCTOR(less)
#define HIPPORT_ALGO(N) template <class... A> auto N(A &&...) -> int;
HIPPORT_ALGO(sort) HIPPORT_ALGO(stable_sort) HIPPORT_ALGO(fill) HIPPORT_ALGO(fill_n) HIPPORT_ALGO(copy) HIPPORT_ALGO(copy_n) HIPPORT_ALGO(transform) HIPPORT_ALGO(generate) HIPPORT_ALGO(iota) HIPPORT_ALGO(shuffle) HIPPORT_ALGO(for_each) HIPPORT_ALGO(reverse) HIPPORT_ALGO(equal)
template <class I, class T, class... A> T accumulate(I, I, T, A...);
template <class I> I max_element(I, I); template <class I> I min_element(I, I);
struct mt19937 { mt19937(); mt19937(unsigned); unsigned operator()(); void seed(unsigned); };
typedef mt19937 default_random_engine; typedef mt19937 minstd_rand; typedef mt19937 mt19937_64;
struct random_device { unsigned operator()(); };
template <class T = double> struct uniform_real_distribution { uniform_real_distribution(T = 0, T = 1); template <class G> T operator()(G &); };
template <class T = double> struct normal_distribution { normal_distribution(T = 0, T = 1); template <class G> T operator()(G &); };
template <class T = int> struct uniform_int_distribution { uniform_int_distribution(T = 0, T = 1); template <class G> T operator()(G &); };
template <class T> struct complex { __HIPPORT_BOTH__ complex(T = 0, T = 0); __HIPPORT_BOTH__ T real() const; __HIPPORT_BOTH__ T imag() const; };
template <class T> struct atomic { T load() const; void store(T); T operator++(); T fetch_add(T); operator T() const; };
struct mutex { void lock(); void unlock(); };
struct exception { virtual const char *what() const; };
struct runtime_error : exception { runtime_error(const string &); }; struct invalid_argument : exception { invalid_argument(const string &); };
namespace chrono { struct duration_ { double count() const; duration_ operator-(duration_) const; operator double() const; }; typedef duration_ milliseconds, microseconds, nanoseconds, seconds; template <class T, class R = int> struct duration : duration_ { template <class X> duration(X); }; struct steady_clock { typedef duration_ time_point; static duration_ now(); }; typedef steady_clock high_resolution_clock, system_clock; template <class T, class X> T duration_cast(X); }
#define HIPPORT_STDM(N) using ::N;
HIPPORT_STDM(sqrt) HIPPORT_STDM(exp) HIPPORT_STDM(log) HIPPORT_STDM(log2) HIPPORT_STDM(log10) HIPPORT_STDM(sin) HIPPORT_STDM(cos) HIPPORT_STDM(tan) HIPPORT_STDM(tanh) HIPPORT_STDM(pow) HIPPORT_STDM(floor) HIPPORT_STDM(ceil) HIPPORT_STDM(round) HIPPORT_STDM(fabs) HIPPORT_STDM(fmod) HIPPORT_STDM(fmin) HIPPORT_STDM(fmax) HIPPORT_STDM(isnan) HIPPORT_STDM(isinf) HIPPORT_STDM(isfinite) HIPPORT_STDM(erf) HIPPORT_STDM(atan2) HIPPORT_STDM(acos) HIPPORT_STDM(asin) HIPPORT_STDM(atan) HIPPORT_STDM(cbrt) HIPPORT_STDM(fma) HIPPORT_STDM(expm1) HIPPORT_STDM(log1p) HIPPORT_STDM(copysign)
__HIPPORT_BOTH__ float abs(float); __HIPPORT_BOTH__ double abs(double); __HIPPORT_BOTH__ int abs(int); __HIPPORT_BOTH__ long abs(long);
HIPPORT_STDM(printf) HIPPORT_STDM(fprintf) HIPPORT_STDM(memcpy) HIPPORT_STDM(memset) HIPPORT_STDM(malloc) HIPPORT_STDM(free) HIPPORT_STDM(exit) HIPPORT_STDM(strlen) HIPPORT_STDM(strcmp) HIPPORT_STDM(atoi) HIPPORT_STDM(rand) HIPPORT_STDM(srand)
} // namespace std
