"""Two values a register (pk: 16 bits each), or two registers (pk32)."""

TABLE = """
v_pk_add_f16 | f16 | f16 f16 | S0 + S1  # pk
v_pk_mul_f16 | f16 | f16 f16 | S0 * S1  # pk
v_pk_fma_f16 | f16 | f16 f16 f16 | fma16(S0, S1, S2)  # pk
v_pk_fmac_f16 | f16 | f16 f16 =f16 | fma16(S0, S1, S2)  # pk
v_pk_min_f16 | f16 | f16 f16 | fmin_f16(S0, S1)  # pk
v_pk_max_f16 | f16 | f16 f16 | fmax_f16(S0, S1)  # pk
v_pk_minimum3_f16 | f16 | f16 f16 f16 | fminimum_f16(fminimum_f16(S0, S1), S2)  # pk
v_pk_maximum3_f16 | f16 | f16 f16 f16 | fmaximum_f16(fmaximum_f16(S0, S1), S2)  # pk
v_pk_add_u16 | u16 | u16 u16 | (u16)(S0 + S1)  # pk
v_pk_add_i16 | i16 | i16 i16 | (i16)(S0 + S1)  # pk
v_pk_sub_u16 | u16 | u16 u16 | (u16)(S0 - S1)  # pk
v_pk_sub_i16 | i16 | i16 i16 | (i16)(S0 - S1)  # pk
v_pk_add_u16.clamp | u16 | u16 u16 | (u16)(S0 + S1 > 65535 ? 65535 : S0 + S1)  # pk
v_pk_sub_u16.clamp | u16 | u16 u16 | (u16)(S0 < S1 ? 0 : S0 - S1)  # pk
v_pk_add_i16.clamp | i16 | i16 i16 | (i16)(S0 + S1 > 32767 ? 32767 : S0 + S1 < -32768 ? -32768 : S0 + S1)  # pk
v_pk_sub_i16.clamp | i16 | i16 i16 | (i16)(S0 - S1 > 32767 ? 32767 : S0 - S1 < -32768 ? -32768 : S0 - S1)  # pk
v_pk_mul_lo_u16 | u16 | u16 u16 | (u16)((u32)S0 * S1)  # pk
v_pk_mad_u16 | u16 | u16 u16 u16 | (u16)((u32)S0 * S1 + S2)  # pk
v_pk_mad_i16 | i16 | i16 i16 i16 | (i16)((i32)S0 * S1 + S2)  # pk
v_pk_lshlrev_b16 | u16 | u16 u16 | (u16)(S1 << (S0 & 15))  # pk
v_pk_lshrrev_b16 | u16 | u16 u16 | (u16)(S1 >> (S0 & 15))  # pk
v_pk_ashrrev_i16 | i16 | u16 i16 | (i16)(S1 >> (S0 & 15))  # pk
v_pk_min_u16 | u16 | u16 u16 | min_u16(S0, S1)  # pk
v_pk_max_u16 | u16 | u16 u16 | max_u16(S0, S1)  # pk
v_pk_min_i16 | i16 | i16 i16 | min_i16(S0, S1)  # pk
v_pk_max_i16 | i16 | i16 i16 | max_i16(S0, S1)  # pk
v_pk_add_f32 | f32 | f32 f32 | S0 + S1  # pk32
v_pk_mul_f32 | f32 | f32 f32 | S0 * S1  # pk32
v_pk_fma_f32 | f32 | f32 f32 f32 | fmaf(S0, S1, S2)  # pk32
v_pk_mov_b32 | b32 | b32 b32 | S0  # pk32, copy
"""
