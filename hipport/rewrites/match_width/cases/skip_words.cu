__device__ int match_any_sync(unsigned, int v) { return v; }
__device__ int use(int v) { return match_any_sync(1, v); }
