// Occupancy: from the compiled kernel's registers and LDS and the target's numbers.
#include "runtime.h"

#include <algorithm>

using namespace hipport;

namespace {
uint32_t rounded(uint32_t value, uint32_t unit) { return unit ? (value + unit - 1) / unit * unit : value; }

}  // namespace

namespace hipport {
int resident_blocks(const hipport_kernel& kernel, int threads, size_t dynamic_lds) {
  const Device& d = device();
  if (threads <= 0 || static_cast<uint32_t>(threads) > std::min(d.threads_per_block, kernel.max_block)) return 0;
  const uint32_t waves = (static_cast<uint32_t>(threads) + d.wave_size - 1) / d.wave_size;
  const uint32_t registers = rounded(std::max(1u, kernel.vgprs + kernel.agprs), d.vgpr_granule);
  const uint32_t per_simd = std::min(d.waves_per_simd, d.vgprs_per_simd_lane / registers);
  uint32_t blocks = std::min(per_simd * d.simds_per_cu / waves, d.blocks_per_cu);
  const uint64_t lds = rounded(static_cast<uint32_t>(kernel.lds_static + dynamic_lds), d.lds_granule);
  if (lds > d.lds_bytes) return 0;
  if (lds > 0) blocks = std::min(blocks, static_cast<uint32_t>(d.lds_bytes / lds));
  return static_cast<int>(blocks);
}

}  // namespace hipport

namespace {
hipError_t occupancy(int* blocks, const Kernel* kernel, int threads, size_t dynamic_lds) {
  if (blocks == nullptr || threads <= 0) return answer(hipErrorInvalidValue);
  if (kernel == nullptr) return answer(hipErrorInvalidDeviceFunction);
  *blocks = resident_blocks(kernel->entry(), threads, dynamic_lds);
  return hipSuccess;
}

// The block size with the most resident threads; the largest of equals. The grid fills the device once.
hipError_t best_block(int* grid, int* block, const Kernel* kernel, size_t dynamic_lds, int limit) {
  if (grid == nullptr || block == nullptr) return answer(hipErrorInvalidValue);
  if (kernel == nullptr) return answer(hipErrorInvalidDeviceFunction);
  const Device& d = device();
  int largest = static_cast<int>(std::min(d.threads_per_block, kernel->entry().max_block));
  if (limit > 0) largest = std::min(largest, limit);
  int best = 0, resident = 0;
  for (int threads = largest; threads > 0; threads -= static_cast<int>(d.wave_size)) {
    const int blocks = resident_blocks(kernel->entry(), threads, dynamic_lds);
    if (blocks * threads <= best * resident) continue;
    best = threads;
    resident = blocks;
  }
  *block = best;
  *grid = resident * static_cast<int>(d.compute_units);
  return hipSuccess;
}
const Kernel* as_kernel(hipFunction_t function) { return reinterpret_cast<const Kernel*>(function); }
}  // namespace

extern "C" {
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads, size_t dynamic_lds) {
  return occupancy(blocks, kernel_of(function), threads, dynamic_lds);
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads, size_t dynamic_lds, unsigned) {
  return occupancy(blocks, kernel_of(function), threads, dynamic_lds);
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t function, int threads, size_t dynamic_lds) {
  return occupancy(blocks, as_kernel(function), threads, dynamic_lds);
}
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* function, size_t dynamic_lds, int limit) {
  return best_block(grid, block, kernel_of(function), dynamic_lds, limit);
}
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t function, size_t dynamic_lds, int limit) {
  return best_block(grid, block, as_kernel(function), dynamic_lds, limit);
}
}
