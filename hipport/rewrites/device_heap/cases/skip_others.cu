struct Pool { __device__ int* malloc(int n) { return base + n; } int* base; };
__host__ __device__ int* either(int n) { return (int*)malloc(n * sizeof(int)); }
__global__ void k(Pool pool, int* p, int* old_value) {
  p = pool.malloc(4);
  int* q = own::malloc(4);
  int fresh = *old_value;  // new value
  new (p) int(fresh);
  p[0] = renew(q);
}
int* host(int n) { return (int*)malloc(n * sizeof(int)); }
void launch(int* p) { k<<<1, 1>>>({p}, new int[4], p); }
