extern "C" __global__ void wave_width(int* out) { out[threadIdx.x] = hipport::kWaveWidth; }
