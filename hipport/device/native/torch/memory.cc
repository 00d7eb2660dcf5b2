// PyTorch's CPU allocator in a process that runs an extension without a GPU: every tensor is a block of its own that the
// device's runtime knows, so that a kernel's access past its end is seen. Fresh memory holds a pattern: what nobody wrote
// is seen by comparing two runs with two patterns.
#include <hipport_torch/gpu.h>

#include <cstring>

namespace {
int pattern = 0;

class DeviceMemory final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    void* pointer = nullptr;
    if (bytes != 0) {
      TORCH_CHECK(HIPPORT_GPU(MallocManaged)(&pointer, bytes, HIPPORT_GPU(MemAttachGlobal)) == HIPPORT_GPU(Success), "no memory for a tensor of ", bytes, " bytes");
      std::memset(pointer, pattern, bytes);
    }
    return {pointer, pointer, &release, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }

 private:
  static void release(void* pointer) {
    if (pointer) (void)HIPPORT_GPU(Free)(pointer);
  }
};
}  // namespace

#if defined(USE_ROCM)
namespace hipport {
void write_launches();
}
#endif

// Writes down what kernels did since the last call.
extern "C" void hipport_torch_told() {
#if defined(USE_ROCM)
  hipport::write_launches();
#endif
}

// From now on tensors are made of device memory, filled with `byte`.
extern "C" void hipport_torch_install(int byte) {
  static auto* memory = new DeviceMemory;
  pattern = byte;
  c10::SetCPUAllocator(memory, 100);
}
