__global__ void k(volatile int* x) { x[0] = 1; __syncwarp(); x[1] = x[0]; }
