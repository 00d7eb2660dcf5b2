"""Runs single instructions on the isa executor: one small kernel an instruction, operands by lane or by wave."""

from __future__ import annotations

import ctypes

import numpy as np

from hipport.device.isa import abi, build

RECORD = 8  # dwords of a lane's input: S0, S1, S2 (two each), old D, VCC bit
RESULT = 4  # dwords of its output: D (two), mask bit, spare

_KERNEL = """
	.text
	.globl	{name}
	.p2align	8
	.type	{name},@function
{name}:
{body}
	s_endpgm
.Lend_{name}:
	.size	{name}, .Lend_{name}-{name}
	.section	.rodata,"a",@progbits
	.amdhsa_kernel {name}
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_count 2
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_float_denorm_mode_32 {denormals}
	.end_amdhsa_kernel
"""
_META = """
  - .args:
      - {{.address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}}
      - {{.address_space: global, .offset: 8, .size: 8, .value_kind: global_buffer}}
    .group_segment_fixed_size: {lds}
    .kernarg_segment_size: 16
    .max_flat_workgroup_size: 1024
    .name: {name}
    .private_segment_fixed_size: 0
    .sgpr_count: 100
    .vgpr_count: 64
    .wavefront_size: 64
"""
_VECTOR = """	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_mov_b32_e32 v3, s2
	v_lshl_add_u32 v1, v3, 6, v0
	v_lshlrev_b32_e32 v2, 5, v1
	v_lshlrev_b32_e32 v3, 4, v1
	global_load_dwordx4 v[4:7], v2, s[4:5]
	global_load_dwordx4 v[8:11], v2, s[4:5] offset:16
	s_mov_b64 s[10:11], 0
	v_cmp_ne_u32_e32 vcc, 0, v11
	s_mov_b64 s[8:9], vcc
	v_mov_b32_e32 v12, v10
	v_mov_b32_e32 v13, 0
{instruction}
	v_cndmask_b32_e64 v14, 0, 1, s[10:11]
	v_mov_b32_e32 v15, 0
	global_store_dwordx4 v3, v[12:15], s[6:7]"""
_SCALAR = """	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_lshl_b32 s12, s2, 5
	s_add_u32 s4, s4, s12
	s_addc_u32 s5, s5, 0
	s_load_dwordx8 s[16:23], s[4:5], 0x0
	s_lshl_b32 s12, s2, 4
	s_add_u32 s6, s6, s12
	s_addc_u32 s7, s7, 0
	s_mov_b32 s24, s22
	s_mov_b32 s25, 0
	s_cmp_lg_u32 s23, 0
{instruction}
	s_cselect_b32 s26, 1, 0
	v_mov_b32_e32 v1, s24
	v_mov_b32_e32 v2, s25
	v_mov_b32_e32 v3, s26
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	global_store_dwordx4 v5, v[1:4], s[6:7]"""


class Kernels:
    """Kernels `{key: body}` in one module; each takes two pointers, in and out, in s[0:1], its block's number in s2."""

    def __init__(self, bodies, target="gfx950", denormals=3, lds=0):
        self.names = {key: f"k{i}" for i, key in enumerate(bodies)}
        parts = [f'	.amdgcn_target "amdgcn-amd-amdhsa--{target}"']
        parts += [_KERNEL.format(name=self.names[key], body=body, denormals=denormals) for key, body in bodies.items()]
        parts += ["	.amdgpu_metadata", "---", "amdhsa.kernels:"]
        parts += [_META.format(name=name, lds=lds) for name in self.names.values()]
        parts += ["...", "	.end_amdgpu_metadata", ""]
        self.library, self.header = abi.load(str(build.build("\n".join(parts))))
        self.index = {self.header.kernels[i].name.decode(): i for i in range(self.header.kernel_count)}

    def unknown(self, key):
        kernel = self.header.kernels[self.index[self.names[key]]]
        return [kernel.unknown[i].decode() for i in range(kernel.unknown_count)]

    def launch(self, key, given, out, grid=1, block=64, **more):
        """(code, fault, counts) of one launch; `more` sets fields of the launch."""
        kernarg = (ctypes.c_uint64 * 2)(given.ctypes.data, out.ctypes.data)
        ranges = (abi.Allocation * 2)(
            abi.Allocation(given.ctypes.data, given.nbytes, b"in", None, 0, 0),
            abi.Allocation(out.ctypes.data, out.nbytes, b"out", None, 1, 0),
        )
        launch = abi.Launch(abi=abi.ABI, kernel=self.index[self.names[key]], threads=1, allocation_count=2, **more)
        launch.grid[:] = (grid, 1, 1)
        launch.block[:] = (block, 1, 1)
        launch.kernarg, launch.kernarg_bytes = ctypes.addressof(kernarg), 16
        launch.allocations = ranges
        fault, counts = abi.Fault(), abi.Counts()
        code = self.library.hipport_launch(ctypes.byref(launch), ctypes.byref(fault), ctypes.byref(counts))
        return code, fault, counts


class Singles(Kernels):
    """Kernels `{key: instruction}`; vector ones get a lane a record, scalar ones a wave a record."""

    def __init__(self, instructions, **more):
        self.scalar = {key for key, text in instructions.items() if text.lstrip().startswith("s_")}
        frames = {key: _SCALAR if key in self.scalar else _VECTOR for key in instructions}
        super().__init__(
            {key: frames[key].format(instruction="\t" + text) for key, text in instructions.items()}, **more
        )

    def run(self, key, records):
        """Results (n, RESULT) of uint32 records (n, RECORD)."""
        n = len(records)
        block = 1 if key in self.scalar else 64
        padded = np.zeros((-(-n // block) * block, RECORD), np.uint32)
        padded[:n] = records
        out = np.zeros((len(padded), RESULT), np.uint32)
        code, fault, _ = self.launch(key, padded, out, len(padded) // block, block)
        assert code == 0, f"{key}: {abi.FaultKind(code).name} {fault.message.decode()}"
        return out[:n]
