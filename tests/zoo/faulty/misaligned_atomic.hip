//! grid = 1
//! block = 1
//! [[arg]]
//! name = "bytes"
//! dtype = "uint8"
//! shape = 64
//! [[arg]]
//! name = "n"
//! value = 2
#include <hip/hip_runtime.h>

// A counter at an odd place of a byte buffer.
__global__ void k(unsigned char* bytes, int n) {
  atomicAdd(reinterpret_cast<int*>(bytes + n), 1);  // fault: misaligned
}
