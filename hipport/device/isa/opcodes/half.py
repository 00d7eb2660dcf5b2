"""16-bit floating point, one value a lane."""

TABLE = """
v_add_f16 | f16 | f16 f16 | S0 + S1
v_sub_f16 | f16 | f16 f16 | S0 - S1
v_subrev_f16 | f16 | f16 f16 | S1 - S0
v_mul_f16 | f16 | f16 f16 | S0 * S1
v_min_f16 | f16 | f16 f16 | fmin_f16(S0, S1)
v_max_f16 | f16 | f16 f16 | fmax_f16(S0, S1)
v_fma_f16 | f16 | f16 f16 f16 | fma16(S0, S1, S2)  # keep
v_fma_legacy_f16 | f16 | f16 f16 f16 | fma16(S0, S1, S2)
v_mad_f16 | f16 | f16 f16 f16 | (f16)(f16)(S0 * S1) + S2  # keep
v_mad_legacy_f16 | f16 | f16 f16 f16 | (f16)(f16)(S0 * S1) + S2
v_mac_f16 | f16 | f16 f16 =f16 | (f16)(f16)(S0 * S1) + S2
v_madak_f16 | f16 | f16 f16 f16 | (f16)(f16)(S0 * S1) + S2
v_madmk_f16 | f16 | f16 f16 f16 | (f16)(f16)(S0 * S1) + S2
v_min3_f16 | f16 | f16 f16 f16 | fmin_f16(fmin_f16(S0, S1), S2)  # keep
v_max3_f16 | f16 | f16 f16 f16 | fmax_f16(fmax_f16(S0, S1), S2)  # keep
v_med3_f16 | f16 | f16 f16 f16 | fmed_f16(S0, S1, S2)  # keep
v_floor_f16 | f16 | f16 | (f16)floorf((f32)S0)
v_ceil_f16 | f16 | f16 | (f16)ceilf((f32)S0)
v_trunc_f16 | f16 | f16 | (f16)truncf((f32)S0)
v_rndne_f16 | f16 | f16 | (f16)rintf((f32)S0)
v_fract_f16 | f16 | f16 | fract_f16(S0)
v_rcp_f16 | f16 | f16 | (f16)(1.f / (f32)S0)  # approx 1 ulp, transcendental
v_rsq_f16 | f16 | f16 | (f16)(1.0 / sqrt((f64)S0))  # approx 1 ulp, transcendental
v_sqrt_f16 | f16 | f16 | (f16)sqrtf((f32)S0)  # approx 1 ulp, transcendental
v_exp_f16 | f16 | f16 | (f16)exp2((f64)S0)  # approx 1 ulp, slow, transcendental
v_log_f16 | f16 | f16 | (f16)log2((f64)S0)  # approx 1 ulp, slow, transcendental
v_sin_f16 | f16 | f16 | (f16)sine_of_turns((f32)S0)  # approx 2^-9 absolute, slow, transcendental
v_cos_f16 | f16 | f16 | (f16)cosine_of_turns((f32)S0)  # approx 2^-9 absolute, slow, transcendental
v_ldexp_f16 | f16 | f16 i16 | (f16)ldexp((f64)S0, S1 < -99 ? -99 : S1 > 99 ? 99 : S1)  # slow
v_frexp_mant_f16 | f16 | f16 | (f16)frexp_mantissa_f32((f32)S0)  # slow
v_frexp_exp_i16_f16 | i16 | f16 | (i16)frexp_exponent_f32((f32)S0)  # slow
v_div_fixup_f16 | f16 | f16 f16 f16 | div_fixup_f16(S0, S1, S2)  # slow, keep
v_div_fixup_legacy_f16 | f16 | f16 f16 f16 | div_fixup_f16(S0, S1, S2)  # slow
v_pack_b32_f16 | b32 | u16 u16 | (u32)S1 << 16 | S0
v_fma_mix_f32 | f32 | f32 f32 f32 | fmaf(S0, S1, S2)  # mix
v_fma_mixlo_f16 | f16 | f32 f32 f32 | (f16)fmaf(S0, S1, S2)  # mix, keep
v_fma_mixhi_f16 | f16 | f32 f32 f32 | (f16)fmaf(S0, S1, S2)  # mix, keep
"""
