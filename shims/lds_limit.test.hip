extern "C" __global__ void lds_limit(int* out) { out[threadIdx.x] = threadIdx.x; }
inline int lds_limit_asked() { return hipport::lds_fit(lds_limit, 227 << 10); }
