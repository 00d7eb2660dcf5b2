// Loaded modules, and what the compiler's start-up code registers: kernels and device variables by their host addresses.
#include "runtime.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>

namespace hipport {
namespace {
constexpr char kMagic[] = "HIPPORT-MODULE 1\n";  // then the path of the shared object, ended by a newline

// The layout that clang gives the object that __hipRegisterFatBinary receives.
struct FatBinary {
  uint32_t magic, version;
  const void* binary;
  void* unused;
};

struct Variable {
  const Module* module;
  std::string name;
};
struct Function {
  const Module* module;
  std::string name;
};

struct Registry {
  std::map<std::string, Module> by_path;
  std::map<const void*, Function> functions;
  std::map<const void*, Variable> variables;
  std::map<std::pair<const Module*, uint32_t>, Kernel> kernels;
};
Registry& registry() {
  static auto* all = new Registry;
  return *all;
}

const Module* open_module(const std::string& path) {
  Registry& all = registry();
  const auto known = all.by_path.find(path);
  if (known != all.by_path.end()) return &known->second;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) not_provided((std::string("loading the device code: ") + dlerror()).c_str());
  const auto* header = static_cast<const hipport_module*>(dlsym(library, "hipport_module"));
  void* entry = dlsym(library, "hipport_launch");
  if (header == nullptr || entry == nullptr || header->abi != HIPPORT_ABI)
    not_provided(("device code made for another version: " + path).c_str());
  Module& module = all.by_path[path];
  module.header = header;
  std::memcpy(&module.launch, &entry, sizeof entry);
  for (uint32_t i = 0; i < header->kernel_count; ++i) module.kernels[header->kernels[i].name] = i;
  for (uint32_t i = 0; i < header->symbol_count; ++i) {
    const hipport_symbol& symbol = header->symbols[i];
    if (symbol.size != 0) memory().adopt(symbol.address, symbol.size, Kind::symbol, std::string("variable ") + symbol.name, &module);
  }
  return &module;
}
}  // namespace

const hipport_kernel& Kernel::entry() const { return module->header->kernels[index]; }

const Module* load_module(const void* image) {
  const char* text = static_cast<const char*>(image);
  if (text == nullptr || std::strncmp(text, kMagic, sizeof kMagic - 1) != 0) return nullptr;
  text += sizeof kMagic - 1;
  return open_module(std::string(text, std::strchr(text, '\n')));
}

const Kernel* kernel_named(const Module* module, const char* name) {
  const auto found = module->kernels.find(name);
  if (found == module->kernels.end()) return nullptr;
  Kernel& kernel = registry().kernels[{module, found->second}];
  kernel = Kernel{module, found->second};
  return &kernel;
}

const Kernel* module_kernel(const void* function) {
  for (const auto& [key, kernel] : registry().kernels)
    if (&kernel == function) return &kernel;
  return nullptr;
}

const Kernel* kernel_of(const void* host_function) {
  const auto found = registry().functions.find(host_function);
  return found == registry().functions.end() ? nullptr : kernel_named(found->second.module, found->second.name.c_str());
}

bool symbol_named(const Module* module, const char* name, void** address, size_t* bytes) {
  for (uint32_t i = 0; i < module->header->symbol_count; ++i) {
    const hipport_symbol& symbol = module->header->symbols[i];
    if (std::strcmp(symbol.name, name) != 0) continue;
    *address = symbol.address;
    *bytes = symbol.size;
    return true;
  }
  return false;
}

bool symbol(const void* host_variable, void** address, size_t* bytes) {
  const auto found = registry().variables.find(host_variable);
  return found != registry().variables.end() && symbol_named(found->second.module, found->second.name.c_str(), address, bytes);
}
}  // namespace hipport

using namespace hipport;

extern "C" {
// The handle that clang's start-up code passes on to the registrations is the module itself.
void** __hipRegisterFatBinary(const void* data) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Module* module = load_module(static_cast<const FatBinary*>(data)->binary);
  if (module == nullptr) not_provided("device code that `hipport run` did not compile");
  return reinterpret_cast<void**>(const_cast<Module*>(module));
}
void __hipUnregisterFatBinary(void**) {}

void __hipRegisterFunction(void** handle, const void* host_function, char*, const char* name, unsigned, void*, void*, void*, void*, int*) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  registry().functions[host_function] = {reinterpret_cast<const Module*>(handle), name};
}
void __hipRegisterVar(void** handle, void* host_variable, char*, char* name, int, size_t, int, int) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  registry().variables[host_variable] = {reinterpret_cast<const Module*>(handle), name};
}
// A __managed__ variable: the host reads it through `*pointer`, device code through the pointer that is the symbol.
void __hipRegisterManagedVar(void* handle, void** pointer, void* initial, const char* name, size_t bytes, unsigned) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  const auto* module = static_cast<const Module*>(handle);
  void* place = memory().allocate(bytes, Kind::managed, 0);
  if (place == nullptr) not_provided("memory for a __managed__ variable");
  std::memcpy(place, initial, bytes);
  *pointer = place;
  void* slot = nullptr;
  size_t size = 0;
  if (symbol_named(module, name, &slot, &size) && size >= sizeof place) std::memcpy(slot, &place, sizeof place);
  registry().variables[pointer] = {module, name};
}
void __hipRegisterTexture(void**, void*, char*, char*, int, int, int) { not_provided("textures"); }
void __hipRegisterSurface(void**, void*, char*, char*, int, int) { not_provided("surfaces"); }

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Module* loaded = load_module(image);
  if (loaded == nullptr) not_provided("hipModuleLoadData of code that `hipport run` did not compile");
  *module = reinterpret_cast<hipModule_t>(const_cast<Module*>(loaded));
  return hipSuccess;
}
hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned, hipJitOption*, void**) { return hipModuleLoadData(module, image); }
hipError_t hipModuleLoad(hipModule_t* module, const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return answer(hipErrorFileNotFound);
  std::string image;
  char part[4096];
  for (size_t n; (n = std::fread(part, 1, sizeof part, file)) > 0;) image.append(part, n);
  std::fclose(file);
  return hipModuleLoadData(module, image.c_str());
}
hipError_t hipModuleUnload(hipModule_t) { return hipSuccess; }
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Kernel* kernel = kernel_named(reinterpret_cast<const Module*>(module), name);
  if (kernel == nullptr) return answer(hipErrorNotFound);
  *function = reinterpret_cast<hipFunction_t>(const_cast<Kernel*>(kernel));
  return hipSuccess;
}
hipError_t hipModuleGetGlobal(hipDeviceptr_t* address, size_t* bytes, hipModule_t module, const char* name) {
  size_t size = 0;
  const std::lock_guard<std::recursive_mutex> held(lock());
  return symbol_named(reinterpret_cast<const Module*>(module), name, address, bytes ? bytes : &size) ? hipSuccess : answer(hipErrorNotFound);
}
hipError_t hipGetFuncBySymbol(hipFunction_t* function, const void* host_function) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Kernel* kernel = kernel_of(host_function);
  if (kernel == nullptr) return answer(hipErrorInvalidDeviceFunction);
  *function = reinterpret_cast<hipFunction_t>(const_cast<Kernel*>(kernel));
  return hipSuccess;
}
}
