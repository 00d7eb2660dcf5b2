/* Waves of a block take turns on one host thread; blocks go to threads one by one. A block whose waves only spin gives way to
 * the next one, so that blocks which wait for later blocks get on. */
#include "run.h"
#include <stdio.h>
#include <stdlib.h>

#define PATIENCE 64u        /* rounds of full slices before another block is given a turn; one round if nothing was stored */
#define LEAST_SLICE 256u
#define RESIDENT_LIMIT 512u /* blocks a thread keeps half-way, unless the launch is cooperative */

static u64 next_random(u64 *state) { /* splitmix64 */
  u64 z = (*state += 0x9e3779b97f4a7c15ull);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

static void set_scalars(struct wave *w, const struct block *b) {
  const struct run *run = w->run;
  const struct kernel_code *k = run->code;
  if (k->dispatch_packet >= 0) set64(w->s + k->dispatch_packet, (u64)run->packet);
  if (k->queue >= 0) set64(w->s + k->queue, (u64)run->queue);
  if (k->kernarg >= 0) set64(w->s + k->kernarg, (u64)run->kernarg);
  if (k->dispatch_id >= 0) set64(w->s + k->dispatch_id, 1);
  if (k->private_size >= 0) w->s[k->private_size] = run->scratch_size;
  if (k->preload >= 0) memcpy(w->s + k->preload, run->kernarg + 4 * k->preload_offset, 4 * (size_t)k->preload_length);
  for (int i = 0; i < 3; i++) if (k->group_id[i] >= 0) w->s[k->group_id[i]] = b->id[i];
  if (k->group_info >= 0) w->s[k->group_info] = 0;
}

static void set_thread_ids(struct wave *w) {
  const u32 *size = w->run->launch->block;
  u32 count = size[0] * size[1] * size[2], first = w->index * LANES;
  u64 exec = count - first >= LANES ? ALL : (1ull << (count - first)) - 1;
  memcpy(w->v, w->run->thread_ids + first, 4 * LANES);
  set64(w->s + EXEC, exec);
  w->start_exec = exec;
  w->barrier_exec = ALL;
}

struct layout {
  size_t waves, order, lds, shadow, registers, taint, scratch, scratch_shadow, size;
};

static size_t aligned(size_t n) { return (n + 255) & ~(size_t)255; }

static struct layout lay_out(const struct run *run, u32 waves) {
  struct layout o;
  int poison = run->launch->flags & HIPPORT_POISON;
  size_t at = aligned(sizeof(struct block));
  o.waves = at; at += aligned(waves * sizeof(struct wave));
  o.order = at; at += aligned(4 * waves);
  o.lds = at; at += aligned(run->lds_size + 16);
  o.shadow = at; at += poison ? aligned(run->lds_size + 16) : 0;
  o.registers = at; at += (size_t)waves * run->rows * LANES * 4;
  o.taint = at; at += waves * aligned(run->rows * sizeof(struct taint));
  o.scratch = at; at += (size_t)waves * run->scratch_size * LANES;
  o.scratch_shadow = at; at += poison ? (size_t)waves * run->scratch_size * LANES : 0;
  o.size = at;
  return o;
}

static void set_wave(struct wave *w, struct block *b, struct worker *worker, const struct layout *o, u32 index) {
  struct run *run = worker->run;
  int poison = run->launch->flags & HIPPORT_POISON;
  memset(w, 0, sizeof *w);
  w->run = run;
  w->block = b;
  w->worker = worker;
  w->index = index;
  w->vgprs = run->kernel->vgprs;
  w->agprs = run->kernel->agprs;
  w->v = (u32 *)(b->memory + o->registers) + (size_t)index * run->rows * LANES;
  w->a = w->v + (size_t)w->vgprs * LANES;
  w->temporary = w->a + (size_t)w->agprs * LANES;
  w->taint = (struct taint *)(b->memory + o->taint + index * aligned(run->rows * sizeof(struct taint)));
  memset(w->taint, 0, run->rows * sizeof(struct taint));
  w->lds = b->memory + o->lds;
  w->lds_size = run->lds_size;
  w->lds_shadow = poison ? b->memory + o->shadow : NULL;
  w->scratch_size = run->scratch_size;
  w->scratch = (u32 *)(b->memory + o->scratch + (size_t)index * run->scratch_size * LANES);
  w->scratch_shadow = poison ? (u32 *)(b->memory + o->scratch_shadow + (size_t)index * run->scratch_size * LANES) : NULL;
  if (w->scratch_shadow) memset(w->scratch_shadow, 1, (size_t)run->scratch_size * LANES);
  w->hot = run->ranges;
  w->mode = run->code->mode;
  w->budget = run->launch->budget ? run->launch->budget : 1ull << 34;
  w->parallel = run->threads > 1;
  w->profile = hipport_module.profiled;
  w->counts = &worker->counts;
  w->block_counts = worker->block_counts;
  w->approximate = worker->counts.approximate;
  w->mask_exec = 0;
  if (poison) memset(w->v, 0xa5, (size_t)run->rows * LANES * 4);
  set_thread_ids(w);
  set_scalars(w, b);
  w->pc = (run->code->entry - CODE_BASE) >> CODE_FUNCTION_SHIFT;
  w->entry = 0;
  w->status = WAVE_YIELD;
  worker->counts.waves++;
}

static struct block *new_block(struct worker *worker, u64 number) {
  struct run *run = worker->run;
  const u32 *size = run->launch->block;
  u32 waves = (size[0] * size[1] * size[2] + LANES - 1) / LANES;
  struct layout o = lay_out(run, waves);
  u8 *memory = worker->spare ? worker->spare : aligned_alloc(256, aligned(o.size));
  worker->spare = NULL;
  if (!memory) return NULL;
  struct block *b = (struct block *)memory;
  memset(b, 0, sizeof *b);
  b->memory = memory;
  b->slice = SLICE;
  b->wave_count = b->alive = waves;
  b->waves = (struct wave *)(memory + o.waves);
  b->order = (u32 *)(memory + o.order);
  b->id[0] = (u32)(number % run->launch->grid[0]);
  b->id[1] = (u32)(number / run->launch->grid[0] % run->launch->grid[1]);
  b->id[2] = (u32)(number / run->launch->grid[0] / run->launch->grid[1]);
  memset(memory + o.lds, 0xa5, run->lds_size);
  if (run->launch->flags & HIPPORT_POISON) memset(memory + o.shadow, 1, run->lds_size);
  for (u32 i = 0; i < waves; i++) {
    set_wave(&b->waves[i], b, worker, &o, i);
    b->order[i] = i;
  }
  return b;
}

static void shuffle(struct worker *worker, struct block *b) {
  if (worker->run->launch->order != HIPPORT_ORDER_RANDOM) return;
  for (u32 i = b->wave_count; i > 1; i--) {
    u32 j = (u32)(next_random(&worker->random) % i), t = b->order[i - 1];
    b->order[i - 1] = b->order[j];
    b->order[j] = t;
  }
}

/* Lets one wave run to its next event. */
static void run_wave(struct wave *w) {
  int event;
  w->worker->wave = w;
  w->slice = w->retired + w->block->slice;
  do event = w->run->module->functions[w->pc].run(w);
  while (event == WAVE_JUMP);
  w->status = (u32)event;
  if (w->retired > w->budget)
    fault(w, HIPPORT_RUNAWAY, -1, 0, 0, "a wave has retired %llu instructions without ending", (unsigned long long)w->retired);
  if (event == WAVE_END) {
    w->block->alive--;
    w->worker->counts.retired += w->retired;
    w->worker->counts.vector_lanes += w->vector_lanes;
  }
}

/* All live waves wait at a barrier: one and the same source line, or some lanes are elsewhere. */
static void release(struct block *b) {
  const struct wave *first = NULL;
  for (u32 i = 0; i < b->wave_count; i++) {
    struct wave *w = &b->waves[i];
    if (w->status == WAVE_END) continue;
    const struct place *p = w->run->module->places;
    if (!first) first = w;
    else if (p[w->barrier_place].line != p[first->barrier_place].line)
      fault(w, HIPPORT_BARRIER, -1, 0, 0, "waves of one block wait at different barriers: lines %u and %u",
            p[first->barrier_place].line, p[w->barrier_place].line);
    w->status = WAVE_YIELD;
  }
}

static u64 progress(const struct block *b) {
  u64 sum = 0;
  for (u32 i = 0; i < b->wave_count; i++) sum += b->waves[i].progress;
  return sum;
}

enum turn { BLOCK_DONE, BLOCK_GAVE_WAY, BLOCK_AT_GRID_BARRIER };

static enum turn run_block(struct worker *worker, struct block *b) {
  struct run *run = worker->run;
  if (b->at_grid_barrier) {
    if (atomic_load(&run->grid_phase) == b->grid_phase) return BLOCK_AT_GRID_BARRIER;
    b->at_grid_barrier = 0;
    for (u32 i = 0; i < b->wave_count; i++) if (b->waves[i].status == WAVE_GRID_BARRIER) b->waves[i].status = WAVE_YIELD;
  }
  for (u32 stuck = 0; b->alive; ) {
    u32 waiting = 0, at_grid = 0, moved = 0;
    u64 before = progress(b);
    if (atomic_load_explicit(&run->stop, memory_order_relaxed)) longjmp(worker->escape, 2);
    shuffle(worker, b);
    for (u32 i = 0; i < b->wave_count; i++) {
      struct wave *w = &b->waves[b->order[i]];
      if (w->status == WAVE_BARRIER) { waiting++; continue; }
      if (w->status == WAVE_GRID_BARRIER) { at_grid++; continue; }
      if (w->status == WAVE_END) continue;
      run_wave(w);
      if (w->status == WAVE_BARRIER) waiting++;
      if (w->status == WAVE_GRID_BARRIER) at_grid++;
      if (w->status != WAVE_YIELD) moved = 1;
    }
    if (!b->alive) break;
    if (waiting == b->alive) { release(b); stuck = 0; continue; }
    if (at_grid && at_grid + waiting == b->alive) {
      if (waiting) fault(&b->waves[b->order[0]], HIPPORT_BARRIER, -1, 0, 0, "some waves wait for the grid and others for their block");
      b->at_grid_barrier = 1;
      b->grid_phase = atomic_load(&run->grid_phase);
      if (atomic_fetch_add(&run->grid_arrived, 1) + 1 == run->blocks) {
        atomic_store(&run->grid_arrived, 0);
        atomic_fetch_add(&run->grid_phase, 1);
      }
      return BLOCK_AT_GRID_BARRIER;
    }
    stuck = moved ? 0 : stuck + 1;
    if (moved || progress(b) != before) b->slice = SLICE;
    else {
      b->slice = b->slice / 2 > LEAST_SLICE ? b->slice / 2 : LEAST_SLICE;
      return BLOCK_GAVE_WAY;
    }
    if (stuck > PATIENCE) return BLOCK_GAVE_WAY;
  }
  return BLOCK_DONE;
}

static u64 block_number(const struct run *run, u64 i) {
  return (run->permutation_start + (u64)((unsigned __int128)i * run->permutation % run->blocks)) % run->blocks;
}

/* The next block that nobody has begun, or NULL. */
static struct block *begin(struct worker *worker) {
  struct run *run = worker->run;
  u64 i = atomic_fetch_add(&run->next_block, 1);
  if (i >= run->blocks) return NULL;
  struct block *b = new_block(worker, block_number(run, i));
  if (b) return b;
  pthread_mutex_lock(&run->lock);
  if (!run->kind) {
    run->kind = run->fault->kind = HIPPORT_INTERNAL;
    snprintf(run->fault->message, sizeof run->fault->message, "no memory for the state of a block");
  }
  pthread_mutex_unlock(&run->lock);
  atomic_store(&run->stop, 1);
  longjmp(worker->escape, 2);
}

static void free_residents(struct worker *worker) {
  while (worker->resident) {
    struct block *b = worker->resident;
    worker->resident = b->next;
    free(b->memory);
  }
  free(worker->spare);
  worker->spare = NULL;
}

static void run_blocks(struct worker *worker) {
  struct run *run = worker->run;
  u32 limit = run->launch->flags & HIPPORT_COOPERATIVE ? ~0u : RESIDENT_LIMIT;
  u64 idle = 0;
  for (;;) {
    struct block *b = worker->resident_count < limit ? begin(worker) : NULL;
    if (b) {
      b->next = worker->resident;
      worker->resident = b;
      worker->resident_count++;
    } else if (!worker->resident) return;
    u32 went_on = b != NULL;
    u64 phase = atomic_load(&run->grid_phase);
    for (struct block **at = &worker->resident; *at;) {
      struct block *turn = *at;
      enum turn result = run_block(worker, turn);
      if (result != BLOCK_AT_GRID_BARRIER) went_on = 1;
      if (result == BLOCK_DONE) {
        *at = turn->next;
        worker->resident_count--;
        atomic_fetch_add(&run->finished_blocks, 1);
        if (worker->spare) free(turn->memory);
        else worker->spare = turn->memory;
      } else at = &turn->next;
      if (b && result != BLOCK_DONE) break; /* more blocks may be what it waits for */
    }
    if (atomic_load(&run->grid_phase) != phase) went_on = 1;
    idle = went_on ? 0 : idle + 1;
    if (idle > 1u << 22 || (idle && run->threads == 1 && atomic_load(&run->next_block) >= run->blocks))
      fault(&worker->resident->waves[0], HIPPORT_DEADLOCK, -1, 0, 0, "every block waits at a grid barrier that some never reach");
  }
}

void run_worker(struct worker *worker) {
  if (!setjmp(worker->escape)) run_blocks(worker);
  free_residents(worker);
}
