// What every load and store of a kernel is checked against: bounds, who else touched it, whether anybody wrote it.
#include "wave.h"
#include "access.h"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace hipport_wave {

__attribute__((init_priority(101))) std::vector<Memory> memories;  // a program's own constructors may allocate

static std::vector<uint16_t> owners(size_t bytes) {
  std::vector<uint16_t> all(bytes);
  for (size_t i = 0; i < shared_variables.size(); i++) {
    const Variable &v = shared_variables[i];
    for (size_t k = v.offset; k < v.offset + v.size && k < bytes; k++) all[k] = (uint16_t)(i + 1);
  }
  return all;
}

void shadow_new_worker(Worker &w) {
  thread_local_image(w.shared, w.shared_bytes);
  w.dynamic_bytes = w.job->shared;
  w.dynamic = (uintptr_t)hipport_wave_dynamic;
  w.shared_cells.resize((w.shared_bytes + 3) / 4);
  w.dynamic_cells.resize((w.dynamic_bytes + 3) / 4);
  w.owner = owners(w.shared_bytes);
}

const Memory *memory_at(Worker &w, uintptr_t at) {
  if (w.last_memory < memories.size()) {
    const Memory &m = memories[w.last_memory];
    if (at - m.base < m.size) return &m;
  }
  auto after = std::upper_bound(memories.begin(), memories.end(), at, [](uintptr_t a, const Memory &m) { return a < m.base; });
  if (after == memories.begin()) return nullptr;
  const Memory &m = *--after;
  if (at - m.base >= m.size) return nullptr;
  w.last_memory = after - memories.begin();
  return &m;
}

const Variable *variable_at(const std::vector<Variable> &all, uintptr_t at) {
  auto after = std::upper_bound(all.begin(), all.end(), at, [](uintptr_t a, const Variable &v) { return a < v.offset; });
  if (after == all.begin()) return nullptr;
  const Variable &v = *--after;
  return at - v.offset < v.size ? &v : nullptr;
}

std::string place_name(const Worker &w, uintptr_t a) {
  char text[200];
  if (w.dynamic_bytes && a - w.dynamic < w.dynamic_bytes) {
    snprintf(text, sizeof text, "dynamic shared memory + %zu", (size_t)(a - w.dynamic));
    return text;
  }
  if (a - w.shared < w.shared_bytes) {
    const uint16_t who = w.owner[a - w.shared];
    if (who == 0) return "shared memory";
    const Variable &v = shared_variables[who - 1];
    snprintf(text, sizeof text, "`%.120s` + %zu", v.name.c_str(), (size_t)(a - w.shared - v.offset));
    return text;
  }
  if (const Memory *m = memory_at(const_cast<Worker &>(w), a)) {
    snprintf(text, sizeof text, "%.120s + %zu", m->name.c_str(), (size_t)(a - m->base));
    return text;
  }
  if (const Variable *v = variable_at(global_variables, a)) {
    snprintf(text, sizeof text, "`%.120s` + %zu", v->name.c_str(), (size_t)(a - v->offset));
    return text;
  }
  return "memory";
}

// Words that a computation hardly ever leaves as they are: about 1.2 as a float, as a double and as halves too.
void spoil(void *place, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    const uint32_t word = 0x3F9D3A5Cu ^ ((uint32_t)(i / 4 * 37) & 0xff);
    ((uint8_t *)place)[i] = (uint8_t)(word >> 8 * (i & 3));
  }
}

// --- shared memory

template <class Cell>
static void note_read(const Worker &w, Cell &c, uint8_t mask) {
  const uint16_t me = w.current->number;
  // a reader that is ordered before this one makes room
  const int slot = c.read_mask[0] == 0 || c.reader[0] == me || ordered(w, c.read_tick[0], c.reader[0]) ? 0 : 1;
  const bool again = c.read_mask[slot] && c.reader[slot] == me && c.read_tick[slot] == w.now;
  c.read_mask[slot] = again ? c.read_mask[slot] | mask : mask;
  c.reader[slot] = me;
  c.read_tick[slot] = w.now;
}

static uint8_t bytes_mask(uintptr_t a, unsigned n, uintptr_t word) {
  const uintptr_t from = std::max(a, word), to = std::min(a + n, word + 4);
  return (uint8_t)(((1u << (to - from)) - 1) << (from - word));
}

template <class Cell>
static bool write_conflict(const Worker &w, const Cell &c, uint8_t mask, unsigned &other, const char *&how) {
  if ((c.write_mask & mask) && !ordered(w, c.write_tick, c.writer)) {
    other = c.writer, how = "written";
    return true;
  }
  for (int slot = 0; slot < 2; slot++) {
    if (!(c.read_mask[slot] & mask) || ordered(w, c.read_tick[slot], c.reader[slot])) continue;
    other = c.reader[slot], how = "read";
    return true;
  }
  return false;
}

static void race(Worker &w, uintptr_t a, unsigned n, bool write, unsigned other, const char *how, const Access &from) {
  const Fiber &o = w.block->fibers[other];
  char text[400];
  snprintf(text, sizeof text, "thread (%u,%u,%u) %s %u bytes of %s, %s by thread (%u,%u,%u) with no barrier between",
           w.current->thread.x, w.current->thread.y, w.current->thread.z, write ? "writes" : "reads", n, place_name(w, a).c_str(), how,
           o.thread.x, o.thread.y, o.thread.z);
  if (!write) fault(HIPPORT_RACE, from.pc, from.frame, a, n, "%s", text);
  // a store that changes nothing is no race: judged once it has been made
  w.pending.conflict = true;
  describe(w.pending.fault, w, *w.current, HIPPORT_RACE);
  {
    Fiber *f = w.current;
    const Inside inside;
    w.pending.trail = trail(from.pc, from.frame, f);
  }
  w.pending.fault.address = a;
  w.pending.fault.size = n;
  snprintf(w.pending.fault.message, sizeof w.pending.fault.message, "%s", text);
}

static void suspect_read(Worker &w, uintptr_t a, unsigned n, const Access &from) {
  Fiber &f = *w.current;
  if (!w.job->poison || f.suspect.bytes) return;
  f.suspect.address = a;
  f.suspect.bytes = std::min(n, 16u);
  memcpy(f.suspect.value, (void *)a, f.suspect.bytes);
  const Inside inside;
  f.suspect.trail = new std::vector<uintptr_t>(trail(from.pc, from.frame, &f));
}

static void shared_cells(Worker &w, std::vector<SharedCell> &cells, uintptr_t base, uintptr_t a, unsigned n, const Access &from) {
  const uint32_t serial = w.block->serial;
  bool written = false;  // padding is loaded with what it pads: any byte that is written counts
  for (uintptr_t word = a & ~(uintptr_t)3; word < a + n; word += 4) {
    SharedCell &c = cells[(word - base) / 4];
    const uint8_t mask = bytes_mask(a, n, word);
    if (c.serial != serial) c = SharedCell{serial, 0, {0, 0}, 0, {0, 0}, 0, {0, 0}, 0};
    unsigned other = 0;
    const char *how = "";
    if (from.write) {
      if (!from.atomic && !w.pending.conflict && write_conflict(w, c, mask, other, how)) race(w, a, n, true, other, how, from);
      c.init |= mask;
      continue;
    }
    if (c.init & mask) written = true;
    if ((c.write_mask & mask) && !ordered(w, c.write_tick, c.writer)) race(w, a, n, false, c.writer, "written", from);
    if (!from.atomic) note_read(w, c, mask);
  }
  if (!written && !from.write) suspect_read(w, a, n, from);
}

void shared_access(Worker &w, uintptr_t a, unsigned n, const Access &from) {
  const bool dynamic = w.dynamic_bytes && a - w.dynamic < w.dynamic_bytes;
  if (dynamic) {
    if (a + n > w.dynamic + w.dynamic_bytes)
      fault(HIPPORT_LDS_BOUNDS, from.pc, from.frame, a, n, "%s of %u bytes at %zu of the block's %zu bytes of dynamic shared memory",
            from.verb(), n, (size_t)(a - w.dynamic), w.dynamic_bytes);
    shared_cells(w, w.dynamic_cells, w.dynamic, a, n, from);
    return;
  }
  if (a - w.dynamic < DYNAMIC_BYTES)
    fault(HIPPORT_LDS_BOUNDS, from.pc, from.frame, a, n, "%s of %u bytes at %zu of the block's %zu bytes of dynamic shared memory",
          from.verb(), n, (size_t)(a - w.dynamic), w.dynamic_bytes);
  const size_t at = a - w.shared;
  const uint16_t who = w.owner[at];
  if (who == 0 || at + n > w.shared_bytes || w.owner[at + n - 1] != who) {
    const Variable *near = variable_at(shared_variables, at);
    for (size_t back = 0; !near && back < 4096 && back <= at; back++) near = variable_at(shared_variables, at - back);
    fault(HIPPORT_LDS_BOUNDS, from.pc, from.frame, a, n, "%s of %u bytes, %zu bytes into `%.80s` of %zu bytes", from.verb(), n,
          near ? (size_t)(at - near->offset) : 0, near ? near->name.c_str() : "shared memory", near ? near->size : 0);
  }
  shared_cells(w, w.shared_cells, w.shared, a, n, from);
}

// --- global memory

static std::mutex cell_locks[64];

static void global_cell(Worker &w, GlobalCell &c, uintptr_t a, unsigned n, uint8_t mask, const Access &from) {
  const uint32_t mine = w.block->serial;
  if (from.write) {
    if (from.atomic || w.pending.conflict) return;
    unsigned other = 0;
    const char *how = "";
    GlobalCell seen = c;
    if (seen.write_block != mine) seen.write_mask = 0;
    if (seen.read_block != mine) seen.read_mask[0] = seen.read_mask[1] = 0;
    if (write_conflict(w, seen, mask, other, how)) race(w, a, n, true, other, how, from);
    return;
  }
  if (c.write_block == mine && (c.write_mask & mask) && !ordered(w, c.write_tick, c.writer))
    race(w, a, n, false, c.writer, "written", from);
  if (from.atomic) return;
  if (c.read_block != mine) {
    c.read_block = mine;
    c.read_mask[0] = c.read_mask[1] = 0;
  }
  note_read(w, c, mask);
}

static void memory_cells(Worker &w, const Memory &m, uintptr_t a, unsigned n, const Access &from) {
  for (uintptr_t word = a & ~(uintptr_t)3; word < a + n; word += 4) {
    const size_t index = (word - (m.base & ~(uintptr_t)3)) / 4;
    const uint8_t mask = bytes_mask(a, n, word);
    if (w.job->workers > 1) {
      std::lock_guard<std::mutex> hold(cell_locks[index % 64]);
      GlobalCell copy = m.cells[index];
      global_cell(w, copy, a, n, mask, from);
      m.cells[index] = copy;
    } else {
      global_cell(w, m.cells[index], a, n, mask, from);
    }
  }
}

static void global_bounds(Worker &w, uintptr_t a, unsigned n, const Access &from) {
  if (a < 4096)
    fault(HIPPORT_GLOBAL_BOUNDS, from.pc, from.frame, a, n, "%s of %u bytes through a null pointer (0x%zx)", from.verb(), n, (size_t)a);
  for (auto &f : w.block->fibers)
    if (a - (uintptr_t)f.stack < STACK_BYTES || (uintptr_t)f.stack - a < 4096)
      fault(HIPPORT_SCRATCH_BOUNDS, from.pc, from.frame, a, n, "%s of %u bytes in the local memory of another thread", from.verb(), n);
  const Memory *near = nullptr;
  size_t least = 1 << 20;
  for (auto &m : memories) {
    const size_t gap = a < m.base ? m.base - a : a - (m.base + m.size);
    if (gap < least) near = &m, least = gap;
  }
  if (near && a < near->base)
    fault(HIPPORT_GLOBAL_BOUNDS, from.pc, from.frame, a, n, "%s of %u bytes, %zu bytes before the first byte of %s", from.verb(), n,
          (size_t)(near->base - a), near->name.c_str());
  if (near)
    fault(HIPPORT_GLOBAL_BOUNDS, from.pc, from.frame, a, n, "%s of %u bytes at %zu of %s, which has %zu bytes", from.verb(), n,
          (size_t)(a - near->base), near->name.c_str(), near->size);
  fault(HIPPORT_GLOBAL_BOUNDS, from.pc, from.frame, a, n, "%s of %u bytes outside of all memory of the device (0x%zx)", from.verb(), n,
        (size_t)a);
}

static void variable_access(Worker &w, uintptr_t a, unsigned n, const Access &from) {
  const Variable *v = variable_at(global_variables, a);
  if (v == nullptr) {
    if (!from.write && !(a >= writable_low && a < writable_high)) return;  // literals of the compiler have no names
    global_bounds(w, a, n, from);
  }
  if (a + n > v->offset + v->size)
    fault(HIPPORT_GLOBAL_BOUNDS, from.pc, from.frame, a, n, "%s of %u bytes at %zu of `%.80s`, which has %zu bytes", from.verb(), n,
          (size_t)(a - v->offset), v->name.c_str(), v->size);
  if (from.write && !v->writable)
    fault(HIPPORT_READ_ONLY, from.pc, from.frame, a, n, "store of %u bytes to the constant `%.80s`", n, v->name.c_str());
}

static void undefined_bytes(Worker &w, const Memory &m, uintptr_t a, unsigned n, const Access &from) {
  uint8_t *shadow = m.undefined + (a - m.base);
  if (from.write) {
    memset(shadow, 0, n);
    return;
  }
  for (unsigned i = 0; i < n; i++)
    if (!shadow[i]) return;
  suspect_read(w, a, n, from);
}

void global_access(Worker &w, uintptr_t a, unsigned n, const Access &from) {
  const Memory *m = memory_at(w, a);
  if (m == nullptr) {
    if (a - (uintptr_t)w.job->body < w.job->body_bytes && !from.write) return;  // the kernel's arguments
    if (a >= module_low && a < module_high) {
      variable_access(w, a, n, from);
      return;
    }
    global_bounds(w, a, n, from);
  }
  if (a + n > m->base + m->size)
    fault(HIPPORT_GLOBAL_BOUNDS, from.pc, from.frame, a, n, "%s of %u bytes at %zu of %s, which has %zu bytes", from.verb(), n,
          (size_t)(a - m->base), m->name.c_str(), m->size);
  if (from.write && !m->writable)
    fault(HIPPORT_READ_ONLY, from.pc, from.frame, a, n, "store of %u bytes to %s, which is read-only", n, m->name.c_str());
  if (m->undefined) undefined_bytes(w, *m, a, n, from);
  if (m->cells) memory_cells(w, *m, a, n, from);
}

// --- a store is judged after it has been made

static void settle_shared(Worker &w, std::vector<SharedCell> &cells, uintptr_t base, const PendingWrite &p) {
  for (uintptr_t word = p.address & ~(uintptr_t)3; word < p.address + p.bytes; word += 4) {
    SharedCell &c = cells[(word - base) / 4];
    const uint8_t mask = bytes_mask(p.address, p.bytes, word);
    const bool same = c.write_tick >= w.block->barrier_tick && c.writer == p.fiber->number;
    c.write_mask = same ? c.write_mask | mask : mask;
    c.write_tick = w.now;
    c.writer = p.fiber->number;
  }
}

static void settle_global(Worker &w, const Memory &m, const PendingWrite &p) {
  for (uintptr_t word = p.address & ~(uintptr_t)3; word < p.address + p.bytes; word += 4) {
    GlobalCell &c = m.cells[(word - (m.base & ~(uintptr_t)3)) / 4];
    const uint8_t mask = bytes_mask(p.address, p.bytes, word);
    const bool same = c.write_block == w.block->serial && c.write_tick >= w.block->barrier_tick && c.writer == p.fiber->number;
    c.write_mask = same ? c.write_mask | mask : mask;
    c.write_block = w.block->serial;
    c.write_tick = w.now;
    c.writer = p.fiber->number;
  }
}

// A value that nobody wrote, moved and not looked at: the copy counts as unwritten, and the load as harmless.
static void moved(Worker &w, Fiber &f, const PendingWrite &p) {
  Suspect &s = f.suspect;
  if (s.bytes != p.bytes || memcmp(s.value, (void *)p.address, p.bytes) != 0) return;
  if (const Memory *m = memory_at(w, p.address); m && m->undefined) memset(m->undefined + (p.address - m->base), 1, p.bytes);
  const Inside inside;
  delete s.trail;
  s = Suspect();
}

void settle_pending(Worker &w) {
  PendingWrite &p = w.pending;
  if (p.bytes == 0) return;
  const bool changed = !same(p.before, (void *)p.address, p.bytes);
  if (p.fiber->suspect.bytes) moved(w, *p.fiber, p);
  if (changed && p.conflict) {
    p.bytes = 0;
    raise_pending(w, p);
    return;
  }
  if (changed) {
    if (w.dynamic_bytes && p.address - w.dynamic < w.dynamic_bytes) settle_shared(w, w.dynamic_cells, w.dynamic, p);
    else if (p.address - w.shared < w.shared_bytes) settle_shared(w, w.shared_cells, w.shared, p);
    else if (const Memory *m = memory_at(w, p.address); m && m->cells) settle_global(w, *m, p);
  }
  p.bytes = 0;
  p.conflict = false;
}

// The end of the interval: a value that nobody wrote was used, unless another thread wrote there since (a race by then).
void settle_suspect(Worker &w, Fiber &f) {
  if (f.suspect.bytes == 0) return;
  const Suspect s = f.suspect;
  f.suspect = Suspect();
  raise_suspect(w, f, s);
  delete s.trail;
}

}  // namespace hipport_wave
