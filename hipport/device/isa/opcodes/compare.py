"""Vector comparisons: 16 conditions over nine types, and classes of floating-point values."""

from __future__ import annotations

_INTEGER = {
    "f": "0",
    "lt": "S0 < S1",
    "eq": "S0 == S1",
    "le": "S0 <= S1",
    "gt": "S0 > S1",
    "ne": "S0 != S1",
    "ge": "S0 >= S1",
    "t": "1",
}
_FLOAT = {
    "f": "0",
    "lt": "S0 < S1",
    "eq": "S0 == S1",
    "le": "S0 <= S1",
    "gt": "S0 > S1",
    "lg": "S0 < S1 || S0 > S1",
    "ge": "S0 >= S1",
    "o": "S0 == S0 && S1 == S1",
    "u": "S0 != S0 || S1 != S1",
    "nge": "!(S0 >= S1)",
    "nlg": "!(S0 < S1 || S0 > S1)",
    "ngt": "!(S0 > S1)",
    "nle": "!(S0 <= S1)",
    "neq": "!(S0 == S1)",
    "nlt": "!(S0 < S1)",
    "tru": "1",
}
_CLASS = {"f32": ("u32", "class32"), "f64": ("u64", "class64"), "f16": ("u16", "class16")}


def table() -> str:
    """The rows, v_cmp_ and v_cmpx_ of each."""
    rows = []
    for prefix in ("v_cmp", "v_cmpx"):
        for kind in ("i16", "u16", "i32", "u32", "i64", "u64"):
            rows += [f"{prefix}_{name}_{kind} | mask | {kind} {kind} | {code}" for name, code in _INTEGER.items()]
        for kind in ("f16", "f32", "f64"):
            rows += [f"{prefix}_{name}_{kind} | mask | {kind} {kind} | {code}" for name, code in _FLOAT.items()]
            raw, function = _CLASS[kind]
            rows.append(f"{prefix}_class_{kind} | mask | {raw} u32 | ({function}(S0) & S1) != 0")
    return "\n".join(rows)
