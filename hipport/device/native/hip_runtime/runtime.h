// What the files of this HIP host runtime share: the error state, device memory, the target's numbers, the modules.
//
// The runtime stands where libamdhip64 would. Device memory is host memory, kernels run on the isa executor before the
// call returns, so every stream is in order and every copy is done when its call ends. A call that is not provided is
// answered by a stub that the linker step generates: "not provided: NAME", exit code 5.
#pragma once
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_DISABLE_CPP_FUNCTIONS__ 1
#include <hip/hip_runtime_api.h>

#include "../abi.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace hipport {

// Remembers an error for hipGetLastError and returns it.
hipError_t answer(hipError_t error);

// Ends the process: prints "hipport: not provided: WHAT", records it, exit code 5.
[[noreturn]] void not_provided(const char* what);
// Ends the process with the given exit code; `json` (one object) goes to the result file, `text` to stderr.
[[noreturn]] void stop(int code, const std::string& text, const std::string& json);
// Appends one JSON object, on a line of its own, to the file that HIPPORT_RESULT names; nothing without one.
void record(const std::string& json);
std::string quoted(const std::string& text);

// The chosen target's numbers: `key value` lines of the file that HIPPORT_DEVICE names (written from rules/targets.yaml).
struct Device {
  std::string name = "hipport isa executor", arch;
  uint64_t memory_bytes = 0, memory_limit = 0;
  uint32_t wave_size = 0, lds_bytes = 0, lds_granule = 0, threads_per_block = 0, threads_per_cu = 0, waves_per_simd = 0;
  uint32_t simds_per_cu = 0, vgprs_per_simd_lane = 0, vgpr_granule = 0, compute_units = 0, clock_khz = 0, l2_bytes = 0;
  uint32_t blocks_per_cu = 0, clock_counter_khz = 0;
  uint32_t threads = 1;          // host threads that run blocks
  std::string order = "in";      // in | random:SEED
  uint64_t instruction_budget = 0;
  uint32_t lds_banks = 0;
  bool poison = true;
};
const Device& device();

// abi.h also has a function of this name.
using LaunchCall = struct ::hipport_launch;

enum class Kind { device, managed, host, registered, symbol };

// One stretch of memory that kernels may use. `owner` is what is freed; null where the program owns the memory.
struct Block {
  uint64_t begin, end;
  Kind kind;
  unsigned flags;
  void* owner;
  size_t mapped;
  std::string name;       // for fault messages: `hipMalloc #3`
  uint8_t* shadow;        // as hipport_allocation's; null = not tracked
  const void* module;     // of a symbol: the module that defines it
};

// Every stretch of device memory, by address. Callers hold `lock()`.
class Memory {
 public:
  void* allocate(size_t bytes, Kind kind, unsigned flags);
  void adopt(void* begin, size_t bytes, Kind kind, const std::string& name, const void* module = nullptr);
  bool release(const void* pointer);
  // The block that holds `pointer`, or null.
  const Block* find(const void* pointer) const;
  // False where [pointer, pointer+bytes) begins in a block and runs over its end.
  bool fits(const void* pointer, size_t bytes) const;
  const std::map<uint64_t, Block>& blocks() const { return blocks_; }
  uint64_t used() const { return used_; }
  uint64_t generation() const { return generation_; }

 private:
  std::map<uint64_t, Block> blocks_;
  uint64_t used_ = 0, generation_ = 0, count_ = 0;
};
Memory& memory();
std::recursive_mutex& lock();

// One kernel and the loaded module that it belongs to.
struct Kernel {
  const struct Module* module;
  uint32_t index;
  const hipport_kernel& entry() const;
};
struct Module {
  const hipport_module* header;
  int (*launch)(const LaunchCall*, hipport_fault*, hipport_counts*);
  std::map<std::string, uint32_t> kernels;
};
// The module of an image that `hipport run` made (a line naming the shared object), loaded once; null if it is another image.
const Module* load_module(const void* image);
const Kernel* kernel_of(const void* host_function);   // null if none is registered under that address
const Kernel* module_kernel(const void* function);    // the kernel that a hipFunction_t is; null if it is none
const Kernel* kernel_named(const Module* module, const char* name);
// The address and size of a device variable, by its host shadow or by its name in a module.
bool symbol(const void* host_variable, void** address, size_t* bytes);
bool symbol_named(const Module* module, const char* name, void** address, size_t* bytes);

struct Shape {
  dim3 grid, block;
  size_t dynamic_lds;
  bool cooperative;
  bool by_module = false;  // launched by hipModuleLaunchKernel and the like
};
// Runs a kernel to its end. `kernarg` holds its explicit arguments at their offsets. A fault ends the process.
hipError_t launch(const Kernel& kernel, const Shape& shape, const std::vector<char>& kernarg);
// Blocks of `threads` threads that one compute unit holds at once: the least of what waves, registers and LDS allow.
int resident_blocks(const hipport_kernel& kernel, int threads, size_t dynamic_lds);
hipError_t error_named(const char* name);             // hipErrorUnknown if there is none of that name
void write_launches();                                // what ran, for the result file

// Bytes that the host wrote (or copied): they count as initialised.
void written(const void* pointer, size_t bytes);
void copied(const void* destination, const void* source, size_t bytes);

}  // namespace hipport
