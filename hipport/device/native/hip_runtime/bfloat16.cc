// Host conversions to bfloat16 that clang calls and libgcc before 13 does not have. Round to nearest, ties to even.
#include <cstdint>
#include <cstring>

namespace {
__bf16 from_bits(uint16_t bits) {
  __bf16 value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

uint16_t rounded(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (value != value) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// The float between whose neighbours `value` lies, rounded to odd: rounding it again rounds `value` itself.
float to_odd(double value) {
  float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || value != value) return nearest;
  uint32_t bits;
  std::memcpy(&bits, &nearest, sizeof bits);
  const bool beyond = (nearest > value) == (value > 0);
  if (beyond && (bits & 0x7fffffff)) bits -= 1;
  bits |= 1;
  std::memcpy(&nearest, &bits, sizeof bits);
  return nearest;
}
}  // namespace

extern "C" {
__attribute__((weak)) __bf16 __truncsfbf2(float value) { return from_bits(rounded(value)); }
__attribute__((weak)) __bf16 __truncdfbf2(double value) { return from_bits(rounded(to_odd(value))); }
}
