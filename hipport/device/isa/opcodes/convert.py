"""Conversions between number formats."""

TABLE = """
v_cvt_f32_i32 | f32 | i32 | (f32)S0
v_cvt_f32_u32 | f32 | u32 | (f32)S0
v_cvt_i32_f32 | i32 | f32 | to_i32(S0)
v_cvt_u32_f32 | u32 | f32 | to_u32(S0)
v_cvt_rpi_i32_f32 | i32 | f32 | to_i32(floorf(S0 + 0.5f))
v_cvt_flr_i32_f32 | i32 | f32 | to_i32(floorf(S0))
v_cvt_f64_i32 | f64 | i32 | (f64)S0
v_cvt_f64_u32 | f64 | u32 | (f64)S0
v_cvt_i32_f64 | i32 | f64 | to_i32(S0)
v_cvt_u32_f64 | u32 | f64 | to_u32(S0)
v_cvt_f32_f64 | f32 | f64 | (f32)S0
v_cvt_f64_f32 | f64 | f32 | (f64)S0
v_cvt_f16_f32 | f16 | f32 | (f16)S0
v_cvt_f32_f16 | f32 | f16 | (f32)S0
v_cvt_f32_bf16 | f32 | bf16 | S0
v_cvt_f16_u16 | f16 | u16 | (f16)S0
v_cvt_f16_i16 | f16 | i16 | (f16)S0
v_cvt_u16_f16 | u16 | f16 | to_u16((f32)S0)
v_cvt_i16_f16 | i16 | f16 | to_i16((f32)S0)
v_cvt_f32_ubyte0 | f32 | u32 | (f32)(S0 & 255)
v_cvt_f32_ubyte1 | f32 | u32 | (f32)(S0 >> 8 & 255)
v_cvt_f32_ubyte2 | f32 | u32 | (f32)(S0 >> 16 & 255)
v_cvt_f32_ubyte3 | f32 | u32 | (f32)(S0 >> 24)
v_cvt_off_f32_i4 | f32 | u32 | (f32)((i32)(S0 << 28) >> 28) * 0.0625f
v_cvt_norm_i16_f16 | u16 | f16 | norm_i16((f32)S0)
v_cvt_norm_u16_f16 | u16 | f16 | norm_u16((f32)S0)
v_cvt_pknorm_i16_f32 | b32 | f32 f32 | norm_i16(S0) | norm_i16(S1) << 16
v_cvt_pknorm_u16_f32 | b32 | f32 f32 | norm_u16(S0) | norm_u16(S1) << 16
v_cvt_pknorm_i16_f16 | b32 | f16 f16 | norm_i16((f32)S0) | norm_i16((f32)S1) << 16
v_cvt_pknorm_u16_f16 | b32 | f16 f16 | norm_u16((f32)S0) | norm_u16((f32)S1) << 16
v_cvt_pk_u16_u32 | b32 | u32 u32 | min_u32(S0, 65535) | min_u32(S1, 65535) << 16
v_cvt_pk_i16_i32 | b32 | i32 i32 | (u16)med_i32(S0, -32768, 32767) | (u32)(u16)med_i32(S1, -32768, 32767) << 16
v_cvt_pkrtz_f16_f32 | b32 | f32 f32 | truncate_f16(S0) | truncate_f16(S1) << 16
v_cvt_pk_f16_f32 | b32 | f32 f32 | UH((f16)S0) | UH((f16)S1) << 16
v_cvt_pk_bf16_f32 | b32 | f32 f32 | UB(S0) | UB(S1) << 16
v_cvt_pk_u8_f32 | u32 | f32 u32 u32 | (S2 & ~(255u << 8 * (S1 & 3))) | byte_of(S0) << 8 * (S1 & 3)
"""
