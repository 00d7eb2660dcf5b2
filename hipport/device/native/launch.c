/* hipport_launch: refuse what the machine refuses, set the arguments out, run the blocks, add up. */
#include "run.h"
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>

#define DYNAMIC_STACK 16384u /* scratch a lane gets where the compiler cannot tell how much it needs */

static int refuse(struct hipport_fault *f, const char *kernel, const char *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static int refuse(struct hipport_fault *f, const char *kernel, const char *error, const char *format, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, format);
  f->kind = HIPPORT_REFUSED;
  f->lane = -1;
  snprintf(f->kernel, sizeof f->kernel, "%s", kernel);
  snprintf(f->hip_error, sizeof f->hip_error, "%s", error);
  vsnprintf(f->message, sizeof f->message, format, list);
  __builtin_va_end(list);
  return HIPPORT_REFUSED;
}

/* The order is that of clr's ihipLaunchKernel and ihipLaunchKernel_validate: the first that fails names the error. */
static int check_shape(const struct hipport_launch *l, const struct hipport_kernel *k, struct hipport_fault *f) {
  for (int i = 0; i < 3; i++)
    if ((u64)l->grid[i] * l->block[i] >= 1ull << 32)
      return refuse(f, k->name, "hipErrorInvalidConfiguration", "%u blocks of %u threads in %c: HIP takes fewer than 2^32 threads a dimension",
                    l->grid[i], l->block[i], 'x' + i);
  for (int i = 0; i < 3; i++) {
    if (!l->grid[i]) return refuse(f, k->name, "hipErrorInvalidConfiguration", "dimension %c of the grid is 0", 'x' + i);
    if (!l->block[i]) return refuse(f, k->name, "hipErrorInvalidConfiguration", "dimension %c of the block is 0", 'x' + i);
  }
  return 0;
}

static int check_block(const struct hipport_launch *l, const struct hipport_kernel *k, struct hipport_fault *f) {
  double product = (double)l->block[0] * l->block[1] * l->block[2]; /* three of 32 bits are more than 64 */
  u64 threads = (u64)l->block[0] * l->block[1] * l->block[2];
  if (product > 1024)
    return refuse(f, k->name, "hipErrorInvalidConfiguration", "%.0f threads a block: the machine takes 1024", product);
  if (threads > k->max_block)
    return refuse(f, k->name, "hipErrorLaunchFailure", "%llu threads a block: the kernel was compiled for at most %u (__launch_bounds__)",
                  (unsigned long long)threads, k->max_block);
  if (k->required_block[0] && memcmp(k->required_block, l->block, sizeof l->block))
    return refuse(f, k->name, "hipErrorInvalidConfiguration", "the kernel requires blocks of %u x %u x %u", k->required_block[0],
                  k->required_block[1], k->required_block[2]);
  return 0;
}

static int refuse_lds(const struct hipport_launch *l, const struct hipport_kernel *k, struct hipport_fault *f, u32 limit, const char *error) {
  return refuse(f, k->name, error, "%llu bytes of LDS (%u static, %u dynamic): a block on %s has %u",
                (unsigned long long)k->lds_static + l->lds_dynamic, k->lds_static, l->lds_dynamic, hipport_module.target, limit);
}

static int check(const struct hipport_launch *l, const struct hipport_kernel *k, struct hipport_fault *f) {
  u32 limit = l->lds_limit ? l->lds_limit : 65536;
  int shape = check_shape(l, k, f);
  if (shape) return shape;
  if (l->lds_dynamic > limit) return refuse_lds(l, k, f, limit, "hipErrorInvalidValue");
  int block = check_block(l, k, f);
  if (block) return block;
  if ((u64)k->lds_static + l->lds_dynamic > limit) return refuse_lds(l, k, f, limit, "hipErrorOutOfMemory");
  if (l->kernarg_bytes < k->explicit_size)
    return refuse(f, k->name, "hipErrorInvalidValue", "%u bytes of arguments: the kernel takes %u", l->kernarg_bytes, k->explicit_size);
  return 0;
}

static int by_base(const void *a, const void *b) {
  u64 x = ((const struct range *)a)->base, y = ((const struct range *)b)->base;
  return (x > y) - (x < y);
}

static void add(struct run *run, const void *base, u64 size, const char *name, u8 *shadow, u32 writable) {
  if (!size) return;
  run->ranges[run->range_count++] = (struct range){(u64)base, (u64)base + size, name, shadow, writable};
}

static int set_ranges(struct run *run) {
  const struct hipport_launch *l = run->launch;
  const struct hipport_module *m = &hipport_module;
  run->ranges = calloc(l->allocation_count + m->symbol_count + 4, sizeof *run->ranges);
  if (!run->ranges) return 0;
  /* the segment is allocated in 64-byte lines, and the compiler loads a 12-byte argument as 16 bytes */
  add(run, run->kernarg, (run->kernel->kernarg_size + 63) & ~63u, "the kernel's arguments", NULL, 0);
  add(run, run->packet, sizeof run->packet, "the dispatch packet", NULL, 0);
  add(run, run->queue, sizeof run->queue, "the queue", NULL, 0);
  add(run, run->implicit, sizeof run->implicit, "the hidden arguments", NULL, 1);
  for (u32 i = 0; i < m->symbol_count; i++)
    add(run, m->symbols[i].address, m->symbols[i].size, m->symbols[i].name, NULL, m->symbols[i].writable);
  for (u32 i = 0; i < l->allocation_count; i++) {
    const struct hipport_allocation *a = &l->allocations[i];
    add(run, (const void *)a->base, a->size, a->name ? a->name : "an allocation", a->shadow, a->writable);
  }
  qsort(run->ranges, run->range_count, sizeof *run->ranges, by_base);
  return 1;
}

static void put(u8 *at, u32 size, u64 value) { memcpy(at, &value, size < 8 ? size : 8); }

static u64 hidden_value(const struct run *run, const char *kind) {
  const struct hipport_launch *l = run->launch;
  static const char *const names[] = {"hidden_block_count_", "hidden_group_size_", "hidden_remainder_", "hidden_global_offset_"};
  for (int n = 0; n < 4; n++) {
    size_t length = strlen(names[n]);
    if (strncmp(kind, names[n], length)) continue;
    int axis = kind[length] - 'x';
    if (axis < 0 || axis > 2) return 0;
    return n == 0 ? l->grid[axis] : n == 1 ? l->block[axis] : 0; /* HIP grids are whole blocks: no remainder */
  }
  if (!strcmp(kind, "hidden_grid_dims")) return l->grid[2] > 1 || l->block[2] > 1 ? 3 : l->grid[1] > 1 || l->block[1] > 1 ? 2 : 1;
  if (!strcmp(kind, "hidden_dynamic_lds_size")) return l->lds_dynamic;
  if (!strcmp(kind, "hidden_private_base")) return PRIVATE_APERTURE >> 32;
  if (!strcmp(kind, "hidden_shared_base")) return SHARED_APERTURE >> 32;
  if (!strcmp(kind, "hidden_multigrid_sync_arg")) return l->flags & HIPPORT_COOPERATIVE ? (u64)run->implicit : 0;
  if (!strcmp(kind, "hidden_queue_ptr")) return (u64)run->queue;
  return 0; /* printf, hostcall, heap: replaced by host calls at compile time; others unused by HIP */
}

static void set_arguments(struct run *run) {
  const struct hipport_kernel *k = run->kernel;
  const struct hipport_launch *l = run->launch;
  u32 copied = l->kernarg_bytes < k->kernarg_size ? l->kernarg_bytes : k->kernarg_size;
  if (copied) memcpy(run->kernarg, l->kernarg, copied);
  for (u32 i = 0; i < k->arg_count; i++) {
    const struct hipport_arg *a = &k->args[i];
    if (a->kind >= HIPPORT_ARG_HIDDEN) put(run->kernarg + a->offset, a->size, hidden_value(run, a->value_kind));
  }
}

/* hsa_kernel_dispatch_packet_t. */
static void set_packet(struct run *run) {
  const struct hipport_launch *l = run->launch;
  put(run->packet, 2, 2);
  put(run->packet + 2, 2, 3);
  for (int i = 0; i < 3; i++) {
    put(run->packet + 4 + 2 * i, 2, l->block[i]);
    put(run->packet + 12 + 4 * i, 4, (u64)l->grid[i] * l->block[i]);
  }
  put(run->packet + 24, 4, run->scratch_size);
  put(run->packet + 28, 4, run->lds_size);
  put(run->packet + 40, 8, (u64)run->kernarg);
  /* what the device library's grid barrier reads through hidden_multigrid_sync_arg: a counter at 32, the blocks at 40 */
  put(run->implicit + 40, 4, run->blocks);
}

/* A multiplier that visits every block once: coprime with their number. */
static void set_order(struct run *run) {
  u64 n = run->blocks, m;
  run->permutation = 1;
  if (run->launch->order != HIPPORT_ORDER_RANDOM || n < 3) return;
  for (m = (run->launch->seed * 0x9e3779b97f4a7c15ull >> 3) % n;; m = m + 1 < n ? m + 1 : 1) {
    u64 a = n, b = m;
    while (b) { u64 t = a % b; a = b; b = t; }
    if (a == 1) break;
  }
  run->permutation = m;
  run->permutation_start = (run->launch->seed ^ run->launch->seed >> 17) % n;
}

static void add_counts(struct hipport_counts *to, const struct hipport_counts *from) {
  u64 *x = (u64 *)to;
  const u64 *y = (const u64 *)from;
  for (size_t i = 0; i < offsetof(struct hipport_counts, approximate) / 8; i++) {
    u64 *at = x + i;
    if (at == &to->global_atomic_worst_address) continue;
    if (at == &to->global_atomic_worst || at == &to->lds_atomic_worst) *at = *at > y[i] ? *at : y[i];
    else *at += y[i];
  }
  for (size_t i = 0; i < sizeof to->approximate; i++) to->approximate[i] |= from->approximate[i];
}

static void count_classes(const struct run *run, struct hipport_counts *to, const u64 *blocks) {
  for (u32 i = 0; i < run->module->block_count; i++)
    for (u32 c = 0; c < HIPPORT_CLASSES; c++) to->instructions[c] += blocks[i] * run->module->blocks[i].count[c];
}

static void *thread_main(void *worker) {
  run_worker(worker);
  return NULL;
}

static void run_threads(struct run *run, struct worker *workers) {
  pthread_t threads[256];
  u32 started = 1;
  for (; started < run->threads; started++)
    if (pthread_create(&threads[started], NULL, thread_main, &workers[started])) break;
  run_worker(&workers[0]);
  for (u32 i = 1; i < started; i++) pthread_join(threads[i], NULL);
}

static int run_launch(struct run *run, struct hipport_counts *counts) {
  u32 block_count = run->module->block_count;
  struct worker *workers = calloc(run->threads, sizeof *workers);
  if (!workers) return 0;
  for (u32 i = 0; i < run->threads; i++) {
    workers[i].run = run;
    workers[i].random = run->launch->seed + 0x1000 * i;
    if (hipport_module.profiled) workers[i].block_counts = calloc(block_count + 1, sizeof(u64));
  }
  run_threads(run, workers);
  for (u32 i = 0; i < run->threads && counts; i++) {
    add_counts(counts, &workers[i].counts);
    if (workers[i].block_counts) count_classes(run, counts, workers[i].block_counts);
  }
  for (u32 i = 0; i < run->threads; i++) free(workers[i].block_counts);
  free(workers);
  return 1;
}

static void set_sizes(struct run *run) {
  const struct hipport_launch *l = run->launch;
  const struct hipport_kernel *k = run->kernel;
  run->lds_size = k->lds_static + l->lds_dynamic;
  run->scratch_size = (k->scratch_per_lane + 15) & ~15u;
  if (k->dynamic_stack) run->scratch_size += DYNAMIC_STACK;
  run->rows = k->vgprs + k->agprs + TEMPORARY_ROWS;
  run->blocks = (u64)l->grid[0] * l->grid[1] * l->grid[2];
  run->threads = l->threads ? l->threads : 1;
  if (run->threads > 256) run->threads = 256;
  if (run->threads > run->blocks) run->threads = (u32)run->blocks;
}

static void set_thread_ids(struct run *run) {
  const u32 *size = run->launch->block;
  for (u32 t = 0; t < 1024; t++)
    run->thread_ids[t] = t % size[0] | t / size[0] % size[1] << 10 | t / (size[0] * size[1]) << 20;
}

int hipport_launch(const struct hipport_launch *launch, struct hipport_fault *fault, struct hipport_counts *counts) {
  memset(fault, 0, sizeof *fault);
  if (counts) memset(counts, 0, sizeof *counts);
  if (launch->abi != HIPPORT_ABI) return refuse(fault, "", "hipErrorInvalidValue", "interface version %u, not %u", launch->abi, HIPPORT_ABI);
  if (launch->kernel >= hipport_module.kernel_count) return refuse(fault, "", "hipErrorInvalidDeviceFunction", "no kernel %u", launch->kernel);
  const struct hipport_kernel *k = &hipport_module.kernels[launch->kernel];
  int refused = check(launch, k, fault);
  if (refused) return refused;
  struct run run = {.launch = launch, .kernel = k, .code = k->code, .module = hipport_module.code, .fault = fault};
  pthread_mutex_init(&run.lock, NULL);
  set_sizes(&run);
  set_thread_ids(&run);
  set_order(&run);
  run.kernarg = calloc(1, k->kernarg_size + 128);
  int ready = run.kernarg && set_ranges(&run);
  if (ready) {
    fenv_t environment;
    fegetenv(&environment);
    set_arguments(&run);
    set_packet(&run);
    ready = run_launch(&run, counts);
    fesetenv(&environment);
    finish_messages(&run);
    if (counts) merge_atomics(&run, counts);
  }
  if (!ready) {
    run.kind = fault->kind = HIPPORT_INTERNAL;
    snprintf(fault->message, sizeof fault->message, "no memory for the launch");
  }
  free(run.kernarg);
  free(run.ranges);
  pthread_mutex_destroy(&run.lock);
  return (int)run.kind;
}

__attribute__((constructor)) static void relocate(void) {
  const struct module_code *m = hipport_module.code;
  if (m->relocate) m->relocate();
}
