namespace hipport {
// The value of lane ^ Mask by moves between registers where the GPU has them: DPP within rows of 16 lanes, and between two
// rows a permute (gfx10 and later) or a swizzle. `__shfl_xor` goes through the LDS crossbar for every mask. As there, the
// lane that is read must take part.
template <int Control>
__device__ inline int dpp_move(int word) { return __builtin_amdgcn_update_dpp(word, word, Control, 0xf, 0xf, false); }
template <int Mask>
__device__ inline int lane_xor_word(int word) {
  static_assert(Mask == 1 || Mask == 2 || Mask == 4 || Mask == 8 || Mask == 16, "a step of a butterfly over 32 lanes");
  if constexpr (Mask == 1) return dpp_move<0xb1>(word);                       // quad_perm [1,0,3,2]
  else if constexpr (Mask == 2) return dpp_move<0x4e>(word);                  // quad_perm [2,3,0,1]
  else if constexpr (Mask == 4) return dpp_move<0x1b>(dpp_move<0x141>(word)); // row_half_mirror, quad_perm [3,2,1,0]
  else if constexpr (Mask == 8) return dpp_move<0x128>(word);                 // row_ror:8
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
  else return __builtin_amdgcn_permlanex16(word, word, 0x76543210u, 0xfedcba98u, false, false);
#else
  else return __builtin_amdgcn_ds_swizzle(word, 0x401f);                      // swap halves of 32: no LDS memory
#endif
}
template <int Mask, class T>
__device__ inline T lane_xor(T value) {
  int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned i = 0; i < sizeof(words) / 4; ++i) words[i] = lane_xor_word<Mask>(words[i]);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
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
