// Kernel launches: arguments -> kernarg segment -> the executor; a fault ends the process with its report.
#include "runtime.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hipport {
namespace {
// What one kernel did so far in this process.
struct Totals {
  const Module* module;
  uint64_t launches = 0;
  double seconds = 0;
  Shape last{};
  hipport_counts counts{};
};
std::map<std::string, Totals>& totals() {
  static auto* all = new std::map<std::string, Totals>;
  return *all;
}

const char* const kClasses[HIPPORT_CLASSES] = {"scalar",  "scalar_memory", "branch",      "vector",       "vector_64",     "transcendental",
                                               "cross_lane", "matrix",     "lds",         "lds_atomic",   "global_load",   "global_store",
                                               "global_atomic", "scratch", "barrier",     "other"};

// Every count by its name. A visitor, so that summing and printing cannot drift apart.
template <class Visit>
void each_count(hipport_counts& c, Visit visit) {
  visit("waves", c.waves, false);
  visit("retired", c.retired, false);
  visit("vector_lanes", c.vector_lanes, false);
  visit("global_load_bytes", c.global_load_bytes, false);
  visit("global_store_bytes", c.global_store_bytes, false);
  visit("global_atomic_bytes", c.global_atomic_bytes, false);
  visit("scalar_load_bytes", c.scalar_load_bytes, false);
  visit("scratch_bytes", c.scratch_bytes, false);
  visit("lds_load_bytes", c.lds_load_bytes, false);
  visit("lds_store_bytes", c.lds_store_bytes, false);
  visit("lds_accesses", c.lds_accesses, false);
  visit("lds_conflicts", c.lds_conflicts, false);
  visit("global_segments", c.global_segments, false);
  visit("global_atomic_lanes", c.global_atomic_lanes, false);
  visit("global_atomic_worst", c.global_atomic_worst, true);
  visit("lds_atomic_lanes", c.lds_atomic_lanes, false);
  visit("lds_atomic_worst", c.lds_atomic_worst, true);
}

void add(hipport_counts& sum, hipport_counts& more) {
  std::vector<uint64_t> values;
  each_count(more, [&](const char*, uint64_t& value, bool) { values.push_back(value); });
  size_t i = 0;
  each_count(sum, [&](const char*, uint64_t& value, bool largest) {
    value = largest ? std::max(value, values[i]) : value + values[i];
    ++i;
  });
  for (int k = 0; k < HIPPORT_CLASSES; ++k) sum.instructions[k] += more.instructions[k];
  for (size_t k = 0; k < sizeof sum.approximate; ++k) sum.approximate[k] |= more.approximate[k];
}

std::string triple(const dim3& d) {
  return "[" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + "]";
}
std::string triple(const uint32_t (&d)[3]) { return triple(dim3(d[0], d[1], d[2])); }

std::string launch_json(const std::string& name, Totals& t) {
  std::string out = "{\"event\": \"kernel\", \"kernel\": " + quoted(name) + ", \"launches\": " + std::to_string(t.launches) +
                    ", \"seconds\": " + std::to_string(t.seconds) + ", \"grid\": " + triple(t.last.grid) + ", \"block\": " +
                    triple(t.last.block) + ", \"profiled\": " + (t.module->header->profiled ? "true" : "false") + ", \"approximate\": [";
  bool first = true;
  for (uint32_t i = 0; i < t.module->header->approximate_count && i < sizeof t.counts.approximate; ++i) {
    if (!t.counts.approximate[i]) continue;
    out += (first ? "" : ", ") + quoted(t.module->header->approximate[i]);
    first = false;
  }
  out += "], \"counts\": {";
  each_count(t.counts, [&](const char* key, uint64_t value, bool) { out += quoted(key) + ": " + std::to_string(value) + ", "; });
  out += "\"instructions\": {";
  for (int k = 0; k < HIPPORT_CLASSES; ++k)
    out += (k ? ", " : "") + quoted(kClasses[k]) + ": " + std::to_string(t.counts.instructions[k]);
  return out + "}}}";
}

std::string fault_json(const hipport_fault& f) {
  char address[32];
  std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(f.address));
  return "{\"event\": \"fault\", \"kind\": " + std::to_string(f.kind) + ", \"kernel\": " + quoted(f.kernel) + ", \"file\": " + quoted(f.file) +
         ", \"line\": " + std::to_string(f.line) + ", \"column\": " + std::to_string(f.column) + ", \"assembly_line\": " +
         std::to_string(f.assembly_line) + ", \"block\": " + triple(f.block) + ", \"thread\": " + triple(f.thread) + ", \"wave\": " +
         std::to_string(f.wave) + ", \"lane\": " + std::to_string(f.lane) + ", \"address\": " + quoted(address) + ", \"size\": " +
         std::to_string(f.size) + ", \"hip_error\": " + quoted(f.hip_error) + ", \"opcode\": " + quoted(f.opcode) + ", \"message\": " +
         quoted(f.message) + "}";
}

// What kernels of `module` may touch, but for its own variables.
const std::vector<hipport_allocation>& allocations(const Module* module) {
  static auto* cached = new std::vector<hipport_allocation>;
  static uint64_t generation = ~uint64_t{0};
  static const Module* of = nullptr;
  if (generation == memory().generation() && of == module) return *cached;
  cached->clear();
  for (const auto& [address, block] : memory().blocks()) {
    if (block.module == module) continue;
    cached->push_back(hipport_allocation{address, block.end - block.begin, block.name.c_str(), block.shadow, 1, 0});
  }
  generation = memory().generation();
  of = module;
  return *cached;
}

LaunchCall description(const Kernel& kernel, const Shape& shape, const std::vector<char>& kernarg) {
  const Device& d = device();
  const std::vector<hipport_allocation>& ranges = allocations(kernel.module);
  LaunchCall l{};
  l.abi = HIPPORT_ABI;
  l.kernel = kernel.index;
  const uint32_t grid[3] = {shape.grid.x, shape.grid.y, shape.grid.z}, block[3] = {shape.block.x, shape.block.y, shape.block.z};
  std::memcpy(l.grid, grid, sizeof grid);
  std::memcpy(l.block, block, sizeof block);
  l.lds_dynamic = static_cast<uint32_t>(shape.dynamic_lds);
  l.lds_limit = d.lds_bytes;
  l.lds_banks = d.lds_banks;
  l.threads = d.threads;
  l.order = d.order == "in" ? HIPPORT_ORDER_IN : HIPPORT_ORDER_RANDOM;
  l.seed = d.order == "in" ? 0 : std::strtoull(d.order.c_str() + d.order.find(':') + 1, nullptr, 10);
  l.flags = (d.poison ? static_cast<uint32_t>(HIPPORT_POISON) : 0u) | (shape.cooperative ? static_cast<uint32_t>(HIPPORT_COOPERATIVE) : 0u);
  l.budget = d.instruction_budget;
  l.kernarg = kernarg.data();
  l.kernarg_bytes = static_cast<uint32_t>(kernarg.size());
  l.allocations = ranges.data();
  l.allocation_count = static_cast<uint32_t>(ranges.size());
  return l;
}

hipError_t launch_by_address(const void* host_function, const Shape& shape, void** arguments) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Kernel* kernel = kernel_of(host_function);
  if (kernel == nullptr) return answer(hipErrorInvalidDeviceFunction);
  const hipport_kernel& entry = kernel->entry();
  std::vector<char> kernarg(entry.kernarg_size);
  for (uint32_t i = 0, taken = 0; i < entry.arg_count; ++i) {
    const hipport_arg& argument = entry.args[i];
    if (argument.kind < HIPPORT_ARG_HIDDEN) std::memcpy(kernarg.data() + argument.offset, arguments[taken++], argument.size);
  }
  return launch(*kernel, shape, kernarg);
}

struct Configuration {
  Shape shape;
  hipStream_t stream;
};
thread_local std::vector<Configuration> configurations;
}  // namespace

void write_launches() {
  const std::lock_guard<std::recursive_mutex> held(lock());
  for (auto& [name, entry] : totals()) record(launch_json(name, entry));
  totals().clear();
}

hipError_t launch(const Kernel& kernel, const Shape& shape, const std::vector<char>& kernarg) {
  static const int registered = std::atexit(write_launches);
  (void)registered;
  if (shape.dynamic_lds > UINT32_MAX) return answer(hipErrorInvalidValue);
  const uint64_t block_threads = uint64_t{shape.block.x} * shape.block.y * shape.block.z;
  // of a block that could run: the other launches are refused below, by what is wrong with them
  if (shape.cooperative && block_threads > 0 && block_threads <= kernel.entry().max_block && shape.dynamic_lds <= device().lds_bytes) {
    const uint64_t blocks = uint64_t{shape.grid.x} * shape.grid.y * shape.grid.z;
    const int resident = resident_blocks(kernel.entry(), static_cast<int>(block_threads), shape.dynamic_lds);
    if (blocks > uint64_t{device().compute_units} * static_cast<unsigned>(resident))
      return answer(hipErrorCooperativeLaunchTooLarge);
  }
  const LaunchCall what = description(kernel, shape, kernarg);
  hipport_fault fault{};
  hipport_counts counts{};
  const auto start = std::chrono::steady_clock::now();
  const int outcome = kernel.module->launch(&what, &fault, &counts);
  if (outcome == HIPPORT_REFUSED) {
    // hipModuleLaunchKernel calls every shape that it refuses an invalid value
    if (shape.by_module && !std::strcmp(fault.hip_error, "hipErrorInvalidConfiguration"))
      std::strcpy(fault.hip_error, "hipErrorInvalidValue");
    record(fault_json(fault));
    return answer(error_named(fault.hip_error));
  }
  Totals& sum = totals()[kernel.entry().name];
  sum.module = kernel.module;
  ++sum.launches;
  sum.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  sum.last = shape;
  add(sum.counts, counts);
  if (outcome != HIPPORT_OK) stop(outcome >= HIPPORT_UNKNOWN_OPCODE ? 5 : 3, fault.message, fault_json(fault));
  return hipSuccess;
}
}  // namespace hipport

using namespace hipport;

extern "C" {
hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_lds, hipStream_t stream) {
  configurations.push_back({{grid, block, dynamic_lds, false}, stream});
  return hipSuccess;
}
hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* dynamic_lds, hipStream_t* stream) {
  if (configurations.empty()) return answer(hipErrorMissingConfiguration);
  const Configuration top = configurations.back();
  configurations.pop_back();
  *grid = top.shape.grid;
  *block = top.shape.block;
  *dynamic_lds = top.shape.dynamic_lds;
  *stream = top.stream;
  return hipSuccess;
}
hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t dynamic_lds, hipStream_t) {
  return launch_by_address(function, {grid, block, dynamic_lds, false}, arguments);
}
hipError_t hipExtLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t dynamic_lds, hipStream_t stream,
                              hipEvent_t start, hipEvent_t end, int) {
  if (start != nullptr) (void)hipEventRecord(start, stream);
  const hipError_t error = hipLaunchKernel(function, grid, block, arguments, dynamic_lds, stream);
  if (end != nullptr) (void)hipEventRecord(end, stream);
  return error;
}
hipError_t hipLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments, unsigned dynamic_lds, hipStream_t) {
  return launch_by_address(function, {grid, block, dynamic_lds, true}, arguments);
}
hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* function, void** arguments) {
  if (config == nullptr) return answer(hipErrorInvalidValue);
  bool cooperative = false;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    if (config->attrs[i].id != hipLaunchAttributeCooperative) not_provided("a launch attribute other than cooperative");
    cooperative = config->attrs[i].value.cooperative != 0;
  }
  return launch_by_address(function, {config->gridDim, config->blockDim, config->dynamicSmemBytes, cooperative}, arguments);
}
static hipError_t launch_function(hipFunction_t function, const Shape& shape, void** arguments, void** extra) {
  if (function == nullptr) return answer(hipErrorInvalidResourceHandle);
  constexpr uint32_t most_x = INT32_MAX, most_yz = UINT16_MAX + 1;
  if (shape.grid.x > most_x || shape.grid.y > most_yz || shape.grid.z > most_yz) return answer(hipErrorInvalidValue);
  if ((arguments != nullptr) && (extra != nullptr)) return answer(hipErrorInvalidValue);
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Kernel& kernel = *reinterpret_cast<const Kernel*>(function);
  const hipport_kernel& entry = kernel.entry();
  std::vector<char> kernarg(entry.kernarg_size);
  if (extra != nullptr) {
    if (extra[0] != HIP_LAUNCH_PARAM_BUFFER_POINTER || extra[2] != HIP_LAUNCH_PARAM_BUFFER_SIZE) return answer(hipErrorInvalidValue);
    std::memcpy(kernarg.data(), extra[1], std::min<size_t>(*static_cast<size_t*>(extra[3]), kernarg.size()));
  }
  for (uint32_t i = 0, taken = 0; arguments != nullptr && i < entry.arg_count; ++i)
    if (entry.args[i].kind < HIPPORT_ARG_HIDDEN) std::memcpy(kernarg.data() + entry.args[i].offset, arguments[taken++], entry.args[i].size);
  return launch(kernel, shape, kernarg);
}
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                 unsigned dynamic_lds, hipStream_t, void** arguments, void** extra) {
  return launch_function(function, {dim3(gx, gy, gz), dim3(bx, by, bz), dynamic_lds, false, true}, arguments, extra);
}
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                            unsigned bz, unsigned dynamic_lds, hipStream_t, void** arguments) {
  return launch_function(function, {dim3(gx, gy, gz), dim3(bx, by, bz), dynamic_lds, true, true}, arguments, nullptr);
}
}
