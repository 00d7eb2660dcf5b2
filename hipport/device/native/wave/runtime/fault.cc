// A fault: what is told, where in the source it is, and how the kernel ends.
#include "access.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace hipport_wave {

void describe(struct hipport_fault &out, const Worker &w, const Fiber &f, int kind) {
  memset(&out, 0, sizeof out);
  out.kind = kind;
  const Index b = w.block ? w.block->index : Index{0, 0, 0};
  out.block[0] = b.x, out.block[1] = b.y, out.block[2] = b.z;
  out.thread[0] = f.thread.x, out.thread[1] = f.thread.y, out.thread[2] = f.thread.z;
  out.wave = f.number / WAVE;
  out.lane = f.lane;
  snprintf(out.kernel, sizeof out.kernel, "%s", w.job->kernel);
}

std::vector<uintptr_t> trail(uintptr_t pc, uintptr_t frame, const Fiber *f) {
  const Inside inside;
  std::vector<uintptr_t> all{pc - 1};
  const uintptr_t low = (uintptr_t)f->stack, high = low + STACK_BYTES;
  for (int depth = 0; depth < 24 && frame >= low && frame + 16 <= high && frame % 8 == 0; depth++) {
    const uintptr_t above = ((uintptr_t *)frame)[0], back = ((uintptr_t *)frame)[1];
    if (back == 0) break;
    if (back - 1 != all.back()) all.push_back(back - 1);
    if (above <= frame) break;
    frame = above;
  }
  return all;
}

static void tell(Worker &w, const struct hipport_fault &what, const std::vector<uintptr_t> &addresses) {
  const Inside inside;
  static std::mutex lock;
  std::lock_guard<std::mutex> hold(lock);
  Job &job = *w.job;
  if (job.stop) return;
  *job.fault = what;
  if (what.line == 0) locate(*job.fault, addresses);
  job.code = (int)what.kind;
  job.stop = true;
}

void fault(int kind, uintptr_t pc, uintptr_t frame, uintptr_t address, size_t bytes, const char *format, ...) {
  Worker &w = *worker;
  struct hipport_fault what;
  describe(what, w, *w.current, kind);
  what.address = address;
  what.size = bytes;
  va_list words;
  va_start(words, format);
  vsnprintf(what.message, sizeof what.message, format, words);
  va_end(words);
  w.pending.bytes = 0;
  {
    Fiber *f = w.current;
    const Inside inside;
    tell(w, what, trail(pc, frame, f));
  }
  for (;;) switch_to_scheduler();
}

void fault_from_scheduler(int kind, uintptr_t pc, uintptr_t frame, const char *format, ...) {
  Worker &w = *worker;
  struct hipport_fault what;
  describe(what, w, *w.current, kind);
  va_list words;
  va_start(words, format);
  vsnprintf(what.message, sizeof what.message, format, words);
  va_end(words);
  const Site &site = w.current->site;  // a compiler may join two calls in one place
  if (site.file && !strstr(site.file, "/device/native/wave/")) {
    snprintf(what.file, sizeof what.file, "%s", site.file);
    what.line = (uint32_t)site.line;
  }
  tell(w, what, trail(pc, frame, w.current));
  w.current = nullptr;
}

void raise_pending(Worker &w, const PendingWrite &p) {
  tell(w, p.fault, p.trail);
  if (w.current)
    for (;;) switch_to_scheduler();
}

void raise_suspect(Worker &w, Fiber &f, const Suspect &s) {
  struct hipport_fault what;
  describe(what, w, f, HIPPORT_UNINITIALISED);
  what.address = s.address;
  what.size = s.bytes;
  snprintf(what.message, sizeof what.message, "load of %u bytes of %s that nobody wrote", s.bytes, place_name(w, s.address).c_str());
  tell(w, what, *s.trail);
}

void runaway(Worker &w, uintptr_t pc, uintptr_t frame) {
  fault(HIPPORT_RUNAWAY, pc, frame, 0, 0, "a thread made more than %llu accesses to memory", (unsigned long long)w.job->budget);
}

void stop_trap() {
  if (!on_device()) abort();
  fault(HIPPORT_TRAP, (uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0), 0, 0, "the kernel traps");
}

void stop_assert(const char *what, const char *file, int line) {
  if (!on_device()) {
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, what);
    abort();
  }
  fault(HIPPORT_ASSERT, (uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0), 0, 0,
        "assertion failed: %s:%d: %s", file, line, what);
}

void not_modelled(const char *what) {
  if (!on_device()) {
    fprintf(stderr, "hipport: not modelled: %s\n", what);
    exit(5);
  }
  fault(HIPPORT_UNKNOWN_OPCODE, (uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0), 0, 0,
        "the wave executor does not model %s", what);
}

}  // namespace hipport_wave
