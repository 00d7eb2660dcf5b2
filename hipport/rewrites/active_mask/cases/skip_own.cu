namespace mine { __device__ unsigned __activemask(); }
__device__ unsigned get() { return mine::__activemask(); }
