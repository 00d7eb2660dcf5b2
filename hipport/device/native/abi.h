/* What a lifted module exports and how a kernel of it is launched. Mirrored by hipport/device/isa/abi.py.
 *
 * A module is one shared object made from one assembly file. It exports
 *     const struct hipport_module hipport_module;
 *     int hipport_launch(const struct hipport_launch *, struct hipport_fault *, struct hipport_counts *);
 * Device pointers are host pointers: a kernel may touch what the allocation table names, and nothing else.
 * All strings of a module live as long as the shared object is loaded.
 */
#ifndef HIPPORT_ABI_H
#define HIPPORT_ABI_H

#include <stdint.h>

#define HIPPORT_ABI 1u

/* Kinds of an argument slot in the kernarg segment. Hidden slots (>= HIPPORT_ARG_HIDDEN) are filled by hipport_launch. */
enum hipport_arg_kind {
  HIPPORT_ARG_VALUE = 0,          /* by_value */
  HIPPORT_ARG_POINTER = 1,        /* global_buffer */
  HIPPORT_ARG_LDS_POINTER = 2,    /* dynamic_shared_pointer */
  HIPPORT_ARG_OTHER = 3,          /* image, sampler, queue, pipe: cannot be launched */
  HIPPORT_ARG_HIDDEN = 16,        /* any hidden slot: value_kind names it */
};

struct hipport_arg {
  const char *name;       /* parameter name, "" where the compiler kept none */
  const char *value_kind; /* as the compiler's metadata spells it: by_value, global_buffer, hidden_block_count_x, ... */
  uint32_t offset, size;  /* bytes in the kernarg segment */
  uint32_t kind;          /* enum hipport_arg_kind */
  uint32_t reserved;
};

struct hipport_kernel {
  const char *name;             /* mangled name: what __hipRegisterFunction registers */
  const struct hipport_arg *args;
  const char *const *unknown;   /* opcodes in it that are not modelled; a launch that reaches one is inconclusive */
  uint32_t arg_count, unknown_count;
  uint32_t kernarg_size;        /* bytes, hidden arguments included */
  uint32_t explicit_size;       /* bytes up to the end of the last argument of the source */
  uint32_t lds_static;          /* bytes */
  uint32_t scratch_per_lane;    /* bytes */
  uint32_t dynamic_stack;       /* 1: recursion or calls through pointers; scratch is given more room */
  uint32_t wave_size;           /* 64 */
  uint32_t max_block;           /* max_flat_workgroup_size */
  uint32_t required_block[3];   /* reqd_workgroup_size, 0 0 0 if none */
  uint32_t sgprs, vgprs, agprs;
  uint32_t instructions;        /* static count */
  const void *code;             /* private to the runtime */
};

/* A __device__ or __constant__ variable (or other data) that the module defines. */
struct hipport_symbol {
  const char *name;   /* mangled name: what __hipRegisterVar registers */
  void *address;
  uint64_t size;      /* bytes */
  uint32_t writable;  /* 0: in .rodata */
  uint32_t managed;
};

struct hipport_module {
  uint32_t abi;               /* HIPPORT_ABI */
  uint32_t profiled;          /* 1: built with counters */
  const char *target;         /* gfx942, ... */
  const char *digest;         /* sha256 of what it was made from */
  const struct hipport_kernel *kernels;
  const struct hipport_symbol *symbols;
  uint32_t kernel_count, symbol_count;
  uint32_t approximate_count; /* opcodes whose results differ from the machine's within a bound */
  uint32_t reserved;
  const char *const *approximate; /* "v_exp_f32: 1 ulp", ... in the order of hipport_counts.approximate */
  void *code;                 /* private to the runtime */
};

/* One range that kernels may touch. `shadow` has one byte for each byte of the range: 0 = initialised, else not
 * (1 = never written, 2 = computed from such a byte); NULL = all of it counts as initialised and is not tracked.
 * Ranges must not overlap; hipport_launch sorts its own copy. The module's own symbols need not be listed. */
struct hipport_allocation {
  uint64_t base, size;
  const char *name;   /* "argument `out`", "hipMalloc #3": used in fault messages */
  uint8_t *shadow;
  uint32_t writable;
  uint32_t reserved;
};

enum hipport_order { HIPPORT_ORDER_IN = 0, HIPPORT_ORDER_RANDOM = 1 };

enum hipport_flag {
  HIPPORT_POISON = 1u,      /* LDS, scratch and shadowed memory count as uninitialised until written */
  HIPPORT_COOPERATIVE = 2u, /* all blocks are resident at once: grid-wide barriers work */
};

enum hipport_stream { HIPPORT_STDOUT = 1, HIPPORT_STDERR = 2 };

struct hipport_launch {
  uint32_t abi;                 /* HIPPORT_ABI */
  uint32_t kernel;              /* index into hipport_module.kernels */
  uint32_t grid[3], block[3];   /* in blocks; in threads */
  uint32_t lds_dynamic;         /* bytes */
  uint32_t lds_limit;           /* bytes a block may use on this target; 0 = 65536 */
  uint32_t lds_banks;           /* for bank conflicts; 0 = 32 */
  uint32_t threads;             /* host threads; 0 = 1 */
  uint32_t order;               /* enum hipport_order */
  uint32_t flags;               /* enum hipport_flag */
  uint64_t seed;                /* of HIPPORT_ORDER_RANDOM */
  uint64_t budget;              /* instructions that one wave may retire; 0 = 2^34 */
  const void *kernarg;          /* explicit arguments, laid out as hipport_kernel.args says */
  uint32_t kernarg_bytes;       /* at least explicit_size */
  uint32_t allocation_count;
  const struct hipport_allocation *allocations;
  /* Device printf and assert text, one call a message, never two at once; NULL = written to stdout and stderr. */
  void (*print)(void *context, int stream, const char *text, uint64_t length);
  /* Device-side malloc and free; NULL = the module's own heap, freed when the shared object is unloaded. */
  void *(*device_malloc)(void *context, uint64_t size);
  void (*device_free)(void *context, void *pointer);
  void *context;
};

/* What hipport_launch returns, and hipport_fault.kind. Zero is the only success. */
enum hipport_fault_kind {
  HIPPORT_OK = 0,
  /* refused before it ran: `hip_error` names HIP's own error */
  HIPPORT_REFUSED = 1,
  /* found while it ran */
  HIPPORT_GLOBAL_BOUNDS = 10,
  HIPPORT_LDS_BOUNDS = 11,
  HIPPORT_SCRATCH_BOUNDS = 12,
  HIPPORT_CONSTANT_BOUNDS = 13,   /* scalar load */
  HIPPORT_READ_ONLY = 14,         /* store to a range that is not writable */
  HIPPORT_MISALIGNED = 15,        /* atomic or LDS access that the machine would fault on */
  HIPPORT_UNINITIALISED = 16,     /* a value never written reached an address, a branch, or computed output */
  HIPPORT_BARRIER = 17,           /* lanes of a block wait at different barriers, or some missed one */
  HIPPORT_DEADLOCK = 18,          /* every wave waits and none can go on */
  HIPPORT_RUNAWAY = 19,           /* instruction budget spent */
  HIPPORT_TRAP = 20,              /* __builtin_trap, abort */
  HIPPORT_ASSERT = 21,            /* device assert; `message` has its text */
  HIPPORT_BAD_JUMP = 22,          /* jump or call to something that is not code */
  HIPPORT_RACE = 23,              /* two threads, one place, no barrier between, and one of them writes */
  HIPPORT_LANE = 24,              /* a shuffle reads a lane that does not take part */
  HIPPORT_MASK = 25,              /* a mask leaves out the lane that calls, or names lanes that are not there */
  /* not a verdict about the program */
  HIPPORT_UNKNOWN_OPCODE = 30,    /* reached an opcode that is not modelled: the run is inconclusive */
  HIPPORT_UNKNOWN_SERVICE = 31,   /* reached a host service that is not provided: inconclusive */
  HIPPORT_INTERNAL = 40,          /* a limit of the executor itself, e.g. memory: inconclusive */
};

struct hipport_fault {
  uint32_t kind;              /* enum hipport_fault_kind */
  uint32_t line, column;      /* of the source as the compiler's line table has it; 0 = unknown */
  uint32_t assembly_line;     /* of the assembly the module was made from */
  uint32_t block[3], thread[3];
  uint32_t wave;              /* in its block */
  int32_t lane;               /* -1: the whole wave */
  uint64_t address, size;     /* of the access, where there is one */
  char hip_error[64];         /* hipErrorInvalidValue, ...: REFUSED only */
  char kernel[256];
  char file[512];             /* of the source; "" = unknown */
  char opcode[64];            /* mnemonic at fault */
  char message[512];          /* one line, complete in itself */
};

/* Classes of instructions in hipport_counts.instructions. */
enum hipport_class {
  HIPPORT_SCALAR = 0, HIPPORT_SCALAR_MEMORY, HIPPORT_BRANCH, HIPPORT_VECTOR, HIPPORT_VECTOR_64, HIPPORT_TRANSCENDENTAL,
  HIPPORT_CROSS_LANE, HIPPORT_MATRIX, HIPPORT_LDS, HIPPORT_LDS_ATOMIC, HIPPORT_GLOBAL_LOAD, HIPPORT_GLOBAL_STORE,
  HIPPORT_GLOBAL_ATOMIC, HIPPORT_SCRATCH, HIPPORT_BARRIER_CLASS, HIPPORT_OTHER, HIPPORT_CLASSES
};

/* Summed over the waves of one launch. Only `waves`, `retired`, `approximate` and `unknown` are kept without profiling. */
struct hipport_counts {
  uint64_t waves;
  uint64_t retired;                          /* instructions */
  uint64_t instructions[HIPPORT_CLASSES];    /* wave-wide instructions by class */
  uint64_t vector_lanes;                     /* active lanes summed over vector instructions; share = / (64 * vector instructions) */
  uint64_t global_load_bytes, global_store_bytes, global_atomic_bytes;
  uint64_t scalar_load_bytes, scratch_bytes;
  uint64_t lds_load_bytes, lds_store_bytes;
  uint64_t lds_accesses;                     /* wave-wide LDS instructions that touch banks */
  uint64_t lds_conflicts;                    /* extra passes over the banks that those needed */
  uint64_t global_segments;                  /* 64-byte segments touched, summed over wave-wide loads and stores */
  uint64_t global_atomic_lanes;
  uint64_t global_atomic_worst;              /* most updates of one address in the launch */
  uint64_t global_atomic_worst_address;
  uint64_t lds_atomic_lanes;
  uint64_t lds_atomic_worst;                 /* most updates of one address by one instruction */
  uint8_t approximate[64];                   /* [i]: hipport_module.approximate[i] was executed */
};

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((visibility("default"))) int hipport_launch(const struct hipport_launch *launch, struct hipport_fault *fault,
                                                         struct hipport_counts *counts);
#ifdef __cplusplus
}
#endif
#endif
