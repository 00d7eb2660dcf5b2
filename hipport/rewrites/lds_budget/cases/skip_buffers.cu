// Buffers, files and memory between processes of these sizes, guards of an opt-in, and questions to the device.
#include <fstream>
#include <memory>
constexpr int kFileBuffer = 64 * 1024, kChunk = 48 * 1024, kBatch = 49152, kQueue = 99 * 1024, kMaxGrid = 65536;
char io_buffer[65536];
__global__ void k(float* x) { x[0] = 1; }
void save(std::ofstream& f) { f.rdbuf()->pubsetbuf(io_buffer, 64 * 1024); }
std::shared_ptr<char> held(new char[64 * 1024]);
int shared_memory_file_size = 96 * 1024;
void between() { auto* at = ipc_shared_memory(65536), *other = mmap_shared_mem(nullptr, 96 << 10); }
int shared_exp_count = 65536, shmem_heap_of_nvshmem = 64 << 10;
enum { kSharedCacheLines = 164 };
const char* said = "shared memory of 48 * 1024";
int tile(const cudaDeviceProp& prop, int smem_size) {
  if (smem_size >= 48 * 1024) {
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, smem_size);
  }
  if (prop.sharedMemPerBlockOptin >= 96 * 1024) return 128;
  return 99 * 1024 <= prop.sharedMemPerBlockOptin ? 64 : 32;
}
