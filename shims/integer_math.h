namespace hipport {
// Integer functions of CUDA's math API that HIP has under no name.
__host__ __device__ inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
__host__ __device__ inline unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
__host__ __device__ inline long long llmin(long long a, long long b) { return a < b ? a : b; }
__host__ __device__ inline long long llmax(long long a, long long b) { return a > b ? a : b; }
__host__ __device__ inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
__host__ __device__ inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
__host__ __device__ inline unsigned short nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
__host__ __device__ inline unsigned nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
__host__ __device__ inline unsigned long long nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }
}  // namespace hipport
