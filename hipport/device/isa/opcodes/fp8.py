"""Eight-bit floats: `fp8` is e4m3, `bf8` e5m2; in FNUZ form on gfx942 and in OCP form on gfx950 (native/fp8.h).

SDWA picks the byte or word of a source; the destination's other bits are kept. BYTE is where v_cvt_sr_* writes.
"""

TABLE = """
v_cvt_f32_fp8 | f32 | u32 | e4m3_to_f32(S0 & 255)
v_cvt_f32_bf8 | f32 | u32 | e5m2_to_f32(S0 & 255)
v_cvt_pk_f32_fp8 | b64 | u32 | UF(e4m3_to_f32(S0 & 255)) | (u64)UF(e4m3_to_f32(S0 >> 8 & 255)) << 32
v_cvt_pk_f32_bf8 | b64 | u32 | UF(e5m2_to_f32(S0 & 255)) | (u64)UF(e5m2_to_f32(S0 >> 8 & 255)) << 32
v_cvt_pk_fp8_f32 | u16 | f32 f32 | (u16)(f32_to_e4m3(w, S0) | f32_to_e4m3(w, S1) << 8)  # keep
v_cvt_pk_bf8_f32 | u16 | f32 f32 | (u16)(f32_to_e5m2(w, S0) | f32_to_e5m2(w, S1) << 8)  # keep
v_cvt_sr_fp8_f32 | b32 | f32 u32 =u32 | with_byte(S2, TTBL, f32_to_e4m3(w, dithered(S0, S1 >> 12)))
v_cvt_sr_bf8_f32 | b32 | f32 u32 =u32 | with_byte(S2, TTBL, f32_to_e5m2(w, dithered(S0, S1 >> 11)))
"""
