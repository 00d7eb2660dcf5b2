// expect: lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget lds-budget
// offers: lds-budget lds-budget lds-budget lds-budget lds-budget
// The limits of CUDA GPUs in the ways that people write them; no kernel is here.
#include <algorithm>
#define MAX_SMEM 0xc000
#define SMEM_PER_SM (96u << 10)
#define AS_KB(x) ((x) * 1024)
constexpr int KB = 1024;
constexpr size_t operator""_KB(unsigned long long n) { return n * 1024; }
constexpr int kMaxSmem = 99 * KB, kSmemOther = 1024 * 100;
constexpr int kBase = 227;
constexpr int kSmemHopper = kBase * 1024;
constexpr int max_shared_memory = 232448, shared_limit = 232'448;
const int SHARED_MEM_LIMIT = 166912;
static constexpr size_t smem_small = 48_KB;
constexpr int smem_ampere = 1024 * 164, smem_scaled = 163 * (1 << 10), smem_hex = 0x18c00;
const int smem_macro = AS_KB(99);
static_assert(sizeof(double) * 100 * 36 < kMaxSmem && kMaxSmem <= 228 * 1024);
int fits(size_t smem_size, int n, int smem_left) {
  if (smem_size > 49152) return 1;
  if (smem_size >= (48 << 10)) return 2;
  TORCH_CHECK(smem_size <= 227 * 1024, "too much");
  assert(smem_size <= 0x10000);
  int use = std::min<int>(smem_left, 48 * 1024);
  size_t sharedMem = n > 80 ? 163 * 1024 : 96 * 1024;
  return smem_size < 65536 ? use : (int)std::max<size_t>(sharedMem, 101376u);
}
