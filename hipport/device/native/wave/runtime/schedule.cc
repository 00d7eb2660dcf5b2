// Runs the blocks of one launch: every thread a fiber, one block at a time for each CPU thread.
#include "wave.h"

#include <algorithm>
#include <cstring>
#include <csignal>
#include <random>
#include <sys/mman.h>
#include <sys/time.h>
#include <thread>
#include <ucontext.h>

extern "C" {
// `extern __shared__` arrays at namespace scope are this one by its name
__attribute__((aligned(128))) thread_local char hipport_wave_dynamic[hipport_wave::DYNAMIC_BYTES];
}

namespace hipport_wave {

thread_local Worker *worker;
static std::atomic<uint32_t> serials{1};

void switch_to_fiber(Worker &w, Fiber &f);
void prepare_stack(Fiber &f);
bool resolve(Worker &w, WaveState &wave);
bool release_barrier(Worker &w, Block &b);
void explain_deadlock(Worker &w);

static char *stacks_for(unsigned threads) {
  const size_t bytes = STACK_BYTES * threads;
  void *got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) return nullptr;
  for (unsigned i = 0; i < threads; i++) mprotect((char *)got + i * STACK_BYTES, GUARD_BYTES, PROT_NONE);
  return (char *)got;
}

static Block *make_block(Worker &w, uint64_t linear) {
  Job &job = *w.job;
  Block *b = new Block();
  b->index = {unsigned(linear % job.grid.x), unsigned(linear / job.grid.x % job.grid.y),
              unsigned(linear / ((uint64_t)job.grid.x * job.grid.y))};
  if (w.free_stacks.empty()) w.free_stacks.push_back(stacks_for(job.threads));
  b->stacks = w.free_stacks.back();
  w.free_stacks.pop_back();
  if (b->stacks == nullptr) {
    delete b;
    return nullptr;
  }
  b->serial = serials++;
  b->fibers.resize(job.threads);
  const unsigned waves = (job.threads + WAVE - 1) / WAVE;
  b->waves.resize(waves);
  for (unsigned i = 0; i < job.threads; i++) {
    Fiber &f = b->fibers[i];
    f = Fiber();
    f.stack = b->stacks + i * STACK_BYTES;
    f.thread = {i % job.block.x, i / job.block.x % job.block.y, i / (job.block.x * job.block.y)};
    f.number = i;
    f.lane = i % WAVE;
    f.state = READY;
    f.patience = PATIENCE;
    prepare_stack(f);
  }
  for (unsigned i = 0; i < waves; i++) {
    b->waves[i].lanes = &b->fibers[i * WAVE];
    b->waves[i].count = std::min(WAVE, job.threads - i * WAVE);
    b->waves[i].together = 0;
  }
  b->first_tick = b->barrier_tick = ++w.now;
  return b;
}

static void drop_block(Worker &w, Block *b) {
  w.free_stacks.push_back(b->stacks);
  w.resident.erase(std::find(w.resident.begin(), w.resident.end(), b));
  if (w.block == b) w.block = nullptr;
  delete b;
}

// What no thread of this block has written.
static void spoil_shared(Worker &w) {
  spoil((void *)w.dynamic, w.job->shared);
  for (auto &v : shared_variables) spoil((void *)(w.shared + v.offset), v.size);
}

// Shared memory is one place for each CPU thread: a block that gives way takes its contents along.
static void mount(Worker &w, Block *b) {
  if (w.block == b) return;
  size_t total = w.job->shared;
  for (auto &v : shared_variables) total += v.size;
  auto carry = [&](Block &which, bool out) {
    if (out) which.saved_shared.resize(total);
    char *at = which.saved_shared.data();
    auto one = [&](void *place, size_t n) {
      if (out) memcpy(at, place, n);
      else memcpy(place, at, n);
      at += n;
    };
    one((void *)w.dynamic, w.job->shared);
    for (auto &v : shared_variables) one((void *)(w.shared + v.offset), v.size);
  };
  if (w.block != nullptr) {
    carry(*w.block, true);
    std::swap(w.block->shared_cells, w.shared_cells);
    std::swap(w.block->dynamic_cells, w.dynamic_cells);
  }
  w.block = b;
  if (!b->started) spoil_shared(w);
  if (b->started) {
    carry(*b, false);
    std::swap(b->shared_cells, w.shared_cells);
    std::swap(b->dynamic_cells, w.dynamic_cells);
  }
  w.shared_cells.resize((w.shared_bytes + 3) / 4);
  w.dynamic_cells.resize((w.dynamic_bytes + 3) / 4);
  b->started = true;
}

// Runs what can run. Gives whether anything but waiting happened.
static bool run_wave(Worker &w, WaveState &wave) {
  bool moved = false;
  for (;;) {
    bool preempted = false;
    for (unsigned i = 0; i < wave.count; i++) {
      Fiber &f = wave.lanes[i];
      if (f.state != READY) continue;
      switch_to_fiber(w, f);
      settle_pending(w);
      if (w.job->stop) return true;
      if (f.state == READY) preempted = true;
      else moved = true;
      if (f.state == ENDED) settle_suspect(w, f);
    }
    if (!resolve(w, wave)) return moved;
    if (w.job->stop) return true;
    moved = true;
    if (preempted) return true;
  }
}

enum class Turn { FINISHED, WAITING, AT_GRID, STOPPED };

static Turn run_block(Worker &w, Block &b) {
  mount(w, &b);
  for (;;) {
    bool moved = false, ready = false, at_grid = false;
    for (auto &wave : b.waves) {
      moved |= run_wave(w, wave);
      if (w.job->stop) return Turn::STOPPED;
    }
    if (release_barrier(w, b)) continue;
    if (w.job->stop) return Turn::STOPPED;
    bool ended = true;
    for (auto &f : b.fibers) {
      ended &= f.state == ENDED;
      ready |= f.state == READY;
      at_grid |= f.state == AT_GRID;
    }
    if (ended) return Turn::FINISHED;
    if (!ready && at_grid) return Turn::AT_GRID;
    if (!ready && !moved) {
      explain_deadlock(w);
      return Turn::STOPPED;
    }
    if (moved) b.idle = 0;
    else if (++b.idle > 4) return Turn::WAITING;
  }
}

static bool take_block(Worker &w) {
  Job &job = *w.job;
  const uint64_t i = job.next++;
  if (i >= job.blocks) return false;
  Block *b = make_block(w, job.order.empty() ? i : job.order[i]);
  if (b == nullptr) {
    job.code = HIPPORT_INTERNAL;
    snprintf(job.fault->message, sizeof job.fault->message, "no memory for the stacks of another block");
    job.stop = true;
    return false;
  }
  w.resident.push_back(b);
  return true;
}

static void release_grid(Worker &w) {
  const uint32_t tick = ++w.now;
  for (Block *b : w.resident) {
    b->barrier_tick = tick;
    for (auto &f : b->fibers)
      if (f.state == AT_GRID) f.state = READY;
  }
}

static void work(Worker &w) {
  Job &job = *w.job;
  if (job.cooperative)
    while (take_block(w)) {}
  size_t at = 0;
  unsigned waiting = 0;
  while (!job.stop) {
    if (at >= w.resident.size()) {
      at = 0;
      if (w.resident.empty() && !take_block(w)) return;
    }
    Block *b = w.resident[at];
    const Turn turn = run_block(w, *b);
    if (turn == Turn::STOPPED) return;
    if (turn == Turn::FINISHED) {
      for (auto &f : b->fibers) settle_suspect(w, f);
      drop_block(w, b);
      waiting = 0;
      continue;
    }
    b->idle = 0;
    waiting = turn == Turn::AT_GRID ? waiting + 1 : 0;
    if (waiting >= w.resident.size() && waiting > 0) {
      release_grid(w);
      waiting = 0;
    }
    at++;
    if (turn == Turn::WAITING && take_block(w)) at = w.resident.size() - 1;
  }
}

// A thread that computes and touches no memory is never seen by the checks: a timer looks at it.
static void look(int, siginfo_t *, void *machine) {
  Worker *w = worker;
  if (w == nullptr || w->current == nullptr) return;
  if (w->watched != w->current || w->watched_accesses != w->current->accesses) {
    w->watched = w->current;
    w->watched_accesses = w->current->accesses;
    w->looks = 0;
    return;
  }
  if (++w->looks < (w->job->budget ? 4u : 40u)) return;
  const auto *m = (const ucontext_t *)machine;
#if defined(__x86_64__)
  const uintptr_t pc = m->uc_mcontext.gregs[REG_RIP] + 1, frame = m->uc_mcontext.gregs[REG_RBP];
#else
  const uintptr_t pc = m->uc_mcontext.pc + 1, frame = m->uc_mcontext.regs[29];
#endif
  if (pc < module_low || pc >= module_high) return;
  fault(HIPPORT_RUNAWAY, pc, frame, 0, 0, "a thread has computed for seconds and touched no memory");
}

// An access that the compiler did not show: a local array left on either side, or the stack used up.
static void broken(int signal, siginfo_t *info, void *machine) {
  Worker *w = worker;
  const auto *m = (const ucontext_t *)machine;
#if defined(__x86_64__)
  const uintptr_t pc = m->uc_mcontext.gregs[REG_RIP] + 1, frame = m->uc_mcontext.gregs[REG_RBP];
#else
  const uintptr_t pc = m->uc_mcontext.pc + 1, frame = m->uc_mcontext.regs[29];
#endif
  if (w == nullptr || w->current == nullptr) {
    ::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  const uintptr_t at = (uintptr_t)info->si_addr;
  if (signal == SIGFPE) fault(HIPPORT_TRAP, pc, frame, 0, 0, "a division of integers by zero, or one that overflows");
  if (signal == SIGILL) fault(HIPPORT_TRAP, pc, frame, 0, 0, "the kernel traps");
  const uintptr_t low = (uintptr_t)w->block->stacks;
  if (at - low < STACK_BYTES * (w->job->threads + 1))
    fault(HIPPORT_SCRATCH_BOUNDS, pc, frame, at, 0, "an access outside of the thread's local memory");
  fault(HIPPORT_GLOBAL_BOUNDS, pc, frame, at, 0, "an access outside of all memory (0x%zx)", (size_t)at);
}

static void catch_faults() {
  static thread_local char *other = (char *)malloc(64 << 10);
  const stack_t apart = {other, 0, 64 << 10};
  sigaltstack(&apart, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = broken;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
}

static void watch() {
  struct sigaction action = {};
  action.sa_sigaction = look;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGVTALRM, &action, nullptr);
  const struct itimerval every = {{0, 250000}, {0, 250000}};
  setitimer(ITIMER_VIRTUAL, &every, nullptr);
}

static void run_worker(Job &job) {
  Worker *w = new Worker();
  static std::atomic<uint32_t> ticks{1};
  w->job = &job;
  w->now = ticks;
  worker = w;
  w->shared = 0;
  shadow_new_worker(*w);
  catch_faults();
  work(*w);
  worker = nullptr;
  uint32_t seen = ticks;
  while (seen < w->now && !ticks.compare_exchange_weak(seen, w->now)) {}
  for (Block *b : std::vector<Block *>(w->resident)) drop_block(*w, b);
  for (char *stacks : w->free_stacks)
    if (stacks) munmap(stacks, STACK_BYTES * job.threads);
  delete w;
}

int run_job(Job &job) {
  static const bool watching = (watch(), true);
  (void)watching;
  job.first_serial = serials;
  if (job.workers <= 1) {
    run_worker(job);
    return job.code;
  }
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < job.workers; i++) threads.emplace_back(run_worker, std::ref(job));
  for (auto &t : threads) t.join();
  return job.code;
}

Index thread_index() { return worker && worker->current ? worker->current->thread : Index{0, 0, 0}; }
Index block_index() { return worker && worker->block ? worker->block->index : Index{0, 0, 0}; }
Index block_extent() { return worker ? worker->job->block : Index{1, 1, 1}; }
Index grid_extent() { return worker ? worker->job->grid : Index{1, 1, 1}; }
unsigned lane_number() { return worker && worker->current ? worker->current->lane : 0; }
unsigned warp_number() { return worker && worker->current ? worker->current->number / WAVE : 0; }
bool on_device() { return worker && worker->current; }
void *dynamic_shared() { return worker ? (void *)worker->dynamic : nullptr; }
unsigned dynamic_shared_bytes() { return worker ? worker->job->shared : 0; }

void pause() {
  if (!on_device()) return;
  settle_pending(*worker);
  worker->current->patience = PATIENCE;
  switch_to_scheduler();
}

}  // namespace hipport_wave
