// expect: lane-ptx lane-ptx lane-ptx lane-ptx lane-ptx lane-ptx
__device__ unsigned lane() { unsigned r; r = __lane_id() & 31; return r; }
__device__ unsigned below() { unsigned r; r = (1u << (__lane_id() & 31)) - 1u; return r; }
__device__ unsigned up_to() { unsigned r; r = (2u << (__lane_id() & 31)) - 1u; return r; }
__device__ void order() { __threadfence(); }
__device__ int swap(int v) { int r; r = __shfl_xor((v), (1), 32); return r; }
__device__ unsigned now() { unsigned r; r = (unsigned)(__ballot(1) >> (__lane_id() & 32)); return r; }
