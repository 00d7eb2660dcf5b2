"""The few PTX statements that say no more than a lane's number: as C++. The rest is not modelled, and says so."""

from __future__ import annotations

import re

_SPECIAL = {
    "laneid": "::hipport_wave::lane_number()",
    "warpid": "::hipport_wave::warp_number()",
    "lanemask_eq": "(1u << ::hipport_wave::lane_number())",
    "lanemask_lt": "((1u << ::hipport_wave::lane_number()) - 1u)",
    "lanemask_le": "((2u << ::hipport_wave::lane_number()) - 1u)",
    "lanemask_gt": "~((2u << ::hipport_wave::lane_number()) - 1u)",
    "lanemask_ge": "~((1u << ::hipport_wave::lane_number()) - 1u)",
    "clock": "(unsigned)::hipport_wave::clock_ticks()",
    "clock64": "::hipport_wave::clock_ticks()",
    "globaltimer": "::hipport_wave::clock_ticks()",
    "smid": "0u",
    "nsmid": "1u",
    "nwarpid": "64u",
    "gridid": "0u",
    "tid.x": "threadIdx.x",
    "tid.y": "threadIdx.y",
    "tid.z": "threadIdx.z",
    "ntid.x": "blockDim.x",
    "ctaid.x": "blockIdx.x",
    "nctaid.x": "gridDim.x",
}
_SPECIAL |= {
    name.replace(".x", f".{axis}"): text.replace(".x", f".{axis}")
    for name, text in list(_SPECIAL.items())
    if name.endswith(".x")
    for axis in "yz"
}
_BUILTINS = {
    "threadIdx": "::hipport_wave::thread_index()",
    "blockDim": "::hipport_wave::block_extent()",
    "blockIdx": "::hipport_wave::block_index()",
    "gridDim": "::hipport_wave::grid_extent()",
}
# opcode (types left out) -> what it computes of its operands
_BINARY = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul.lo": "{0} * {1}", "and": "{0} & {1}", "or": "{0} | {1}",
    "xor": "{0} ^ {1}", "shl": "{0} << {1}", "shr": "{0} >> {1}", "mad.lo": "{0} * {1} + {2}",
    "min": "({0} < {1} ? {0} : {1})", "max": "({0} < {1} ? {1} : {0})", "mov": "{0}", "popc": "__builtin_popcount({0})",
    "bfe.u32": "::hipport_wave::bit_field({0}, {1}, {2})", "fma.rn": "::std::fma({0}, {1}, {2})",
    "bfind.u32": "(({0}) ? 31u - __builtin_clz({0}) : ~0u)", "prmt.b32": "__byte_perm({0}, {1}, {2})",
}  # fmt: skip
_NOTHING = re.compile(r"\s*(membar\.\w+|fence[.\w]*|prefetch[^;]*|discard[^;]*|pragma[^;]*)?\s*")
_LINE = re.compile(r"\s*([a-z0-9_.]+)\s+(.*)", re.DOTALL)
_TYPES = re.compile(r"\.(?:[busf](?:8|16|32|64)|wrap)$")


def statement(groups: list[list[str]]) -> str:
    """The C++ for the parts of an asm statement: template, outputs, inputs, clobbers."""
    text = "".join(word[1:-1] for word in groups[0] if word.startswith('"'))
    text = text.replace("\\n", "\n").replace("\\t", " ").replace("%%", "%").strip().rstrip(";")
    operands = [expression for group in groups[1:3] for expression in _operands(group)]
    lines = [line for line in re.split(r";|\n", text) if line.strip()]
    done = [_line(line, operands) for line in lines]
    if any(made is None for made in done):
        shown = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
        return f'::hipport_wave::not_modelled("the PTX `{shown[:120]}`")'
    return "do { " + " ".join(f"{made};" for made in done if made) + " } while (0)"


def _operands(group: list[str]) -> list[str]:
    """The expressions of `"=r"(x), "r"(y)`."""
    found, at = [], 0
    while at < len(group):
        if group[at] == "(":
            depth, end = 1, at + 1
            while depth and end < len(group):
                depth += (group[end] == "(") - (group[end] == ")")
                end += 1
            found.append("(" + " ".join(group[at + 1 : end - 1]) + ")")
            at = end
        else:
            at += 1
    return found


def _value(word: str, operands: list[str]) -> str | None:
    word = word.strip()
    if match := re.fullmatch(r"%(\d+)", word):
        number = int(match[1])
        return operands[number] if number < len(operands) else None
    if word.startswith("%"):
        text = _SPECIAL.get(word[1:])
        return re.sub(r"\b(threadIdx|blockDim|blockIdx|gridDim)\b", lambda m: _BUILTINS[m[1]], text) if text else None
    return word if re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|\d+)", word) else None


def _line(line: str, operands: list[str]) -> str | None:
    """One PTX instruction; nothing for one that only orders or hints; None for what is not modelled."""
    if _NOTHING.fullmatch(line):
        return "::hipport_wave::fence()" if re.match(r"\s*(membar|fence)", line) else ""
    match = _LINE.fullmatch(line.strip())
    if match is None:
        return "::hipport_wave::stop_trap()" if line.strip() in {"trap", "exit"} and line.strip() == "trap" else None
    opcode, words = match[1], [_value(word, operands) for word in match[2].split(",")]
    form = _BINARY.get(opcode) or _BINARY.get(_TYPES.sub("", opcode))
    if form is None or not words or any(word is None for word in words) or form.count("{2}") > len(words) - 3 + 1:
        return None
    return f"{words[0]} = {form.format(*words[1:])}"
