"""32-bit integers and bits."""

TABLE = """
v_add_u32 | u32 | u32 u32 | S0 + S1
v_sub_u32 | u32 | u32 u32 | S0 - S1
v_subrev_u32 | u32 | u32 u32 | S1 - S0
v_add_u32.clamp | u32 | u32 u32 | S0 + S1 < S0 ? ~0u : S0 + S1
v_sub_u32.clamp | u32 | u32 u32 | S0 < S1 ? 0 : S0 - S1
v_subrev_u32.clamp | u32 | u32 u32 | S1 < S0 ? 0 : S1 - S0
v_add_i32 | i32 | u32 u32 | (i32)(S0 + S1)
v_sub_i32 | i32 | u32 u32 | (i32)(S0 - S1)
v_add_i32.clamp | i32 | i32 i32 | { i64 t = (i64)S0 + S1; D = t > 0x7fffffff ? 0x7fffffff : t < -0x7fffffff - 1 ? -0x7fffffff - 1 : (i32)t; }
v_sub_i32.clamp | i32 | i32 i32 | { i64 t = (i64)S0 - S1; D = t > 0x7fffffff ? 0x7fffffff : t < -0x7fffffff - 1 ? -0x7fffffff - 1 : (i32)t; }
v_mul_lo_u32 | u32 | u32 u32 | S0 * S1
v_mul_hi_u32 | u32 | u32 u32 | (u32)((u64)S0 * S1 >> 32)
v_mul_hi_i32 | i32 | i32 i32 | (i32)((i64)S0 * S1 >> 32)
v_mul_u32_u24 | u32 | u32 u32 | (S0 & 0xffffffu) * (S1 & 0xffffffu)
v_mul_i32_i24 | u32 | u32 u32 | (u32)((i32)(S0 << 8) >> 8) * (u32)((i32)(S1 << 8) >> 8)
v_mul_hi_u32_u24 | u32 | u32 u32 | (u32)((u64)(S0 & 0xffffffu) * (S1 & 0xffffffu) >> 32)
v_mul_hi_i32_i24 | i32 | u32 u32 | (i32)((i64)((i32)(S0 << 8) >> 8) * ((i32)(S1 << 8) >> 8) >> 32)
v_mad_u32_u24 | u32 | u32 u32 u32 | (S0 & 0xffffffu) * (S1 & 0xffffffu) + S2
v_mad_i32_i24 | u32 | u32 u32 u32 | (u32)((i32)(S0 << 8) >> 8) * (u32)((i32)(S1 << 8) >> 8) + S2
v_and_b32 | b32 | u32 u32 | S0 & S1  # and
v_or_b32 | b32 | u32 u32 | S0 | S1  # or
v_xor_b32 | b32 | u32 u32 | S0 ^ S1  # xor
v_xnor_b32 | b32 | u32 u32 | ~(S0 ^ S1)  # xor
v_not_b32 | b32 | u32 | ~S0  # not
v_bfrev_b32 | b32 | u32 | reverse32(S0)
v_lshlrev_b32 | b32 | u32 u32 | S1 << (S0 & 31)  # shl
v_lshrrev_b32 | b32 | u32 u32 | S1 >> (S0 & 31)  # shr
v_ashrrev_i32 | i32 | u32 i32 | S1 >> (S0 & 31)
v_min_i32 | i32 | i32 i32 | min_i32(S0, S1)
v_max_i32 | i32 | i32 i32 | max_i32(S0, S1)
v_min_u32 | u32 | u32 u32 | min_u32(S0, S1)
v_max_u32 | u32 | u32 u32 | max_u32(S0, S1)
v_min3_i32 | i32 | i32 i32 i32 | min_i32(min_i32(S0, S1), S2)
v_max3_i32 | i32 | i32 i32 i32 | max_i32(max_i32(S0, S1), S2)
v_med3_i32 | i32 | i32 i32 i32 | med_i32(S0, S1, S2)
v_min3_u32 | u32 | u32 u32 u32 | min_u32(min_u32(S0, S1), S2)
v_max3_u32 | u32 | u32 u32 u32 | max_u32(max_u32(S0, S1), S2)
v_med3_u32 | u32 | u32 u32 u32 | med_u32(S0, S1, S2)
v_add3_u32 | u32 | u32 u32 u32 | S0 + S1 + S2
v_add_lshl_u32 | u32 | u32 u32 u32 | (S0 + S1) << (S2 & 31)
v_lshl_add_u32 | u32 | u32 u32 u32 | (S0 << (S1 & 31)) + S2
v_lshl_or_b32 | b32 | u32 u32 u32 | S0 << (S1 & 31) | S2
v_and_or_b32 | b32 | u32 u32 u32 | (S0 & S1) | S2
v_or3_b32 | b32 | u32 u32 u32 | S0 | S1 | S2
v_xad_u32 | u32 | u32 u32 u32 | (S0 ^ S1) + S2
v_bfe_u32 | u32 | u32 u32 u32 | bfe32(S0, S1, S2)
v_bfe_i32 | i32 | u32 u32 u32 | bfe32i(S0, S1, S2)
v_bfi_b32 | b32 | u32 u32 u32 | (S0 & S1) | (~S0 & S2)
v_bfm_b32 | b32 | u32 u32 | ((1u << (S0 & 31)) - 1) << (S1 & 31)
v_bcnt_u32_b32 | u32 | u32 u32 | popcount32(S0) + S1
v_ffbh_u32 | u32 | u32 | S0 ? (u32)__builtin_clz(S0) : ~0u
v_ffbl_b32 | u32 | u32 | S0 ? popcount32(~S0 & (S0 - 1)) : ~0u
v_ffbh_i32 | u32 | u32 | { u32 t = S0 ^ (u32)((i32)S0 >> 31); D = t ? (u32)__builtin_clz(t) : ~0u; }
v_alignbit_b32 | b32 | u32 u32 u32 | (u32)(((u64)S0 << 32 | S1) >> (S2 & 31))
v_alignbyte_b32 | b32 | u32 u32 u32 | (u32)(((u64)S0 << 32 | S1) >> 8 * (S2 & 3))
v_perm_b32 | b32 | u32 u32 u32 | permute_bytes(S0, S1, S2)
v_bitop3_b32 | b32 | u32 u32 u32 | bitop3(S0, S1, S2, TTBL)
v_sad_u8 | u32 | u32 u32 u32 | sad8(S0, S1) + S2
v_sad_hi_u8 | u32 | u32 u32 u32 | (sad8(S0, S1) << 16) + S2
v_msad_u8 | u32 | u32 u32 u32 | masked_sad8(S0, S1) + S2
v_sad_u16 | u32 | u32 u32 u32 | { i32 x = (i32)(S0 & 0xffff) - (i32)(S1 & 0xffff), y = (i32)(S0 >> 16) - (i32)(S1 >> 16); D = (u32)((x < 0 ? -x : x) + (y < 0 ? -y : y)) + S2; }
v_sad_u32 | u32 | u32 u32 u32 | (S0 > S1 ? S0 - S1 : S1 - S0) + S2
v_lerp_u8 | u32 | u32 u32 u32 | lerp8(S0, S1, S2)
v_mbcnt_lo_u32_b32 | u32 | u32 u32 | popcount32(S0 & (l >= 32 ? ~0u : (1u << l) - 1)) + S1
v_mbcnt_hi_u32_b32 | u32 | u32 u32 | popcount32(S0 & (u32)(((1ull << l) - 1) >> 32)) + S1
v_dot4_i32_i8 | i32 | u32 u32 i32 | { i32 t = S2; for (int i = 0; i < 32; i += 8) t += (i8)(S0 >> i) * (i8)(S1 >> i); D = t; }
v_dot4_u32_u8 | u32 | u32 u32 u32 | { u32 t = S2; for (int i = 0; i < 32; i += 8) t += (u32)((u8)(S0 >> i) * (u8)(S1 >> i)); D = t; }
v_dot4c_i32_i8 | i32 | u32 u32 =i32 | { i32 t = S2; for (int i = 0; i < 32; i += 8) t += (i8)(S0 >> i) * (i8)(S1 >> i); D = t; }
v_dot8_i32_i4 | i32 | u32 u32 i32 | { i32 t = S2; for (int i = 0; i < 32; i += 4) t += ((i32)(S0 << (28 - i)) >> 28) * ((i32)(S1 << (28 - i)) >> 28); D = t; }
v_dot8_u32_u4 | u32 | u32 u32 u32 | { u32 t = S2; for (int i = 0; i < 32; i += 4) t += (S0 >> i & 15) * (S1 >> i & 15); D = t; }
v_dot8c_i32_i4 | i32 | u32 u32 =i32 | { i32 t = S2; for (int i = 0; i < 32; i += 4) t += ((i32)(S0 << (28 - i)) >> 28) * ((i32)(S1 << (28 - i)) >> 28); D = t; }
v_dot2_i32_i16 | i32 | u32 u32 i32 | (i16)S0 * (i16)S1 + (i16)(S0 >> 16) * (i16)(S1 >> 16) + S2
v_dot2c_i32_i16 | i32 | u32 u32 =i32 | (i16)S0 * (i16)S1 + (i16)(S0 >> 16) * (i16)(S1 >> 16) + S2
v_dot2_u32_u16 | u32 | u32 u32 u32 | (S0 & 0xffff) * (S1 & 0xffff) + (S0 >> 16) * (S1 >> 16) + S2
v_dot2_f32_f16 | f32 | u32 u32 f32 | S2 + (f32)H(S0) * (f32)H(S1) + (f32)H(S0 >> 16) * (f32)H(S1 >> 16)  # approx order of the sum
v_dot2c_f32_f16 | f32 | u32 u32 =f32 | S2 + (f32)H(S0) * (f32)H(S1) + (f32)H(S0 >> 16) * (f32)H(S1 >> 16)  # approx order of the sum
v_dot2_f32_bf16 | f32 | u32 u32 f32 | B(S0 & 0xffffu) * B(S1 & 0xffffu) + B(S0 >> 16) * B(S1 >> 16) + S2  # approx order of the sum
v_dot2c_f32_bf16 | f32 | u32 u32 =f32 | B(S0 & 0xffffu) * B(S1 & 0xffffu) + B(S0 >> 16) * B(S1 >> 16) + S2  # approx order of the sum
v_accvgpr_read_b32 | b32 | b32 | S0  # copy
v_accvgpr_write_b32 | b32 | b32 | S0  # copy
v_accvgpr_mov_b32 | b32 | b32 | S0  # copy
"""
