"""Carries, selections, and what moves values between lanes by way of its own function."""

TABLE = """
v_add_co_u32 | u32 mask | u32 u32 | { u64 t = (u64)S0 + S1; D = (u32)t; COUT = t >> 32 & 1; }
v_sub_co_u32 | u32 mask | u32 u32 | { D = S0 - S1; COUT = S0 < S1; }
v_subrev_co_u32 | u32 mask | u32 u32 | { D = S1 - S0; COUT = S1 < S0; }
v_addc_co_u32 | u32 mask | u32 u32 mask | { u64 t = (u64)S0 + S1 + CIN; D = (u32)t; COUT = t >> 32 & 1; }
v_subb_co_u32 | u32 mask | u32 u32 mask | { u64 t = (u64)S0 - S1 - CIN; D = (u32)t; COUT = t >> 63 & 1; }
v_subbrev_co_u32 | u32 mask | u32 u32 mask | { u64 t = (u64)S1 - S0 - CIN; D = (u32)t; COUT = t >> 63 & 1; }
v_cndmask_b32 | b32 | b32 b32 mask | CIN ? S1 : S0  # copy
"""
