namespace hipport {
// The value of lane ^ Mask by moves between registers where the GPU has them: DPP within rows of 16 lanes, and between two
// rows a permute (gfx10 and later) or a swizzle. HIP's `__shfl_xor` goes through the LDS crossbar for every mask. All lanes
// of the 32 take part, as a full mask says; one that is not there reads as 0.
template <int Control, int Banks = 0xf>
__device__ inline int dpp_move(int word, int old = 0) {
  return __builtin_amdgcn_update_dpp(old, word, Control, 0xf, Banks, true);
}
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
template <int Mask>
__device__ inline int row_xor(int word) { return dpp_move<0x160 + Mask>(word); }  // row_xmask
__device__ inline int row_swap(int word) {
  return __builtin_amdgcn_permlanex16(0, word, 0x76543210u, 0xfedcba98u, false, true);
}
#else
template <int Mask>
__device__ inline int row_xor(int word) {
  if constexpr (Mask == 7 || Mask == 15) return dpp_move<Mask == 7 ? 0x141 : 0x140>(word);  // row_half_mirror, row_mirror
  else if constexpr (Mask == 8) return dpp_move<0x128>(word);                               // row_ror:8
  else if constexpr (Mask < 4) return dpp_move<Mask | (1 ^ Mask) << 2 | (2 ^ Mask) << 4 | (3 ^ Mask) << 6>(word);  // quads
  else if constexpr (Mask == 4) return dpp_move<0x114, 0xa>(word, dpp_move<0x104, 0x5>(word));  // row_shl:4, row_shr:4
  else return row_xor<Mask ^ (Mask < 8 ? 7 : Mask < 12 ? 8 : 15)>(row_xor<(Mask < 8 ? 7 : Mask < 12 ? 8 : 15)>(word));
}
__device__ inline int row_swap(int word) { return __builtin_amdgcn_ds_swizzle(word, 0x401f); }  // no LDS memory
#endif
template <int Mask>
__device__ inline int lane_xor_word(int word) {
  static_assert(Mask > 0 && Mask < 32, "lanes of 32 are exchanged");
  if constexpr (Mask % 16 > 0) word = row_xor<Mask % 16>(word);
  if constexpr (Mask >= 16) word = row_swap(word);
  return word;
}
template <int Mask, class T>
__device__ inline T lane_xor(T value) {
  int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned i = 0; i < sizeof(words) / 4; ++i) words[i] = lane_xor_word<Mask>(words[i]);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
// HIP's function, which other types may be given too.
template <class T>
__device__ inline T plain_xor(T value, int mask, int width) { return __shfl_xor(value, mask, width); }
// The same by those moves where the compiler knows the mask, after it has unrolled a loop over masks too.
template <class T>
__device__ inline __attribute__((always_inline)) T __shfl_xor(T value, int mask, int width = 32) {
  if (!__builtin_constant_p(mask) || mask < 0 || mask >= width || width > 32) return plain_xor(value, mask, width);
  switch (mask) {
    case 1: return lane_xor<1>(value);
    case 2: return lane_xor<2>(value);
    case 3: return lane_xor<3>(value);
    case 4: return lane_xor<4>(value);
    case 7: return lane_xor<7>(value);
    case 8: return lane_xor<8>(value);
    case 15: return lane_xor<15>(value);
    case 16: return lane_xor<16>(value);
    default: return plain_xor(value, mask, width);
  }
}
template <class Lanes, class T>
__device__ inline T __shfl_xor_sync(Lanes, T value, int mask, int width = 32) {
  return hipport::__shfl_xor(value, mask, width);
}
// The whole butterfly: every lane of 32 gets the result.
template <class T, class Op>
__device__ inline T butterfly(T value, Op op) {
  value = op(value, lane_xor<16>(value));
  value = op(value, lane_xor<8>(value));
  value = op(value, lane_xor<4>(value));
  value = op(value, lane_xor<2>(value));
  return op(value, lane_xor<1>(value));
}
}  // namespace hipport
