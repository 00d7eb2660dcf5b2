// What a whole program leaves in the file that $HIPPORT_RESULT names: its kernels, faults, refused launches.
#include "host_state.h"

#include <cstring>
#include <map>
#include <unistd.h>

namespace hipport_wave {

extern const char *const *const approximate_texts_of;
extern const unsigned approximate_count;

struct Totals {
  uint64_t launches = 0;
  double seconds = 0;
  Index grid{}, block{};
  uint8_t approximate[64] = {};
};
static std::map<std::string, Totals> &totals() {
  static auto *all = new std::map<std::string, Totals>;
  return *all;
}

static std::string quoted(const char *text) {
  std::string out = "\"";
  for (const char *c = text; *c; c++) {
    char escaped[8];
    if (*c == '"' || *c == '\\') out += '\\', out += *c;
    else if ((unsigned char)*c < 32) snprintf(escaped, sizeof escaped, "\\u%04x", *c), out += escaped;
    else out += *c;
  }
  return out + "\"";
}

template <class T>
static std::string triple(T a, T b, T c) {
  return "[" + std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(c) + "]";
}

static void record(const std::string &json) {
  const char *path = getenv("HIPPORT_RESULT");
  if (path == nullptr) return;
  if (FILE *file = fopen(path, "a")) {
    fprintf(file, "%s\n", json.c_str());
    fclose(file);
  }
}

void write_kernels() {
  for (auto &[name, t] : totals()) {
    std::string row = "{\"event\": \"kernel\", \"kernel\": " + quoted(name.c_str()) + ", \"launches\": " + std::to_string(t.launches) +
                      ", \"seconds\": " + std::to_string(t.seconds) + ", \"grid\": " + triple(t.grid.x, t.grid.y, t.grid.z) +
                      ", \"block\": " + triple(t.block.x, t.block.y, t.block.z) + ", \"profiled\": false, \"counts\": {}, \"approximate\": [";
    bool first = true;
    for (unsigned i = 0; i < approximate_count; i++) {
      if (!t.approximate[i]) continue;
      row += (first ? "" : ", ") + quoted(approximate_texts_of[i]);
      first = false;
    }
    record(row + "]}");
  }
  totals().clear();
}

void note_launch(const char *kernel, Index grid, Index block, double seconds, const uint8_t *approximate) {
  static const bool at_exit = (atexit(write_kernels), true);
  (void)at_exit;
  Totals &t = totals()[kernel];
  t.launches++;
  t.seconds += seconds;
  t.grid = grid, t.block = block;
  for (int i = 0; i < 64; i++) t.approximate[i] |= approximate[i];
}

void note_fault(const struct hipport_fault &f) {
  record("{\"event\": \"fault\", \"kind\": " + std::to_string(f.kind) + ", \"kernel\": " + quoted(f.kernel) + ", \"file\": " + quoted(f.file) +
         ", \"line\": " + std::to_string(f.line) + ", \"column\": 0, \"assembly_line\": 0, \"block\": " + triple(f.block[0], f.block[1], f.block[2]) +
         ", \"thread\": " + triple(f.thread[0], f.thread[1], f.thread[2]) + ", \"wave\": " + std::to_string(f.wave) + ", \"lane\": " +
         std::to_string(f.lane) + ", \"address\": " + std::to_string(f.address) + ", \"size\": " + std::to_string(f.size) +
         ", \"hip_error\": " + quoted(f.hip_error) + ", \"opcode\": \"\", \"message\": " + quoted(f.message) + "}");
}

void stop_program(int code) {
  fflush(nullptr);
  write_kernels();
  _exit(code);
}

}  // namespace hipport_wave
