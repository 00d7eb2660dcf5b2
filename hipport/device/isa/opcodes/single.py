"""32-bit floating point."""

TABLE = """
v_mov_b32 | b32 | b32 | S0  # copy
v_add_f32 | f32 | f32 f32 | S0 + S1
v_sub_f32 | f32 | f32 f32 | S0 - S1
v_subrev_f32 | f32 | f32 f32 | S1 - S0
v_mul_f32 | f32 | f32 f32 | S0 * S1
v_mul_legacy_f32 | f32 | f32 f32 | S0 == 0 || S1 == 0 ? 0.f : S0 * S1
v_min_f32 | f32 | f32 f32 | fmin_f32(S0, S1)
v_max_f32 | f32 | f32 f32 | fmax_f32(S0, S1)
v_fma_f32 | f32 | f32 f32 f32 | fmaf(S0, S1, S2)
v_fmac_f32 | f32 | f32 f32 =f32 | fmaf(S0, S1, S2)
v_fmaak_f32 | f32 | f32 f32 f32 | fmaf(S0, S1, S2)
v_fmamk_f32 | f32 | f32 f32 f32 | fmaf(S0, S1, S2)
v_min3_f32 | f32 | f32 f32 f32 | fmin_f32(fmin_f32(S0, S1), S2)
v_max3_f32 | f32 | f32 f32 f32 | fmax_f32(fmax_f32(S0, S1), S2)
v_med3_f32 | f32 | f32 f32 f32 | fmed_f32(S0, S1, S2)
v_minimum3_f32 | f32 | f32 f32 f32 | fminimum_f32(fminimum_f32(S0, S1), S2)
v_maximum3_f32 | f32 | f32 f32 f32 | fmaximum_f32(fmaximum_f32(S0, S1), S2)
v_floor_f32 | f32 | f32 | floorf(S0)
v_ceil_f32 | f32 | f32 | ceilf(S0)
v_trunc_f32 | f32 | f32 | truncf(S0)
v_rndne_f32 | f32 | f32 | rintf(S0)
v_fract_f32 | f32 | f32 | fract_f32(S0)
v_rcp_f32 | f32 | f32 | 1.f / S0  # approx 1 ulp, transcendental
v_rcp_iflag_f32 | f32 | f32 | 1.f / S0  # approx 1 ulp, transcendental
v_rsq_f32 | f32 | f32 | (f32)(1.0 / sqrt((f64)S0))  # approx 1 ulp, transcendental
v_sqrt_f32 | f32 | f32 | sqrtf(S0)  # approx 1 ulp, transcendental
v_exp_f32 | f32 | f32 | (f32)exp2((f64)S0)  # approx 1 ulp, slow, transcendental
v_log_f32 | f32 | f32 | (f32)log2((f64)S0)  # approx 1 ulp, slow, transcendental
v_sin_f32 | f32 | f32 | sine_of_turns(S0)  # approx 2^-20 absolute, slow, transcendental
v_cos_f32 | f32 | f32 | cosine_of_turns(S0)  # approx 2^-20 absolute, slow, transcendental
v_prng_b32 | b32 | u32 | S0 << 1 ^ (S0 >> 31 ? 197u : 0)
v_ldexp_f32 | f32 | f32 i32 | ldexp32(S0, S1)  # slow
v_frexp_mant_f32 | f32 | f32 | frexp_mantissa_f32(S0)  # slow
v_frexp_exp_i32_f32 | i32 | f32 | frexp_exponent_f32(S0)  # slow
v_div_fixup_f32 | f32 | f32 f32 f32 | div_fixup_f32(S0, S1, S2)  # slow
v_div_fmas_f32 | f32 | f32 f32 f32 vcc | { f32 t = fmaf(S0, S1, S2); D = CIN ? unscaled_f32(S0, S1, S2) : t; }
v_div_scale_f32 | b32 mask | f32 f32 f32 | { u32 c; D = div_scale_f32(S0, S1, S2, &c); COUT = c; }  # slow
v_cubeid_f32 | b32 | f32 f32 f32 | cube_face(S0, S1, S2, 0)  # slow
v_cubesc_f32 | b32 | f32 f32 f32 | cube_face(S0, S1, S2, 1)  # slow
v_cubetc_f32 | b32 | f32 f32 f32 | cube_face(S0, S1, S2, 2)  # slow
v_cubema_f32 | b32 | f32 f32 f32 | cube_face(S0, S1, S2, 3)  # slow
"""
