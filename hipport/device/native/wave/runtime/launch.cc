// A launch: its shape, its limits, its memory; by name from outside, or by the program itself.
#include "access.h"
#include "host_state.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>
#include <sys/mman.h>

namespace hipport_wave {

struct Shape {
  Dim3Like grid, block;
  size_t shared;
  bool cooperative;
};
static thread_local Shape shape;
struct Settings {
  unsigned threads = 1;
  uint32_t lds_limit = 0;
  bool poison = true;
  uint64_t budget = 0, seed = 0;
  bool random = false;
};
Settings settings;
static struct hipport_fault *told;
static int ended;

void configure(Dim3Like grid, Dim3Like block, size_t shared, const void *, bool cooperative) {
  shape = {grid, block, shared, cooperative};
}

GlobalCell *cells_for(size_t bytes) {
  if (bytes > (256u << 20)) return nullptr;
  void *got = mmap(nullptr, (bytes / 4 + 2) * sizeof(GlobalCell), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return got == MAP_FAILED ? nullptr : (GlobalCell *)got;
}

void drop_cells(GlobalCell *cells, size_t bytes) {
  if (cells) munmap(cells, (bytes / 4 + 2) * sizeof(GlobalCell));
}

static bool refuse(struct hipport_fault &out, const char *kernel, const char *error, const char *format, unsigned long long a,
                   unsigned long long b) {
  out = {};
  out.kind = HIPPORT_REFUSED;
  out.lane = -1;
  snprintf(out.kernel, sizeof out.kernel, "%s", kernel);
  snprintf(out.hip_error, sizeof out.hip_error, "%s", error);
  snprintf(out.message, sizeof out.message, format, a, b);
  return true;
}

static bool refused(const Shape &s, const char *kernel, struct hipport_fault &out) {
  const unsigned long long threads = (unsigned long long)s.block.x * s.block.y * s.block.z;
  const unsigned long long blocks = (unsigned long long)s.grid.x * s.grid.y * s.grid.z;
  const char *configuration = "hipErrorInvalidConfiguration";
  if (threads == 0 || blocks == 0) return refuse(out, kernel, configuration, "a launch of %llu blocks of %llu threads", blocks, threads);
  if (threads > MAX_THREADS) return refuse(out, kernel, configuration, "%llu threads in a block; the device takes %llu", threads, MAX_THREADS);
  if (blocks * threads > 1ull << 40) return refuse(out, kernel, configuration, "%llu threads are more than %llu", blocks * threads, 1ull << 40);
  if (settings.lds_limit && s.shared > settings.lds_limit)
    return refuse(out, kernel, "hipErrorInvalidValue", "%llu bytes of dynamic shared memory; a block has %llu", s.shared, settings.lds_limit);
  return false;
}

extern "C" {
extern void *const __start_hipport_contracted[] __attribute__((weak, visibility("hidden")));
extern void *const __stop_hipport_contracted[] __attribute__((weak, visibility("hidden")));
}

// Whether the kernel multiplies and adds: the build lists those that do.
static bool contracted(const void *invoke) {
  for (void *const *at = __start_hipport_contracted; at && at < __stop_hipport_contracted; at++)
    if (*at == invoke) return true;
  return false;
}

static void settle();

// The host's own thread-local variables lie beside the shared ones, which a launch writes over: kept and given back.
class HostVariables {
 public:
  HostVariables() {
    size_t bytes = 0;
    thread_local_image(base_, bytes);
    for (const Variable &v : shared_variables) kept_.insert(kept_.end(), (char *)(base_ + v.offset), (char *)(base_ + v.offset + v.size));
  }
  void give_back() const {
    const char *at = kept_.data();
    for (const Variable &v : shared_variables) {
      memcpy((void *)(base_ + v.offset), at, v.size);
      at += v.size;
    }
  }

 private:
  uintptr_t base_ = 0;
  std::vector<char> kept_;
};

void run(const void *body, size_t bytes, void (*invoke)(const void *), const char *kernel) {
  if (on_device()) not_modelled("a launch from a kernel");
  static struct hipport_fault spare;
  struct hipport_fault *out = told ? told : &spare;
  load_module();
  if (!told) settle();
  if (refused(shape, kernel, *out)) {
    ended = HIPPORT_REFUSED;
    if (told) return;
    answer(strcmp(out->hip_error, "hipErrorInvalidValue") ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue);
    note_fault(*out);
    return;
  }
  Job job;
  job.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
  job.block = {shape.block.x, shape.block.y, shape.block.z};
  job.threads = shape.block.x * shape.block.y * shape.block.z;
  job.shared = shape.shared;
  job.body = body, job.body_bytes = bytes, job.invoke = invoke, job.kernel = kernel;
  job.poison = settings.poison;
  job.cooperative = shape.cooperative;
  job.budget = settings.budget;
  job.blocks = (uint64_t)shape.grid.x * shape.grid.y * shape.grid.z;
  job.workers = job.cooperative ? 1 : (unsigned)std::min<uint64_t>(std::max(settings.threads, 1u), job.blocks);
  job.fault = out;
  if (settings.random) {
    job.order.resize(job.blocks);
    for (uint64_t i = 0; i < job.blocks; i++) job.order[i] = i;
    std::shuffle(job.order.begin(), job.order.end(), std::mt19937_64(settings.seed));
  }
  memset(approximate_used, 0, sizeof approximate_used);
  approximate_used[1] = contracted((const void *)invoke);  // its place in approximate.inc
  const auto started = std::chrono::steady_clock::now();
  const HostVariables own;
  ended = run_job(job);
  own.give_back();
  if (told) return;
  note_launch(kernel, job.grid, job.block, std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count(), approximate_used);
  if (ended == HIPPORT_OK) return;
  fprintf(stderr, "hipport: %s: %s\n", kernel, out->message);
  note_fault(*out);
  stop_program(ended >= HIPPORT_UNKNOWN_OPCODE ? 5 : 3);
}

// A program's own launches keep to the device that $HIPPORT_DEVICE describes.
static void settle() {
  static const bool once = [] {
    settings.threads = (unsigned)device_number("threads", 1);
    settings.lds_limit = (uint32_t)device_number("lds_bytes", 232448);
    settings.poison = device_number("poison", 1) != 0;
    settings.budget = device_number("instruction_budget", 0);
    const std::string order = device_text("order");
    settings.random = order.compare(0, 6, "random") == 0;
    if (settings.random && order.size() > 7) settings.seed = strtoull(order.c_str() + 7, nullptr, 10);
    return true;
  }();
  (void)once;
}

cudaError_t launched() {
  const cudaError_t e = ended == HIPPORT_REFUSED ? cudaErrorInvalidConfiguration : cudaSuccess;
  ended = HIPPORT_OK;
  return e;
}

cudaError_t launch_by_address(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, bool cooperative) {
  const Registered *k = registered(function);
  if (k == nullptr) return answer(cudaErrorInvalidDeviceFunction);
  std::vector<char> bytes(k->bytes + 16);
  for (unsigned i = 0; i < k->count; i++) memcpy(bytes.data() + k->parameters[i].offset, arguments[i], k->parameters[i].size);
  configure(grid, block, shared, nullptr, cooperative);
  k->call(k->function, bytes.data());
  return launched();
}

}  // namespace hipport_wave

using namespace hipport_wave;

static void take_memory(const struct hipport_launch &launch) {
  memories.clear();
  for (uint32_t i = 0; i < launch.allocation_count; i++) {
    const struct hipport_allocation &a = launch.allocations[i];
    if (a.size == 0) continue;
    memories.push_back({(uintptr_t)a.base, (size_t)a.size, a.name, a.writable != 0, false, a.shadow, cells_for(a.size), {}});
    if (a.shadow) spoil((void *)a.base, a.size);  // of an array all bytes are undefined, or none
  }
  std::sort(memories.begin(), memories.end(), [](const Memory &a, const Memory &b) { return a.base < b.base; });
}

extern "C" __attribute__((visibility("default"))) int hipport_launch(const struct hipport_launch *launch, struct hipport_fault *fault,
                                                                     struct hipport_counts *counts) {
  memset(fault, 0, sizeof *fault);
  memset(counts, 0, sizeof *counts);
  take_memory(*launch);
  settings.threads = launch->threads;
  settings.lds_limit = launch->lds_limit;
  settings.poison = launch->flags & HIPPORT_POISON;
  settings.budget = launch->budget;
  settings.random = launch->order == HIPPORT_ORDER_RANDOM;
  settings.seed = launch->seed;
  const auto *k = (const Registered *)hipport_module.kernels[launch->kernel].code;
  configure({launch->grid[0], launch->grid[1], launch->grid[2]}, {launch->block[0], launch->block[1], launch->block[2]},
            launch->lds_dynamic, nullptr, launch->flags & HIPPORT_COOPERATIVE);
  told = fault;
  ended = HIPPORT_OK;
  k->call(k->function, (const char *)launch->kernarg);
  memcpy(counts->approximate, approximate_used, sizeof counts->approximate);
  told = nullptr;
  return ended;
}
