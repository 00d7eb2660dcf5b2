"""64-bit floating point and 64-bit integers."""

TABLE = """
v_mov_b64 | b64 | b64 | S0  # copy
v_add_f64 | f64 | f64 f64 | S0 + S1
v_mul_f64 | f64 | f64 f64 | S0 * S1
v_fma_f64 | f64 | f64 f64 f64 | fma(S0, S1, S2)
v_fmac_f64 | f64 | f64 f64 =f64 | fma(S0, S1, S2)
v_min_f64 | f64 | f64 f64 | fmin_f64(S0, S1)
v_max_f64 | f64 | f64 f64 | fmax_f64(S0, S1)
v_floor_f64 | f64 | f64 | floor(S0)
v_ceil_f64 | f64 | f64 | ceil(S0)
v_trunc_f64 | f64 | f64 | trunc(S0)
v_rndne_f64 | f64 | f64 | rint(S0)
v_fract_f64 | f64 | f64 | fract_f64(S0)
v_rcp_f64 | f64 | f64 | 1. / S0  # approx 2^29 ulp, transcendental
v_rsq_f64 | f64 | f64 | 1. / sqrt(S0)  # approx 2^29 ulp, transcendental
v_sqrt_f64 | f64 | f64 | sqrt(S0)  # approx 2^29 ulp, transcendental
v_ldexp_f64 | f64 | f64 i32 | ldexp64(S0, S1)  # slow
v_frexp_mant_f64 | f64 | f64 | frexp_mantissa_f64(S0)  # slow
v_frexp_exp_i32_f64 | i32 | f64 | frexp_exponent_f64(S0)  # slow
v_trig_preop_f64 | f64 | f64 u32 | trig_preop(S0, S1)  # slow
v_div_fixup_f64 | f64 | f64 f64 f64 | div_fixup_f64(S0, S1, S2)  # slow
v_div_fmas_f64 | f64 | f64 f64 f64 vcc | { f64 t = fma(S0, S1, S2); D = CIN ? unscaled_f64(t, S2) : t; }
v_div_scale_f64 | b64 mask | f64 f64 f64 | { u32 c; D = div_scale_f64(S0, S1, S2, &c); COUT = c; }  # slow
v_lshlrev_b64 | b64 | u32 u64 | S1 << (S0 & 63)
v_lshrrev_b64 | b64 | u32 u64 | S1 >> (S0 & 63)
v_ashrrev_i64 | i64 | u32 i64 | S1 >> (S0 & 63)
v_lshl_add_u64 | u64 | u64 u32 u64 | (S0 << (S1 & 7)) + S2
v_mad_u64_u32 | u64 mask | u32 u32 u64 | { u64 p = (u64)S0 * S1; D = p + S2; COUT = D < p; }
v_mad_i64_i32 | i64 mask | i32 i32 i64 | { __int128 t = (__int128)S0 * S1 + S2; D = (i64)t; COUT = (u32)(t >> 64) & 1; }
"""
