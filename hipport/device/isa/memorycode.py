"""Loads, stores and atomics -> calls of the runtime's checked accesses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.device.isa.operands import OperandError, parse_operand
from hipport.device.isa.unit import Unit, row, scalar_value

if TYPE_CHECKING:
    from hipport.device.isa.assembly import Instruction
    from hipport.device.isa.operands import Operand

LOADS = {
    "ubyte": "U8", "sbyte": "I8", "ushort": "U16", "sshort": "I16", "dword": "B32", "dwordx2": "B64", "dwordx3": "B96",
    "dwordx4": "B128", "ubyte_d16": "D16_LO_U8", "sbyte_d16": "D16_LO_I8", "short_d16": "D16_LO",
    "ubyte_d16_hi": "D16_HI_U8", "sbyte_d16_hi": "D16_HI_I8", "short_d16_hi": "D16_HI",
}  # fmt: skip
STORES = {
    "byte": "U8", "short": "U16", "dword": "B32", "dwordx2": "B64", "dwordx3": "B96", "dwordx4": "B128",
    "byte_d16_hi": "STORE_HI8", "short_d16_hi": "STORE_HI16",
}  # fmt: skip
DS_READS = {
    "u8": "U8", "i8": "I8", "u16": "U16", "i16": "I16", "b32": "B32", "b64": "B64", "b96": "B96", "b128": "B128",
    "u8_d16": "D16_LO_U8", "i8_d16": "D16_LO_I8", "u16_d16": "D16_LO", "u8_d16_hi": "D16_HI_U8",
    "i8_d16_hi": "D16_HI_I8", "u16_d16_hi": "D16_HI",
}  # fmt: skip
DS_WRITES = {
    "b8": "U8", "b16": "U16", "b32": "B32", "b64": "B64", "b96": "B96", "b128": "B128", "b8_d16_hi": "STORE_HI8",
    "b16_d16_hi": "STORE_HI16",
}  # fmt: skip
ATOMICS = {
    "swap": "SWAP", "cmpswap": "CMPSWAP", "add": "ADD", "sub": "SUB", "smin": "SMIN", "umin": "UMIN", "smax": "SMAX",
    "umax": "UMAX", "and": "AND", "or": "OR", "xor": "XOR", "inc": "INC", "dec": "DEC",
}  # fmt: skip
FLOAT_ATOMICS = {
    "add_f32": "A_ADD_F32", "add_f64": "A_ADD_F64", "min_f64": "A_MIN_F64", "max_f64": "A_MAX_F64",
    "pk_add_f16": "A_PK_ADD_F16", "pk_add_bf16": "A_PK_ADD_BF16",
}  # fmt: skip
DS_ATOMICS = {
    "add_u": "ADD", "sub_u": "SUB", "rsub_u": "RSUB", "inc_u": "INC", "dec_u": "DEC", "min_i": "SMIN", "max_i": "SMAX",
    "min_u": "UMIN", "max_u": "UMAX", "and_b": "AND", "or_b": "OR", "xor_b": "XOR", "wrxchg_b": "SWAP",
}  # fmt: skip
_ATOMIC = re.compile(r"(global|flat|buffer)_atomic_(\w+)$")
_ACCESS = re.compile(r"(global|flat|scratch|buffer)_(load|store)_(\w+)$")
_LOAD_LDS = re.compile(r"(global|buffer)_load_lds_(\w+)$")
_DS_ATOMIC = re.compile(r"ds_(\w+?)_(rtn_)?(\w)(32|64)$")
_DS_PAIR = re.compile(r"ds_(read2|write2)(st64)?_b(32|64)$")
_LDS_BYTES = {"ubyte": 1, "ushort": 2, "dword": 4, "dwordx3": 12, "dwordx4": 16}
_RAW_LDS = {"sbyte", "sshort"}


def _offset(modifiers: dict[str, str], key: str = "offset") -> int:
    return int(modifiers.get(key, "0"), 0)


def _rows(operand: Operand) -> str:
    if not operand.is_rows:
        raise OperandError(f"{operand.text} where a vector register is due")
    return row(operand)


def memory_statement(instruction: Instruction, unit: Unit) -> str | None:
    """C for a memory instruction; None where it is none.

    Raises:
        OperandError: a form that is not modelled.
    """
    name = instruction.mnemonic
    if name.startswith("ds_"):
        body = _ds(name, instruction)
    elif name.startswith(("s_load_dword", "s_buffer_load")):
        body = _scalar_load(name, instruction, unit)
    else:
        body = _vector_memory(name, instruction, unit)
    return None if body is None else f"{{ {unit.at(instruction)} {body} }}"


def _scalar_load(name: str, instruction: Instruction, unit: Unit) -> str:
    if name.startswith("s_buffer"):
        raise OperandError(name)
    count = int(name.rpartition("x")[2]) if "dwordx" in name else 1
    destination, base, offset = (parse_operand(text) for text in instruction.operands)
    extra = _offset(instruction.modifiers)
    value = scalar_value(offset, "u32", unit)
    if offset.kind == "c":
        value = str(offset.value + extra)
    elif extra:
        value = f"(i64){value} + {extra}"
    check = f"if (UNLIKELY(w->tainted)) taint_address(w, NULL, 0, {base.index}, 2); "
    return f"{check}scalar_load(w, {destination.index}, {count}, {base.index}, {value});"


def _vector_memory(name: str, instruction: Instruction, unit: Unit) -> str | None:
    m = _LOAD_LDS.match(name)
    if m:
        return _load_lds(m[1], m[2], instruction)
    m = _ATOMIC.match(name)
    if m:
        return _atomic(m[1], m[2], instruction, unit)
    m = _ACCESS.match(name)
    if m is None:
        return None
    table = LOADS if m[2] == "load" else STORES
    width, store = table.get(m[3]), int(m[2] == "store")
    if width is None:
        raise OperandError(name)
    operands = [parse_operand(text) if text != "off" else None for text in instruction.operands]
    if m[1] == "buffer":
        return _buffer(width, operands, instruction, unit, store)
    data, address, base = _order(operands, store=bool(store))
    offset = _offset(instruction.modifiers)
    if m[1] == "scratch":
        vector = "NULL" if address is None else _rows(address)
        scalar = "0u" if base is None else scalar_value(base, "u32", unit)
        return f"access_scratch(w, {width}, {_rows(data)}, {vector}, {scalar}, {offset}, {store});"
    if address is None:
        raise OperandError("no address")
    if base is not None:
        return f"access_saddr(w, {width}, {_rows(data)}, {base.index}, {_rows(address)}, {offset}, {store});"
    space = "FLAT" if m[1] == "flat" else "GLOBAL"
    return f"access_flat(w, {space}, {width}, {_rows(data)}, {_rows(address)}, {offset}, {store});"


def _order(operands: list[Operand | None], *, store: bool) -> tuple[Operand, Operand | None, Operand | None]:
    """(data, vector address, scalar base)."""
    data = operands[1] if store else operands[0]
    address = operands[0] if store else operands[1]
    if data is None:
        raise OperandError("no data")
    return data, address, operands[2] if len(operands) > 2 else None


def _load_lds(space: str, width: str, instruction: Instruction) -> str:
    operands = [parse_operand(text) if text != "off" else None for text in instruction.operands]
    if space == "buffer" or width in _RAW_LDS or operands[0] is None:
        raise OperandError(instruction.mnemonic)
    bytes_, offset = _LDS_BYTES[width], _offset(instruction.modifiers)
    if len(operands) > 1 and operands[1] is not None:
        return f"load_lds_saddr(w, {bytes_}, {operands[1].index}, {_rows(operands[0])}, {offset});"
    return f"load_lds_flat(w, {bytes_}, {_rows(operands[0])}, {offset});"


def _operation(text: str) -> str:
    """Which of enum atomic_operation a global atomic is."""
    if text in FLOAT_ATOMICS:
        return FLOAT_ATOMICS[text]
    name, size = (text[:-3], "64") if text.endswith("_x2") else (text, "32")
    if name not in ATOMICS:
        raise OperandError(f"atomic {text}")
    return f"A_{ATOMICS[name]}{size}"


def _atomic(space: str, text: str, instruction: Instruction, unit: Unit) -> str:
    operation = _operation(text)
    returns = bool({"sc0", "glc"} & set(instruction.modifiers))
    operands = [parse_operand(t) if t != "off" else None for t in instruction.operands]
    if space == "buffer":
        return _buffer_atomic(operation, operands, instruction, unit, returns=returns)
    old = "NULL"
    if returns:
        first = operands.pop(0)
        if first is None:
            raise OperandError("no destination")
        old = _rows(first)
    address, data = operands[0], operands[1]
    if address is None or data is None:
        raise OperandError("no address")
    values, compare = _data(operation, data)
    offset = _offset(instruction.modifiers)
    base = operands[2] if len(operands) > 2 else None
    if base is not None:
        return f"atomic_saddr(w, {operation}, {old}, {base.index}, {_rows(address)}, {values}, {compare}, {offset});"
    kind = "FLAT" if space == "flat" else "GLOBAL"
    return f"atomic_flat(w, {kind}, {operation}, {old}, {_rows(address)}, {values}, {compare}, {offset});"


def _data(operation: str, data: Operand) -> tuple[str, str]:
    """(rows of the operand, rows of the compared value or NULL): cmpswap packs both in one register group."""
    if not operation.startswith("A_CMPSWAP"):
        return _rows(data), "NULL"
    return _rows(data), row(data, 2 if operation.endswith("64") else 1)


def _buffer(width: str, operands: list[Operand | None], instruction: Instruction, unit: Unit, store: int) -> str:
    data, address, resource, soffset = operands[:4]
    if data is None or resource is None or resource.kind != "s" or "lds" in instruction.modifiers:
        raise OperandError(instruction.mnemonic)
    index, inside = _buffer_address(address, instruction.modifiers)
    scalar = "0u" if soffset is None else scalar_value(soffset, "u32", unit)
    offset = _offset(instruction.modifiers)
    return (
        f"buffer_access(w, {width}, {_rows(data)}, {resource.index}, {index}, {inside}, {scalar}, {offset}, {store});"
    )


def _buffer_address(address: Operand | None, modifiers: dict[str, str]) -> tuple[str, str]:
    if "idxen" in modifiers and address is not None:
        return row(address), row(address, 1) if "offen" in modifiers else "NULL"
    return "NULL", row(address) if "offen" in modifiers and address is not None else "NULL"


def _buffer_atomic(
    operation: str, operands: list[Operand | None], instruction: Instruction, unit: Unit, *, returns: bool
) -> str:
    data, address, resource, soffset = operands[:4]
    if data is None or resource is None:
        raise OperandError(instruction.mnemonic)
    index, inside = _buffer_address(address, instruction.modifiers)
    values, compare = _data(operation, data)
    old = values if returns else "NULL"
    scalar = "0u" if soffset is None else scalar_value(soffset, "u32", unit)
    return (
        f"buffer_atomic(w, {operation}, {old}, {resource.index}, {index}, {inside}, {scalar}, "
        f"{_offset(instruction.modifiers)}, {values}, {compare});"
    )


def _ds(name: str, instruction: Instruction) -> str | None:
    operands = [parse_operand(text) for text in instruction.operands]
    modifiers = instruction.modifiers
    offset = 0 if name == "ds_swizzle_b32" else _offset(modifiers)
    if "gds" in modifiers and not name.startswith("ds_gws"):
        raise OperandError("gds")
    kind, _, rest = name[3:].partition("_")
    if kind == "read" and rest in DS_READS:
        return f"access_lds(w, {DS_READS[rest]}, {_rows(operands[0])}, {_rows(operands[1])}, {offset}, 0);"
    if kind == "write" and rest in DS_WRITES:
        return f"access_lds(w, {DS_WRITES[rest]}, {_rows(operands[1])}, {_rows(operands[0])}, {offset}, 1);"
    if name in {"ds_read_addtid_b32", "ds_write_addtid_b32"}:
        return f"ds_addtid(w, {_rows(operands[0])}, {offset}, {int('write' in name)});"
    if name in {"ds_append", "ds_consume"}:
        return f"ds_append(w, {_rows(operands[0])}, {offset}, {1 if name == 'ds_append' else -1});"
    m = _DS_PAIR.match(name)
    if m:
        return _ds_pair(m, operands, modifiers)
    return _ds_lanes(name, operands, modifiers) or _ds_atomic(name, operands, offset)


def _ds_pair(m: re.Match[str], operands: list[Operand], modifiers: dict[str, str]) -> str:
    dwords = int(m[3]) // 32
    scale = 4 * dwords * (64 if m[2] else 1)
    first, second = (_offset(modifiers, key) * scale for key in ("offset0", "offset1"))
    if m[1] == "write2":
        address, a, b = operands
        return f"lds_pair(w, {_rows(a)}, {_rows(b)}, {_rows(address)}, {first}, {second}, {dwords}, 1);"
    to, address = operands
    return f"lds_pair(w, {_rows(to)}, {row(to, dwords)}, {_rows(address)}, {first}, {second}, {dwords}, 0);"


def _ds_lanes(name: str, operands: list[Operand], modifiers: dict[str, str]) -> str | None:
    if name == "ds_swizzle_b32":
        pattern = swizzle_pattern(modifiers.get("offset", "0"))
        return f"ds_swizzle(w, {_rows(operands[0])}, {_rows(operands[1])}, {pattern}u);"
    if name in {"ds_bpermute_b32", "ds_permute_b32"}:
        to, address, data = (_rows(o) for o in operands)
        return f"{name[:-4]}(w, {to}, {address}, {data}, {_offset(modifiers)});"
    if name == "ds_nop":
        return ";"
    return None


def swizzle_pattern(text: str) -> int:
    """The 16-bit pattern of `offset:swizzle(...)` or a plain number."""
    m = re.match(r"swizzle\((\w+),\s*(.*)\)$", text)
    if m is None:
        return int(text, 0)
    parts = [p.strip().strip('"') for p in m[2].split(",")]
    if m[1] == "QUAD_PERM":
        return 0x8000 | sum(int(p) << 2 * i for i, p in enumerate(parts))
    if m[1] == "BITMASK_PERM":
        return _bitmask(parts[0])
    if m[1] == "BROADCAST":
        group, lane = int(parts[0]), int(parts[1])
        return (32 - group) | lane << 5
    if m[1] == "SWAP":
        return int(parts[0]) << 10 | 0x1F
    if m[1] == "REVERSE":
        return (int(parts[0]) - 1) << 10 | 0x1F
    if m[1] in {"ROTATE", "FFT"} and m[1] == "ROTATE":
        return 0xC000 | int(parts[0]) << 10 | int(parts[1]) << 5 | (int(parts[2]) if len(parts) > 2 else 0)
    raise OperandError(f"swizzle {text}")


def _bitmask(text: str) -> int:
    """Five of `0 1 p i`, high bit first: and, or, xor masks."""
    keep = either = flip = 0
    for char in text:
        keep, either, flip = keep << 1, either << 1, flip << 1
        keep |= char in "pi"
        either |= char == "1"
        flip |= char == "i"
    return keep | either << 5 | flip << 10


def _ds_atomic(name: str, operands: list[Operand], offset: int) -> str | None:
    returns = "_rtn_" in name
    text = name[3:].replace("_rtn_", "_")
    old = "NULL"
    if text.startswith("wrxchg"):
        returns = True
    operation = _ds_operation(text)
    if operation is None:
        raise OperandError(name)
    if returns:
        old = _rows(operands.pop(0))
    address, data = operands[0], operands[1]
    values, compare = _rows(data), "NULL"
    if operation.startswith(("A_CMPSWAP", "A_MSKOR")):
        values, compare = _rows(operands[2]), _rows(data)
    return f"atomic_lds(w, {operation}, {old}, {_rows(address)}, {values}, {compare}, {offset});"


def _ds_operation(text: str) -> str | None:
    if text in {"add_f32", "min_f32", "max_f32", "add_f64", "min_f64", "max_f64", "pk_add_f16", "pk_add_bf16"}:
        return f"A_{text.upper()}"
    m = re.match(r"(cmpst|mskor)_([bf])(32|64)$", text)
    if m:
        kind = "MSKOR" if m[1] == "mskor" else "CMPSWAP"
        return f"A_{kind}{'_F' if m[2] == 'f' else ''}{m[3]}"
    size = text[-2:]
    return f"A_{DS_ATOMICS[text[:-2]]}{size}" if text[:-2] in DS_ATOMICS and size in {"32", "64"} else None
