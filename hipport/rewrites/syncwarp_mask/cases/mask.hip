// expect: syncwarp-mask
__global__ void k(volatile int* x) { x[0] = 1; __syncwarp(); x[1] = x[0]; __syncwarp(); }
