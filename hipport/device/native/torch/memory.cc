// PyTorch's CPU allocator in a process that runs an extension without a GPU: every tensor is a block of its own that the
// device's runtime knows, so that a kernel's access past its end is seen. Fresh memory holds a pattern: what nobody wrote
// is seen by comparing two runs with two patterns.
#include <hipport_torch/gpu.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {
int pattern = 0;
// Runtimes of other modules in this process, which must know of the memory too.
struct Sharer {
  int (*known)(void*, size_t, unsigned);
  int (*forgotten)(void*);
};
std::vector<Sharer>& sharers() {
  static auto* all = new std::vector<Sharer>;
  return *all;
}

class DeviceMemory final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    void* pointer = nullptr;
    if (bytes != 0) {
      const auto error = HIPPORT_GPU(MallocManaged)(&pointer, bytes, HIPPORT_GPU(MemAttachGlobal));
      TORCH_CHECK(error == HIPPORT_GPU(Success), "no memory for a tensor of ", bytes, " bytes");
      std::memset(pointer, pattern, bytes);
      for (const Sharer& other : sharers()) (void)other.known(pointer, bytes, 0);
    }
    return {pointer, pointer, &release, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }

 private:
  static void release(void* pointer) {
    if (!pointer) return;
    for (const Sharer& other : sharers()) (void)other.forgotten(pointer);
    (void)HIPPORT_GPU(Free)(pointer);
  }
};
}  // namespace

#if defined(USE_ROCM)
namespace hipport {
void write_launches();
}
#define HIPPORT_TELL hipport::write_launches
#else
namespace hipport_wave {
void write_kernels();
}
#define HIPPORT_TELL hipport_wave::write_kernels
// What the platform's libraries would give ends here.
extern "C" [[noreturn]] __attribute__((weak)) void hipport_not_provided(const char* name) {
  std::fprintf(stderr, "hipport: not provided: %s\n", name);
  const char* path = std::getenv("HIPPORT_RESULT");
  if (std::FILE* file = path ? std::fopen(path, "a") : nullptr) {
    std::fprintf(file, "{\"event\": \"not_provided\", \"name\": \"%s\"}\n", name);
    std::fclose(file);
  }
  _exit(5);
}
#endif

extern "C" {
// Writes down what kernels did since the last call.
__attribute__((visibility("default"))) void hipport_torch_told() { HIPPORT_TELL(); }

// Another module's runtime: how it is told of host memory, and that it is gone.
__attribute__((visibility("default"))) void hipport_torch_share(int (*known)(void*, size_t, unsigned), int (*forgotten)(void*)) {
  sharers().push_back({known, forgotten});
}

// From now on tensors are made of device memory, filled with `byte`.
__attribute__((visibility("default"))) void hipport_torch_install(int byte) {
  static auto* memory = new DeviceMemory;
  pattern = byte;
  c10::SetCPUAllocator(memory, 100);
}
}
