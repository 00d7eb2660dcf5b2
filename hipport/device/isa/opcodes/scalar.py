"""Scalar ALU. `=type` is the destination's old value; `imm` a 16-bit constant, already extended as the opcode asks."""

TABLE = """
s_mov_b32 | b32 | b32 | S0  # copy
s_mov_b64 | b64 | b64 | S0  # copy
s_cmov_b32 | b32 | b32 =b32 | SCC ? S0 : S1
s_cmov_b64 | b64 | b64 =b64 | SCC ? S0 : S1
s_movk_i32 | u32 | imm | S0  # copy
s_cmovk_i32 | u32 | imm =u32 | SCC ? S0 : S1
s_not_b32 | b32 | u32 | ~S0  # not, scc
s_not_b64 | b64 | u64 | ~S0  # not, scc
s_wqm_b32 | b32 | u32 | { D = (S0 | S0 >> 1 | S0 >> 2 | S0 >> 3) & 0x11111111u; D *= 15; }  # scc
s_wqm_b64 | b64 | u64 | { D = (S0 | S0 >> 1 | S0 >> 2 | S0 >> 3) & 0x1111111111111111ull; D *= 15; }  # scc
s_brev_b32 | b32 | u32 | reverse32(S0)
s_brev_b64 | b64 | u64 | reverse64(S0)
s_bcnt0_i32_b32 | u32 | u32 | popcount32(~S0)  # scc
s_bcnt0_i32_b64 | u32 | u64 | (u32)__builtin_popcountll(~S0)  # scc
s_bcnt1_i32_b32 | u32 | u32 | popcount32(S0)  # scc
s_bcnt1_i32_b64 | u32 | u64 | (u32)__builtin_popcountll(S0)  # scc
s_ff0_i32_b32 | u32 | u32 | ~S0 ? (u32)__builtin_ctz(~S0) : ~0u
s_ff0_i32_b64 | u32 | u64 | ~S0 ? (u32)__builtin_ctzll(~S0) : ~0u
s_ff1_i32_b32 | u32 | u32 | S0 ? (u32)__builtin_ctz(S0) : ~0u
s_ff1_i32_b64 | u32 | u64 | S0 ? (u32)__builtin_ctzll(S0) : ~0u
s_flbit_i32_b32 | u32 | u32 | S0 ? (u32)__builtin_clz(S0) : ~0u
s_flbit_i32_b64 | u32 | u64 | S0 ? (u32)__builtin_clzll(S0) : ~0u
s_flbit_i32 | u32 | u32 | { u32 t = S0 ^ (u32)((i32)S0 >> 31); D = t ? (u32)__builtin_clz(t) : ~0u; }
s_flbit_i32_i64 | u32 | u64 | { u64 t = S0 ^ (u64)((i64)S0 >> 63); D = t ? (u32)__builtin_clzll(t) : ~0u; }
s_sext_i32_i8 | u32 | u32 | (u32)(i32)(i8)S0
s_sext_i32_i16 | u32 | u32 | (u32)(i32)(i16)S0
s_bitset0_b32 | b32 | u32 =u32 | S1 & ~(1u << (S0 & 31))
s_bitset0_b64 | b64 | u32 =u64 | S1 & ~(1ull << (S0 & 63))
s_bitset1_b32 | b32 | u32 =u32 | S1 | 1u << (S0 & 31)
s_bitset1_b64 | b64 | u32 =u64 | S1 | 1ull << (S0 & 63)
s_bitreplicate_b64_b32 | b64 | u32 | { D = 0; for (int i = 0; i < 32; i++) D |= (u64)(S0 >> i & 1) * 3 << 2 * i; }
s_abs_i32 | u32 | u32 | (i32)S0 < 0 ? 0 - S0 : S0  # scc
s_quadmask_b32 | b32 | u32 | { D = 0; for (int i = 0; i < 8; i++) D |= (u32)((S0 >> 4 * i & 15) != 0) << i; }  # scc
s_quadmask_b64 | b64 | u64 | { D = 0; for (int i = 0; i < 16; i++) D |= (u64)((S0 >> 4 * i & 15) != 0) << i; }  # scc
s_add_u32 | u32 | u32 u32 | { u64 t = (u64)S0 + S1; D = (u32)t; SCC = (u32)(t >> 32); }
s_addc_u32 | u32 | u32 u32 | { u64 t = (u64)S0 + S1 + SCC; D = (u32)t; SCC = (u32)(t >> 32); }
s_sub_u32 | u32 | u32 u32 | { D = S0 - S1; SCC = S0 < S1; }
s_subb_u32 | u32 | u32 u32 | { u64 t = (u64)S0 - S1 - SCC; D = (u32)t; SCC = t >> 63 & 1; }
s_add_i32 | u32 | u32 u32 | { D = S0 + S1; SCC = (~(S0 ^ S1) & (S0 ^ D)) >> 31; }
s_sub_i32 | u32 | u32 u32 | { D = S0 - S1; SCC = ((S0 ^ S1) & (S0 ^ D)) >> 31; }
s_addk_i32 | u32 | =u32 imm | { D = S0 + S1; SCC = (~(S0 ^ S1) & (S0 ^ D)) >> 31; }
s_mulk_i32 | u32 | =u32 imm | S0 * S1
s_absdiff_i32 | u32 | u32 u32 | { u32 t = S0 - S1; D = (i32)t < 0 ? 0 - t : t; }  # scc
s_mul_i32 | u32 | u32 u32 | S0 * S1
s_mul_hi_u32 | u32 | u32 u32 | (u32)((u64)S0 * S1 >> 32)
s_mul_hi_i32 | u32 | u32 u32 | (u32)((i64)(i32)S0 * (i32)S1 >> 32)
s_min_i32 | u32 | u32 u32 | { SCC = (i32)S0 < (i32)S1; D = SCC ? S0 : S1; }
s_max_i32 | u32 | u32 u32 | { SCC = (i32)S0 >= (i32)S1; D = SCC ? S0 : S1; }
s_min_u32 | u32 | u32 u32 | { SCC = S0 < S1; D = SCC ? S0 : S1; }
s_max_u32 | u32 | u32 u32 | { SCC = S0 >= S1; D = SCC ? S0 : S1; }
s_cselect_b32 | b32 | b32 b32 | SCC ? S0 : S1  # select
s_cselect_b64 | b64 | b64 b64 | SCC ? S0 : S1  # select
s_and_b32 | b32 | u32 u32 | S0 & S1  # and, scc
s_and_b64 | b64 | u64 u64 | S0 & S1  # and, scc
s_or_b32 | b32 | u32 u32 | S0 | S1  # or, scc
s_or_b64 | b64 | u64 u64 | S0 | S1  # or, scc
s_xor_b32 | b32 | u32 u32 | S0 ^ S1  # xor, scc
s_xor_b64 | b64 | u64 u64 | S0 ^ S1  # xor, scc
s_andn2_b32 | b32 | u32 u32 | S0 & ~S1  # xor, scc
s_andn2_b64 | b64 | u64 u64 | S0 & ~S1  # xor, scc
s_orn2_b32 | b32 | u32 u32 | S0 | ~S1  # xor, scc
s_orn2_b64 | b64 | u64 u64 | S0 | ~S1  # xor, scc
s_nand_b32 | b32 | u32 u32 | ~(S0 & S1)  # and, scc
s_nand_b64 | b64 | u64 u64 | ~(S0 & S1)  # and, scc
s_nor_b32 | b32 | u32 u32 | ~(S0 | S1)  # or, scc
s_nor_b64 | b64 | u64 u64 | ~(S0 | S1)  # or, scc
s_xnor_b32 | b32 | u32 u32 | ~(S0 ^ S1)  # xor, scc
s_xnor_b64 | b64 | u64 u64 | ~(S0 ^ S1)  # xor, scc
s_lshl_b32 | b32 | u32 u32 | S0 << (S1 & 31)  # scc
s_lshl_b64 | b64 | u64 u32 | S0 << (S1 & 63)  # scc
s_lshr_b32 | b32 | u32 u32 | S0 >> (S1 & 31)  # scc
s_lshr_b64 | b64 | u64 u32 | S0 >> (S1 & 63)  # scc
s_ashr_i32 | u32 | u32 u32 | (u32)((i32)S0 >> (S1 & 31))  # scc
s_ashr_i64 | u64 | u64 u32 | (u64)((i64)S0 >> (S1 & 63))  # scc
s_bfm_b32 | b32 | u32 u32 | ((1u << (S0 & 31)) - 1) << (S1 & 31)
s_bfm_b64 | b64 | u32 u32 | ((1ull << (S0 & 63)) - 1) << (S1 & 63)
s_bfe_u32 | u32 | u32 u32 | { u32 n = S1 >> 16 & 127; u64 t = (u64)S0 >> (S1 & 31); D = (u32)(n >= 32 ? t : t & ((1ull << n) - 1)); }  # scc
s_bfe_i32 | u32 | u32 u32 | { u32 o = S1 & 31, n = S1 >> 16 & 127; D = !n ? 0 : o + n < 32 ? (u32)((i32)(S0 << (32 - o - n)) >> (32 - n)) : (u32)((i32)S0 >> o); }  # scc
s_bfe_u64 | u64 | u64 u32 | { u32 n = S1 >> 16 & 127; D = S0 >> (S1 & 63); if (n < 64) D &= (1ull << n) - 1; }  # scc
s_bfe_i64 | u64 | u64 u32 | { u32 o = S1 & 63, n = S1 >> 16 & 127; D = !n ? 0 : o + n < 64 ? (u64)((i64)(S0 << (64 - o - n)) >> (64 - n)) : (u64)((i64)S0 >> o); }  # scc
s_lshl1_add_u32 | u32 | u32 u32 | { u64 t = ((u64)S0 << 1) + S1; D = (u32)t; SCC = t >> 32 != 0; }
s_lshl2_add_u32 | u32 | u32 u32 | { u64 t = ((u64)S0 << 2) + S1; D = (u32)t; SCC = t >> 32 != 0; }
s_lshl3_add_u32 | u32 | u32 u32 | { u64 t = ((u64)S0 << 3) + S1; D = (u32)t; SCC = t >> 32 != 0; }
s_lshl4_add_u32 | u32 | u32 u32 | { u64 t = ((u64)S0 << 4) + S1; D = (u32)t; SCC = t >> 32 != 0; }
s_pack_ll_b32_b16 | b32 | u32 u32 | (S0 & 0xffffu) | S1 << 16
s_pack_lh_b32_b16 | b32 | u32 u32 | (S0 & 0xffffu) | (S1 & 0xffff0000u)
s_pack_hh_b32_b16 | b32 | u32 u32 | S0 >> 16 | (S1 & 0xffff0000u)
s_cmp_eq_i32 | scc | u32 u32 | S0 == S1
s_cmp_lg_i32 | scc | u32 u32 | S0 != S1
s_cmp_gt_i32 | scc | u32 u32 | (i32)S0 > (i32)S1
s_cmp_ge_i32 | scc | u32 u32 | (i32)S0 >= (i32)S1
s_cmp_lt_i32 | scc | u32 u32 | (i32)S0 < (i32)S1
s_cmp_le_i32 | scc | u32 u32 | (i32)S0 <= (i32)S1
s_cmp_eq_u32 | scc | u32 u32 | S0 == S1
s_cmp_lg_u32 | scc | u32 u32 | S0 != S1
s_cmp_gt_u32 | scc | u32 u32 | S0 > S1
s_cmp_ge_u32 | scc | u32 u32 | S0 >= S1
s_cmp_lt_u32 | scc | u32 u32 | S0 < S1
s_cmp_le_u32 | scc | u32 u32 | S0 <= S1
s_cmp_eq_u64 | scc | u64 u64 | S0 == S1
s_cmp_lg_u64 | scc | u64 u64 | S0 != S1
s_bitcmp0_b32 | scc | u32 u32 | !(S0 >> (S1 & 31) & 1)
s_bitcmp1_b32 | scc | u32 u32 | S0 >> (S1 & 31) & 1
s_bitcmp0_b64 | scc | u64 u32 | !(S0 >> (S1 & 63) & 1)
s_bitcmp1_b64 | scc | u64 u32 | S0 >> (S1 & 63) & 1
s_cmpk_eq_i32 | scc | u32 imm | S0 == S1
s_cmpk_lg_i32 | scc | u32 imm | S0 != S1
s_cmpk_gt_i32 | scc | u32 imm | (i32)S0 > (i32)S1
s_cmpk_ge_i32 | scc | u32 imm | (i32)S0 >= (i32)S1
s_cmpk_lt_i32 | scc | u32 imm | (i32)S0 < (i32)S1
s_cmpk_le_i32 | scc | u32 imm | (i32)S0 <= (i32)S1
s_cmpk_eq_u32 | scc | u32 umm | S0 == S1
s_cmpk_lg_u32 | scc | u32 umm | S0 != S1
s_cmpk_gt_u32 | scc | u32 umm | S0 > S1
s_cmpk_ge_u32 | scc | u32 umm | S0 >= S1
s_cmpk_lt_u32 | scc | u32 umm | S0 < S1
s_cmpk_le_u32 | scc | u32 umm | S0 <= S1
"""
