/* One launch while it runs: shared by the files of the runtime, not seen by generated code. */
#ifndef HIPPORT_RUN_H
#define HIPPORT_RUN_H

#include "wave.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

extern const struct hipport_module hipport_module __attribute__((visibility("default")));

#define TEMPORARY_ROWS 8u
#define SLICE 32768u

typedef u16 __attribute__((aligned(1), may_alias)) u16u;
typedef u32 __attribute__((aligned(1), may_alias)) u32u;
typedef u64 __attribute__((aligned(1), may_alias)) u64u;

#define EACH_LANE(exec, l) for (u64 rest_ = (exec); rest_; rest_ &= rest_ - 1) for (int l = __builtin_ctzll(rest_), once_ = 1; once_; once_ = 0)

struct block {
  u32 id[3];
  u32 wave_count, alive;
  struct wave *waves;
  u8 *memory; /* everything the block owns, one piece */
  u32 *order;
  struct block *next;
  u32 slice; /* instructions a wave gets at a time: fewer while the block only waits */
  u32 at_grid_barrier;
  u64 grid_phase;
};

struct message; /* printf text under way */

struct run {
  const struct hipport_launch *launch;
  const struct hipport_kernel *kernel;
  const struct kernel_code *code;
  const struct module_code *module;
  struct range *ranges;
  u32 range_count;
  u32 lds_size, scratch_size, threads;
  u32 rows; /* registers of one wave, temporaries included */
  u64 blocks;
  u32 thread_ids[1024]; /* x, y << 10 and z << 20 of each thread of a block */
  atomic_ullong next_block;
  u64 permutation; /* multiplier of the random order; 1 = in order */
  u64 permutation_start;
  atomic_int stop;
  pthread_mutex_t lock;
  struct hipport_fault *fault;
  u32 kind; /* of the first fault */
  u8 *kernarg;
  u8 packet[64], queue[256], implicit[256];
  atomic_ullong grid_arrived, grid_phase;
  atomic_ullong finished_blocks;
  struct message *messages;
  u64 next_message;
  u8 approximate[64];
  struct address_counts *atomics; /* profile: updates by address */
};

struct worker {
  jmp_buf escape;
  struct run *run;
  struct block *resident;
  u32 resident_count;
  u8 *spare; /* memory of a finished block, for the next */
  struct hipport_counts counts;
  u64 *block_counts;
  struct wave *wave;
  u64 random;
};

const struct range *find_range(struct wave *w, u64 low, u64 high);
u32 row_of(const struct wave *w, const u32 *row);
void run_worker(struct worker *worker);
void missed_barrier(struct wave *w);
void finish_messages(struct run *run);
void count_global(struct wave *w, const u64 *ea, u64 exec, u32 bytes, int store);
void count_lds(struct wave *w, const u64 *ea, u64 exec, u32 bytes, int store);
void count_atomic(struct wave *w, u32 space, const u64 *ea, u64 exec, u32 bytes);
void merge_atomics(struct run *run, struct hipport_counts *counts);
void *device_heap_allocate(struct run *run, u64 size);
int device_heap_free(struct run *run, void *pointer);
const struct range *heap_range(u64 low, u64 high);
void taint_loaded(struct wave *w, u32 width, u32 *d, const u8 *shadow, const u64 *ea, u64 exec);
void taint_clear(struct wave *w, const u32 *row, u32 rows, u64 exec);
void taint_stored(struct wave *w, u32 space, u32 width, const u32 *d, u8 *shadow, const u64 *ea, u64 exec);
u32 width_bytes(u32 width);

#endif
