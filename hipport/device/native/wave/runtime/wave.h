// The runtime's own values: fibers, waves, blocks, workers.
#ifndef HIPPORT_WAVE_RUNTIME_H
#define HIPPORT_WAVE_RUNTIME_H

#include "../../abi.h"
#include "../include/hipport_wave.h"

#include <atomic>
#include <string>
#include <vector>

extern "C" struct hipport_module hipport_module;
extern "C" thread_local char hipport_wave_dynamic[];

namespace hipport_wave {

constexpr unsigned WAVE = HIPPORT_WAVE_SIZE;
constexpr unsigned MAX_THREADS = 1024;
constexpr size_t STACK_BYTES = 256 << 10;
constexpr size_t DYNAMIC_BYTES = 232448;  // an H200's, the most of all machines here
constexpr size_t GUARD_BYTES = 32 << 10;  // at the low end of every stack
constexpr unsigned PATIENCE = 1 << 13;  // accesses of one thread before others get their turn

enum State : uint8_t { READY, AT_COLLECTIVE, AT_BARRIER, AT_GRID, ENDED };

struct Suspect {  // a read of bytes that nobody wrote, until it shows whether they decide anything
  uintptr_t address = 0;
  unsigned bytes = 0;
  uint8_t value[16] = {};
  std::vector<uintptr_t> *trail = nullptr;
};

struct Fiber {
  void *stack_pointer;
  char *stack;  // lowest address
  Index thread;
  uint16_t number;  // in the block
  uint8_t lane;
  State state;
  uint8_t exited;
  // what it waits for
  int what;
  uint64_t mask;
  const void *in;
  void *out;
  unsigned bytes;
  int argument, width;
  Site site;
  uintptr_t pc, frame;
  uint64_t result;
  // for the checks
  uint32_t synchronised;  // the tick of its last atomic operation or fence
  uint32_t patience;
  uint64_t accesses;
  Suspect suspect;
};

struct WaveState {
  Fiber *lanes;
  unsigned count;
  uint32_t together;            // every lane knows what all did before this tick
  std::vector<uint32_t> known;  // [a * WAVE + b]: a knows what b did before this tick; empty until some lanes met alone
};

struct SharedCell {  // four bytes of shared memory
  uint32_t serial;   // block that `init` and the rest speak of
  uint32_t write_tick, read_tick[2];
  uint16_t writer, reader[2];  // two readers that no barrier tells apart: one of them is not the writer
  uint8_t write_mask, read_mask[2], init;
};

struct Block {
  Index index;
  uint32_t serial;
  uint32_t barrier_tick;
  uint32_t first_tick;
  bool started, done;
  unsigned idle;                    // rounds in which nothing but waiting happened
  std::vector<char> saved_shared;   // while another block of the worker runs
  std::vector<struct SharedCell> shared_cells, dynamic_cells;
  std::vector<Fiber> fibers;
  std::vector<WaveState> waves;
  char *stacks;
};

struct GlobalCell {  // four bytes of global memory
  uint32_t write_block, write_tick, read_block, read_tick[2];
  uint16_t writer, reader[2];
  uint8_t write_mask, read_mask[2], spare;
};

struct Memory {  // one allocation
  uintptr_t base;
  size_t size;
  std::string name;
  bool writable;
  bool host;          // the host may use it too
  uint8_t *undefined;  // one byte for each byte: not 0 = never written; null = all written
  GlobalCell *cells;   // null = races are not looked for
  std::vector<uint8_t> own_undefined;
};

struct Variable {  // of the module: __device__, __constant__, __shared__
  uintptr_t offset;  // in the TLS image for shared ones, an address otherwise
  size_t size;
  std::string name;
  bool writable;
};

struct PendingWrite {  // a store that is about to happen
  uintptr_t address = 0;
  unsigned bytes = 0;
  uint8_t before[16] = {};
  Fiber *fiber = nullptr;
  uintptr_t pc = 0;
  bool conflict = false;
  struct hipport_fault fault;
  std::vector<uintptr_t> trail;
};

struct Job;

struct Worker {
  Fiber *current;
  uintptr_t stack, shared, dynamic;  // lowest addresses
  size_t shared_bytes, dynamic_bytes;
  Block *block;
  uint32_t now;
  void *scheduler;
  Job *job;
  std::vector<SharedCell> shared_cells, dynamic_cells;
  std::vector<uint16_t> owner;  // of each byte of the module's thread-local image: its variable + 1
  size_t last_memory;
  PendingWrite pending;
  std::vector<Block *> resident;
  std::vector<char *> free_stacks;
  const Fiber *watched;
  uint64_t watched_accesses;
  unsigned looks;
};

struct Job {  // one launch
  Index grid, block;
  unsigned threads;
  size_t shared;
  const void *body;
  size_t body_bytes;
  void (*invoke)(const void *);
  const char *kernel;
  uint32_t first_serial;
  bool poison, cooperative;
  uint64_t budget, blocks;
  std::atomic<uint64_t> next{0};
  std::atomic<bool> stop{false};
  unsigned workers;
  std::vector<uint64_t> order;
  struct hipport_fault *fault;
  std::atomic<int> code{0};
};

extern thread_local Worker *worker;
extern std::vector<Memory> memories;  // sorted by base
extern std::vector<Variable> shared_variables, global_variables;
extern uintptr_t module_low, module_high, writable_low, writable_high;
extern uint8_t approximate_used[64];

// While one lives, what the runtime itself allocates is not the kernel's.
struct Inside {
  Fiber *kept;
  Inside() : kept(worker ? worker->current : nullptr) {
    if (worker) worker->current = nullptr;
  }
  ~Inside() {
    if (worker) worker->current = kept;
  }
};

int run_job(Job &job);
void switch_to_scheduler();
void spoil(void *place, size_t bytes);
bool ordered(const Worker &w, uint32_t tick, unsigned other);
void shadow_new_worker(Worker &w);
void settle_pending(Worker &w);
void settle_suspect(Worker &w, Fiber &f);
[[noreturn]] void fault(int kind, uintptr_t pc, uintptr_t frame, uintptr_t address, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void fault_from_scheduler(int kind, uintptr_t pc, uintptr_t frame, const char *format, ...) __attribute__((format(printf, 4, 5)));
void describe(struct hipport_fault &out, const Worker &w, const Fiber &f, int kind);
std::vector<uintptr_t> trail(uintptr_t pc, uintptr_t frame, const Fiber *f);
void locate(struct hipport_fault &out, const std::vector<uintptr_t> &addresses);
void load_module();
const Variable *variable_at(const std::vector<Variable> &all, uintptr_t at);
std::string place_name(const Worker &w, uintptr_t address);
const Memory *memory_at(Worker &w, uintptr_t at);

}  // namespace hipport_wave
#endif
