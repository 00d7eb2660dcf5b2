struct R { __device__ int __reduce_add_sync(int v); };
__device__ int f(R& r) { return r.__reduce_add_sync(1); }
