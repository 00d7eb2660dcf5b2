#include <type_traits>
template <class T> struct is_wide : std::false_type {};
template <> struct is_wide<long double> : std::true_type {};
template <> struct is_wide<__float128> : std::true_type {};
__host__ __device__ inline double widest(__float128 x) { return (double)x; }
__device__ double exact(double x) { return (double)((long double)x * 2.0L); }  // a double on both
__global__ void k(double* p, long long n, double scale) { p[0] = exact(p[0]) * scale; }
long double host(long double x) { return x * 2; }
