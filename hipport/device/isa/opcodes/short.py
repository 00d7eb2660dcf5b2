"""16-bit integers, one value a lane."""

TABLE = """
v_add_u16 | u16 | u16 u16 | (u16)(S0 + S1)
v_sub_u16 | u16 | u16 u16 | (u16)(S0 - S1)
v_subrev_u16 | u16 | u16 u16 | (u16)(S1 - S0)
v_add_u16.clamp | u16 | u16 u16 | (u16)(S0 + S1 > 65535 ? 65535 : S0 + S1)
v_sub_u16.clamp | u16 | u16 u16 | (u16)(S0 < S1 ? 0 : S0 - S1)
v_add_i16 | i16 | u16 u16 | (i16)(S0 + S1)  # keep
v_sub_i16 | i16 | u16 u16 | (i16)(S0 - S1)  # keep
v_add_i16.clamp | i16 | i16 i16 | (i16)(S0 + S1 > 32767 ? 32767 : S0 + S1 < -32768 ? -32768 : S0 + S1)  # keep
v_sub_i16.clamp | i16 | i16 i16 | (i16)(S0 - S1 > 32767 ? 32767 : S0 - S1 < -32768 ? -32768 : S0 - S1)  # keep
v_mul_lo_u16 | u16 | u16 u16 | (u16)((u32)S0 * S1)
v_mad_u16 | u16 | u16 u16 u16 | (u16)((u32)S0 * S1 + S2)  # keep
v_mad_i16 | i16 | i16 i16 i16 | (i16)((i32)S0 * S1 + S2)  # keep
v_mad_legacy_u16 | u16 | u16 u16 u16 | (u16)((u32)S0 * S1 + S2)
v_mad_legacy_i16 | i16 | i16 i16 i16 | (i16)((i32)S0 * S1 + S2)
v_mad_u32_u16 | u32 | u16 u16 u32 | (u32)S0 * S1 + S2
v_mad_i32_i16 | i32 | i16 i16 u32 | (i32)((u32)((i32)S0 * S1) + S2)
v_lshlrev_b16 | u16 | u16 u16 | (u16)(S1 << (S0 & 15))
v_lshrrev_b16 | u16 | u16 u16 | (u16)(S1 >> (S0 & 15))
v_ashrrev_i16 | i16 | u16 i16 | (i16)(S1 >> (S0 & 15))
v_min_u16 | u16 | u16 u16 | min_u16(S0, S1)
v_max_u16 | u16 | u16 u16 | max_u16(S0, S1)
v_min_i16 | i16 | i16 i16 | min_i16(S0, S1)
v_max_i16 | i16 | i16 i16 | max_i16(S0, S1)
v_min3_u16 | u16 | u16 u16 u16 | min_u16(min_u16(S0, S1), S2)  # keep
v_max3_u16 | u16 | u16 u16 u16 | max_u16(max_u16(S0, S1), S2)  # keep
v_med3_u16 | u16 | u16 u16 u16 | med_u16(S0, S1, S2)  # keep
v_min3_i16 | i16 | i16 i16 i16 | min_i16(min_i16(S0, S1), S2)  # keep
v_max3_i16 | i16 | i16 i16 i16 | max_i16(max_i16(S0, S1), S2)  # keep
v_med3_i16 | i16 | i16 i16 i16 | med_i16(S0, S1, S2)  # keep
v_bitop3_b16 | u16 | u16 u16 u16 | (u16)bitop3(S0, S1, S2, TTBL)  # keep
"""
