// expect: lane-ptx lane-ptx lane-ptx lane-ptx lane-ptx lane-ptx
__device__ unsigned lane() { unsigned r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__device__ unsigned below() { unsigned r; asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(r)); return r; }
__device__ unsigned up_to() { unsigned r; asm volatile ("mov.u32 %0, %lanemask_le;\n" : "=r"(r)); return r; }
__device__ void order() { asm volatile("membar.gl;" ::: "memory"); }
__device__ int swap(int v) { int r; asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(v), "r"(1)); return r; }
__device__ unsigned now() { unsigned r; asm volatile("activemask.b32 %0;" : "=r"(r)); return r; }
