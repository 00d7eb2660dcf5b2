// Where lanes meet: warp collectives, barriers of a block and of the grid.
#include "wave.h"

#include <algorithm>
#include <cstring>

namespace hipport_wave {

#define HERE_PC ((uintptr_t)__builtin_return_address(0))
#define HERE_FRAME ((uintptr_t)__builtin_frame_address(0))

static const char *NAMES[] = {"shuffle", "shuffle up", "shuffle down", "shuffle xor", "vote", "__syncwarp", "match_any", "match_all", "reduction"};

static uint64_t live(const WaveState &wave) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < wave.count; i++)
    if (wave.lanes[i].state != ENDED) bits |= 1ull << i;
  return bits;
}

__attribute__((noinline)) uint64_t collective(int what, uint64_t mask, const void *in, void *out, unsigned bytes, int argument,
                                              int width, Site site) {
  if (!on_device()) return 0;
  Worker &w = *worker;
  settle_pending(w);
  Fiber &f = *w.current;
  const uintptr_t pc = HERE_PC, frame = HERE_FRAME;
  if (mask != 0 && !(mask >> f.lane & 1))
    fault(HIPPORT_MASK, pc, frame, 0, 0, "lane %u calls a %s with the mask 0x%llx, which does not name it", f.lane, NAMES[what],
          (unsigned long long)mask);
  if (WAVE < 64 && mask >> WAVE % 64)
    fault(HIPPORT_MASK, pc, frame, 0, 0, "the mask 0x%llx of a %s names lanes that a wave of %u has not", (unsigned long long)mask,
          NAMES[what], WAVE);
  if (what <= SHUFFLE_XOR && (width <= 0 || width > (int)WAVE || (width & (width - 1))))
    fault(HIPPORT_LANE, pc, frame, 0, 0, "a %s of width %d: the width is a power of two up to %u", NAMES[what], width, WAVE);
  f.what = what, f.mask = mask, f.in = in, f.out = out, f.bytes = bytes, f.argument = argument, f.width = width;
  f.site = site, f.pc = pc, f.frame = frame;
  f.state = AT_COLLECTIVE;
  f.patience = PATIENCE;
  switch_to_scheduler();
  return f.result;
}

static int source_lane(const Fiber &f) {
  const int lane = f.lane, base = lane & ~(f.width - 1);
  int from = lane;
  switch (f.what) {
    case SHUFFLE: return base + (f.argument & (f.width - 1));
    case SHUFFLE_UP: from = lane - f.argument; return from < base ? lane : from;
    case SHUFFLE_DOWN: from = lane + f.argument; return (unsigned)f.argument >= (unsigned)f.width || from >= base + f.width ? lane : from;
    default: from = lane ^ f.argument; return (unsigned)from >= (unsigned)(base + f.width) ? lane : from;
  }
}

// In the name of the waiting fiber: the fault is its own.
#define FAULT_OF(w, f, kind, ...) ((w).current = &(f), fault_from_scheduler(kind, (f).pc, (f).frame, __VA_ARGS__))

static bool shuffle(Worker &w, WaveState &wave, uint64_t together) {
  for (unsigned i = 0; i < wave.count; i++) {
    if (!(together >> i & 1)) continue;
    Fiber &f = wave.lanes[i];
    const int from = source_lane(f);
    if (from != (int)i && !(together >> from & 1) && f.mask == 0) {  // HIP's own spelling: as AMD's machines do
      memset(f.out, 0, f.bytes);
      f.result = together;
      continue;
    }
    if (from != (int)i && !(together >> from & 1)) {
      const char *why = from >= (int)wave.count                   ? "does not exist: the block's last wave is not full"
                        : wave.lanes[from].state == ENDED         ? "has left the kernel"
                        : wave.lanes[from].state == AT_COLLECTIVE ? "is at another place"
                                                                  : "does not take part";
      FAULT_OF(w, f, HIPPORT_LANE, "lane %u reads lane %d by a %s, and that lane %s", i, from, NAMES[f.what], why);
      return false;
    }
    memcpy(f.out, wave.lanes[from].in, f.bytes);
    f.result = together;
  }
  return true;
}

static void match(WaveState &wave, uint64_t together, bool all) {
  for (unsigned i = 0; i < wave.count; i++) {
    if (!(together >> i & 1)) continue;
    Fiber &f = wave.lanes[i];
    uint64_t same = 0;
    for (unsigned j = 0; j < wave.count; j++)
      if ((together >> j & 1) && memcmp(wave.lanes[j].in, f.in, f.bytes) == 0) same |= 1ull << j;
    f.result = all && same != together ? 0 : same;
  }
}

template <class T>
static T combined(int how, T a, T b) {
  switch (how) {
    case ADD: return a + b;
    case MIN_SIGNED:
    case MIN_UNSIGNED: return b < a ? b : a;
    case MAX_SIGNED:
    case MAX_UNSIGNED: return a < b ? b : a;
    case AND: return a & b;
    case OR: return a | b;
    default: return a ^ b;
  }
}

template <class T>
static void reduce(WaveState &wave, uint64_t together, int how) {
  T sum{};
  bool first = true;
  for (unsigned i = 0; i < wave.count; i++) {
    if (!(together >> i & 1)) continue;
    T one;
    memcpy(&one, wave.lanes[i].in, sizeof one);
    sum = first ? one : combined(how, sum, one);
    first = false;
  }
  for (unsigned i = 0; i < wave.count; i++)
    if (together >> i & 1) memcpy(wave.lanes[i].out, &sum, sizeof sum);
}

static void reduce_any(WaveState &wave, uint64_t together, const Fiber &f) {
  const bool is_signed = f.argument == MIN_SIGNED || f.argument == MAX_SIGNED;
  if (f.bytes == 4) is_signed ? reduce<int32_t>(wave, together, f.argument) : reduce<uint32_t>(wave, together, f.argument);
  else is_signed ? reduce<int64_t>(wave, together, f.argument) : reduce<uint64_t>(wave, together, f.argument);
}

static void meet(Worker &w, WaveState &wave, uint64_t together) {
  const uint32_t tick = ++w.now;
  if (together == live(wave)) {
    wave.together = tick;
    return;
  }
  wave.known.resize(WAVE * WAVE);
  uint32_t all[WAVE];
  for (unsigned j = 0; j < WAVE; j++) {
    all[j] = 0;
    for (unsigned i = 0; i < wave.count; i++)
      if (together >> i & 1) all[j] = std::max(all[j], wave.known[i * WAVE + j]);
    if (together >> j & 1) all[j] = tick;
  }
  for (unsigned i = 0; i < wave.count; i++)
    if (together >> i & 1) memcpy(&wave.known[i * WAVE], all, sizeof all);
}

static bool finish(Worker &w, WaveState &wave, uint64_t together) {
  Fiber &first = wave.lanes[__builtin_ctzll(together)];
  const int what = first.what;
  if (what <= SHUFFLE_XOR) {
    if (!shuffle(w, wave, together)) return false;
  } else if (what == MATCH_ANY || what == MATCH_ALL) {
    match(wave, together, what == MATCH_ALL);
  } else {
    uint64_t votes = 0;
    if (what == REDUCE) reduce_any(wave, together, first);
    for (unsigned i = 0; i < wave.count; i++)
      if ((together >> i & 1) && what == BALLOT && wave.lanes[i].argument) votes |= 1ull << i;
    for (unsigned i = 0; i < wave.count; i++)
      if (together >> i & 1) wave.lanes[i].result = what == BALLOT ? votes : together;
  }
  meet(w, wave, together);
  for (unsigned i = 0; i < wave.count; i++)
    if (together >> i & 1) wave.lanes[i].state = READY;
  return true;
}

// The lanes that a named mask waits for, all of them there? 0 if not yet.
static uint64_t named_group(const WaveState &wave, unsigned lane, uint64_t living) {
  const Fiber &f = wave.lanes[lane];
  const uint64_t wanted = f.mask & living;
  for (unsigned i = 0; i < wave.count; i++) {
    if (!(wanted >> i & 1)) continue;
    const Fiber &other = wave.lanes[i];
    if (other.state != AT_COLLECTIVE || other.what != f.what || other.mask != f.mask) return 0;
  }
  return wanted;
}

// Lanes without a mask: those at the place that comes first in the code, once no lane of the wave can run.
static uint64_t converged_group(const WaveState &wave) {
  const Fiber *first = nullptr;
  for (unsigned i = 0; i < wave.count; i++) {
    const Fiber &f = wave.lanes[i];
    if (f.state == READY) return 0;
    if (f.state == AT_COLLECTIVE && f.mask == 0 && (!first || f.pc < first->pc)) first = &f;
  }
  if (!first) return 0;
  uint64_t group = 0;
  for (unsigned i = 0; i < wave.count; i++) {
    const Fiber &f = wave.lanes[i];
    if (f.state == AT_COLLECTIVE && f.mask == 0 && f.what == first->what && f.site.line == first->site.line &&
        f.site.file == first->site.file)
      group |= 1ull << i;
  }
  return group;
}

bool resolve(Worker &w, WaveState &wave) {
  bool any = false;
  const uint64_t living = live(wave);
  for (unsigned i = 0; i < wave.count; i++) {
    const Fiber &f = wave.lanes[i];
    if (f.state != AT_COLLECTIVE || f.mask == 0) continue;
    if (const uint64_t group = named_group(wave, i, living)) {
      if (!finish(w, wave, group)) return true;
      any = true;
    }
  }
  if (any) return true;
  const uint64_t group = converged_group(wave);
  if (!group) return false;
  finish(w, wave, group);
  return true;
}

__attribute__((noinline)) int barrier(int what, int predicate, Site site) {
  if (!on_device()) return 0;
  Worker &w = *worker;
  settle_pending(w);
  Fiber &f = *w.current;
  f.what = what, f.argument = predicate, f.site = site, f.pc = HERE_PC, f.frame = HERE_FRAME;
  f.state = AT_BARRIER;
  f.patience = PATIENCE;
  switch_to_scheduler();
  return (int)f.result;
}

__attribute__((noinline)) void grid_barrier(Site site) {
  Worker &w = *worker;
  settle_pending(w);
  Fiber &f = *w.current;
  f.site = site, f.pc = HERE_PC, f.frame = HERE_FRAME;
  if (!w.job->cooperative)
    fault(HIPPORT_BARRIER, f.pc, f.frame, 0, 0, "a grid barrier in a launch that is not cooperative");
  f.state = AT_GRID;
  f.patience = PATIENCE;
  switch_to_scheduler();
}

bool release_barrier(Worker &w, Block &b) {
  Fiber *first = nullptr;
  unsigned there = 0;
  for (auto &f : b.fibers) {
    if (f.state == ENDED) continue;
    if (f.state != AT_BARRIER) return false;
    if (!first) first = &f;
    there += f.argument != 0;
    if (f.what == first->what && f.site.line == first->site.line && !strcmp(f.site.file, first->site.file)) continue;
    FAULT_OF(w, f, HIPPORT_BARRIER, "thread (%u,%u,%u) waits at the barrier of line %d, thread (%u,%u,%u) at that of line %d",
             f.thread.x, f.thread.y, f.thread.z, f.site.line, first->thread.x, first->thread.y, first->thread.z, first->site.line);
    return false;
  }
  if (!first) return false;
  unsigned waiting = 0;
  for (auto &f : b.fibers) waiting += f.state == AT_BARRIER;
  const int result = first->what == BARRIER_AND ? there == waiting : first->what == BARRIER_OR ? there > 0 : (int)there;
  b.barrier_tick = ++w.now;
  for (auto &f : b.fibers) {
    if (f.state != AT_BARRIER) continue;
    settle_suspect(w, f);
    if (w.job->stop) return false;
    f.result = result;
    f.state = READY;
  }
  return true;
}

void explain_deadlock(Worker &w) {
  Fiber *waits = nullptr;
  for (auto &f : w.block->fibers)
    if (f.state == AT_COLLECTIVE) {
      waits = &f;
      break;
    }
  if (!waits)
    for (auto &f : w.block->fibers)
      if (f.state == AT_BARRIER || f.state == AT_GRID) {
        waits = &f;
        break;
      }
  if (!waits) return;
  if (waits->state != AT_COLLECTIVE) {
    FAULT_OF(w, *waits, HIPPORT_DEADLOCK, "the threads of the block wait for each other at different kinds of barrier");
    return;
  }
  WaveState &wave = w.block->waves[waits->number / WAVE];
  for (unsigned i = 0; i < wave.count; i++) {
    Fiber &f = wave.lanes[i];
    if (!(waits->mask >> i & 1) || (f.state == AT_COLLECTIVE && f.mask == waits->mask && f.what == waits->what)) continue;
    if (f.state == ENDED) continue;
    const char *where = f.state == AT_BARRIER ? "waits at a barrier of the block" : "waits with another mask or for something else";
    FAULT_OF(w, *waits, HIPPORT_DEADLOCK, "a %s waits for lane %u, which its mask 0x%llx names and which %s (line %d)",
             NAMES[waits->what], i, (unsigned long long)waits->mask, where, f.site.line);
    return;
  }
  FAULT_OF(w, *waits, HIPPORT_DEADLOCK, "a %s waits for lanes that never come", NAMES[waits->what]);
}

void fence() {
  if (!on_device()) return;
  settle_pending(*worker);
  worker->current->synchronised = ++worker->now;
}

bool ordered(const Worker &w, uint32_t tick, unsigned other) {
  const Fiber &f = *w.current;
  const Block &b = *w.block;
  if (other == f.number || tick < b.barrier_tick) return true;
  if (other / WAVE == f.number / WAVE) {
    const WaveState &wave = b.waves[f.number / WAVE];
    if (tick < wave.together) return true;
    if (!wave.known.empty() && tick < wave.known[f.lane * WAVE + other % WAVE]) return true;
  }
  // an atomic operation or a fence after the other's access, and one of this thread after that
  const uint32_t released = b.fibers[other].synchronised;
  return released > tick && f.synchronised >= released;
}

}  // namespace hipport_wave
