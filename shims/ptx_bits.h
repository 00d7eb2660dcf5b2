namespace hipport {
// Bit instructions of PTX, with its rules for positions and lengths beyond the word.
template <class T>
__device__ inline T bfe(T value, unsigned position, unsigned length) {
  const unsigned bits = 8 * sizeof(T), at = position & 255u, count = length & 255u;
  const bool is_signed = T(-1) < T(0);
  if (count == 0) return 0;
  const unsigned last = at + count - 1 < bits ? at + count - 1 : bits - 1;
  const bool sign = is_signed && (value >> last & 1);
  unsigned long long field = at < bits ? (unsigned long long)(sizeof(T) == 4 ? (unsigned)value : value) >> at : 0;
  const unsigned kept = at < bits ? (count < bits - at ? count : bits - at) : 0;
  const unsigned long long mask = kept < 64 ? (1ull << kept) - 1 : ~0ull;
  field &= mask;
  return (T)(sign ? field | ~mask : field);
}
template <class T>
__device__ inline T bfi(T field, T into, unsigned position, unsigned length) {
  const unsigned bits = 8 * sizeof(T), at = position & 255u, count = length & 255u;
  if (at >= bits || count == 0) return into;
  const unsigned kept = count < bits - at ? count : bits - at;
  const unsigned long long mask = (kept < 64 ? (1ull << kept) - 1 : ~0ull) << at;
  return (T)(((unsigned long long)into & ~mask) | ((unsigned long long)field << at & mask));
}
// The bits of LUT say for which combinations of the three bits the result is 1; the optimiser folds the terms.
template <unsigned LUT>
__device__ inline unsigned lop3(unsigned a, unsigned b, unsigned c) {
  return (LUT & 0x01 ? ~a & ~b & ~c : 0u) | (LUT & 0x02 ? ~a & ~b & c : 0u) | (LUT & 0x04 ? ~a & b & ~c : 0u) |
         (LUT & 0x08 ? ~a & b & c : 0u) | (LUT & 0x10 ? a & ~b & ~c : 0u) | (LUT & 0x20 ? a & ~b & c : 0u) |
         (LUT & 0x40 ? a & b & ~c : 0u) | (LUT & 0x80 ? a & b & c : 0u);
}
__device__ inline unsigned picked_byte(unsigned a, unsigned b, unsigned which) {
  return (unsigned)(((unsigned long long)b << 32 | a) >> 8 * (which & 7u)) & 255u;
}
__device__ inline unsigned prmt(unsigned a, unsigned b, unsigned selector) {
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned which = selector >> 4 * i & 15u, byte = picked_byte(a, b, which);
    result |= (which & 8u ? (byte & 128u ? 255u : 0u) : byte) << 8 * i;
  }
  return result;
}
__device__ inline unsigned four_bytes(unsigned a, unsigned b, unsigned w, unsigned x, unsigned y, unsigned z) {
  return picked_byte(a, b, w) | picked_byte(a, b, x) << 8 | picked_byte(a, b, y) << 16 | picked_byte(a, b, z) << 24;
}
__device__ inline unsigned prmt_f4e(unsigned a, unsigned b, unsigned c) { c &= 3u; return four_bytes(a, b, c, c + 1, c + 2, c + 3); }
__device__ inline unsigned prmt_b4e(unsigned a, unsigned b, unsigned c) { c &= 3u; return four_bytes(a, b, c, c + 7, c + 6, c + 5); }
__device__ inline unsigned prmt_rc8(unsigned a, unsigned b, unsigned c) { c &= 3u; return four_bytes(a, b, c, c, c, c); }
__device__ inline unsigned prmt_ecl(unsigned a, unsigned b, unsigned c) {
  c &= 3u;
  return four_bytes(a, b, c > 0 ? c : 0, c > 1 ? c : 1, c > 2 ? c : 2, 3);
}
__device__ inline unsigned prmt_ecr(unsigned a, unsigned b, unsigned c) {
  c &= 3u;
  return four_bytes(a, b, 0, c < 1 ? c : 1, c < 2 ? c : 2, c);
}
__device__ inline unsigned prmt_rc16(unsigned a, unsigned b, unsigned c) { c = (c & 1u) * 2u; return four_bytes(a, b, c, c + 1, c, c + 1); }
// The position of the highest bit that differs from the sign; ~0 if there is none.
template <class T>
__device__ inline unsigned bfind(T value) {
  const unsigned long long wide = sizeof(T) == 4 ? (unsigned long long)(unsigned)value : (unsigned long long)value;
  const unsigned long long ones = sizeof(T) == 4 ? 0xffffffffull : ~0ull;
  const unsigned long long bits = value < T(0) ? ~wide & ones : wide;
  return bits ? 63u - (unsigned)__clzll((long long)bits) : ~0u;
}
template <class T>
__device__ inline unsigned bfind_shift(T value) {
  const unsigned position = bfind(value);
  return position == ~0u ? ~0u : 8u * sizeof(T) - 1u - position;
}
template <class T>
__device__ inline T shift_left(T value, unsigned count) { return count < 8 * sizeof(T) ? (T)(value << count) : (T)0; }
template <class T>
__device__ inline T shift_right(T value, unsigned count) {
  const unsigned bits = 8 * sizeof(T);
  return count < bits ? (T)(value >> count) : T(-1) < T(0) ? (T)(value >> (bits - 1)) : (T)0;
}
}  // namespace hipport
