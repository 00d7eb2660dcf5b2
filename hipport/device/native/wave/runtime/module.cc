// The built module looked at from inside: its variables, its kernels, its lines, and the interface that abi.h describes.
#include "access.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <link.h>
#include <random>
#include <string>
#include <unistd.h>

namespace hipport_wave {

__attribute__((init_priority(101))) std::vector<Variable> shared_variables, global_variables;
uintptr_t module_low = ~(uintptr_t)0, module_high, writable_low = ~(uintptr_t)0, writable_high;
uint8_t approximate_used[64];
__attribute__((init_priority(101))) static std::string module_path;
static uintptr_t module_base;
static size_t image_bytes;

static int find_self(struct dl_phdr_info *info, size_t, void *out) {
  const uintptr_t self = (uintptr_t)&find_self;
  bool mine = false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &h = info->dlpi_phdr[i];
    if (h.p_type == PT_LOAD && self - (info->dlpi_addr + h.p_vaddr) < h.p_memsz) mine = true;
  }
  if (!mine) return 0;
  if (out != nullptr) {  // only the thread-local image of this thread
    *(uintptr_t *)out = (uintptr_t)info->dlpi_tls_data;
    return 1;
  }
  module_base = info->dlpi_addr;
  module_path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : "";
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &h = info->dlpi_phdr[i];
    if (h.p_type == PT_TLS) image_bytes = h.p_memsz;
    if (h.p_type != PT_LOAD) continue;
    module_low = std::min(module_low, (uintptr_t)(info->dlpi_addr + h.p_vaddr));
    module_high = std::max(module_high, (uintptr_t)(info->dlpi_addr + h.p_vaddr + h.p_memsz));
    if (!(h.p_flags & PF_W)) continue;
    writable_low = std::min(writable_low, (uintptr_t)(info->dlpi_addr + h.p_vaddr));
    writable_high = std::max(writable_high, (uintptr_t)(info->dlpi_addr + h.p_vaddr + h.p_memsz));
  }
  return 1;
}

void thread_local_image(uintptr_t &base, size_t &bytes) {
  base = 0;
  bytes = image_bytes;
  dl_iterate_phdr(find_self, &base);
  if (base == 0) bytes = 0;
}

static std::string readable(const char *mangled) {
  int status = 0;
  char *text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = text ? text : mangled;
  free(text);
  if (const size_t end = name.find(" [clone"); end != std::string::npos) name.resize(end);
  const size_t last = name.rfind("::");  // of a kernel's own: the part after its signature
  return last == std::string::npos ? name : name.substr(last + 2);
}

static void keep_symbol(const ElfW(Sym) &symbol, const char *name, bool writable) {
  const int type = ELF64_ST_TYPE(symbol.st_info);
  if (symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF || strstr(name, "hipport_")) return;
  if (type == STT_TLS) shared_variables.push_back({(uintptr_t)symbol.st_value, (size_t)symbol.st_size, readable(name), true});
  if (type == STT_OBJECT)
    global_variables.push_back({module_base + symbol.st_value, (size_t)symbol.st_size, readable(name), writable});
}

static void read_symbols(const char *image) {
  const auto *file = (const ElfW(Ehdr) *)image;
  const auto *sections = (const ElfW(Shdr) *)(image + file->e_shoff);
  const char *names = image + sections[file->e_shstrndx].sh_offset;
  for (int i = 0; i < file->e_shnum; i++) {
    const ElfW(Shdr) &s = sections[i];
    if (s.sh_type != SHT_SYMTAB) continue;
    const auto *symbols = (const ElfW(Sym) *)(image + s.sh_offset);
    const char *strings = image + sections[s.sh_link].sh_offset;
    for (size_t k = 0; k < s.sh_size / sizeof(ElfW(Sym)); k++) {
      const unsigned in = symbols[k].st_shndx;
      if (in >= file->e_shnum) continue;
      const bool writable = (sections[in].sh_flags & SHF_WRITE) && strcmp(names + sections[in].sh_name, "hipport_constant") != 0;
      keep_symbol(symbols[k], strings + symbols[k].st_name, writable);
    }
  }
}

void load_module() {
  static bool loaded;
  if (loaded) return;
  loaded = true;
  dl_iterate_phdr(find_self, nullptr);
  if (module_path.empty()) {
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    module_path.assign(path, n > 0 ? n : 0);
  }
  FILE *stream = fopen(module_path.c_str(), "rb");
  if (!stream) return;
  fseek(stream, 0, SEEK_END);
  std::string image(ftell(stream), '\0');
  rewind(stream);
  const bool whole = fread(&image[0], 1, image.size(), stream) == image.size();
  fclose(stream);
  if (whole) read_symbols(image.data());
  auto by_place = [](const Variable &a, const Variable &b) { return a.offset < b.offset; };
  std::sort(shared_variables.begin(), shared_variables.end(), by_place);
  std::sort(global_variables.begin(), global_variables.end(), by_place);
}

static bool ours(const char *file) {
  return strstr(file, "/device/native/wave/") || !strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib/", 9) ||
         strstr(file, "/include/c++/") || file[0] == '?';
}

static FILE *symbolizer(const std::vector<uintptr_t> &addresses) {
  std::string words;
  char one[32];
  for (uintptr_t a : addresses) {
    if (a < module_low || a >= module_high) continue;
    snprintf(one, sizeof one, " 0x%zx", (size_t)(a - module_base));
    words += one;
  }
  if (words.empty()) return nullptr;
  const std::string tools = "addr2line -i -e '" + module_path + "'" + words + " 2>/dev/null || llvm-symbolizer --output-style=GNU -f=none -i -e '" +
                            module_path + "'" + words + " 2>/dev/null";
  return popen(tools.c_str(), "r");
}

void locate(struct hipport_fault &out, const std::vector<uintptr_t> &addresses) {
  FILE *stream = symbolizer(addresses);
  if (!stream) return;
  char line[1024];
  while (fgets(line, sizeof line, stream)) {
    line[strcspn(line, "\n")] = 0;
    if (char *note = strstr(line, " (discriminator")) *note = 0;
    char *colon = strrchr(line, ':');
    if (!colon || ours(line)) continue;
    const int number = atoi(colon + 1);
    if (number <= 0) continue;
    *colon = 0;
    snprintf(out.file, sizeof out.file, "%.511s", line);
    out.line = number;
    break;
  }
  while (fgets(line, sizeof line, stream)) {}
  pclose(stream);
}

static const char *const APPROXIMATE[] = {
#define HIPPORT_APPROXIMATE(id, text) text,
#include "approximate.inc"
#undef HIPPORT_APPROXIMATE
};

extern const char *const *const approximate_texts_of = APPROXIMATE;
extern const unsigned approximate_count = sizeof APPROXIMATE / sizeof *APPROXIMATE;

void used_approximate(int which) {
  if (on_device()) approximate_used[which] = 1;
}

static std::vector<struct hipport_kernel> &rows() {
  static std::vector<struct hipport_kernel> all;
  return all;
}

void add(Registered *k) {
  struct hipport_kernel row = {};
  auto *args = new struct hipport_arg[k->count + 1]();
  for (unsigned i = 0; i < k->count; i++)
    args[i] = {"", k->parameters[i].type, k->parameters[i].offset, k->parameters[i].size, k->parameters[i].pointer, 0};
  row.name = k->name;
  row.args = args;
  row.arg_count = k->count;
  row.kernarg_size = row.explicit_size = k->bytes;
  row.wave_size = WAVE;
  row.max_block = k->max_block;
  row.code = k;
  rows().push_back(row);
  hipport_module.kernels = rows().data();
  hipport_module.kernel_count = rows().size();
}

const Registered *registered(const void *function) {
  for (auto &row : rows())
    if (((const Registered *)row.code)->function == function) return (const Registered *)row.code;
  return nullptr;
}

}  // namespace hipport_wave

extern "C" {
__attribute__((visibility("default"))) struct hipport_module hipport_module = {
    HIPPORT_ABI, 0, HIPPORT_WAVE_SIZE == 64 ? "wave64" : "wave32", "", nullptr, nullptr, 0, 0,
    sizeof hipport_wave::APPROXIMATE / sizeof *hipport_wave::APPROXIMATE, 0, hipport_wave::APPROXIMATE, nullptr};
}
