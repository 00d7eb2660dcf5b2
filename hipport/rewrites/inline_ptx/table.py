"""rules/ptx.yaml: what each PTX instruction becomes, and which row an instruction has. The format is told there."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hipport.errors import DataError
from hipport.model import Safety
from hipport.resources import data_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipport.frontend.ptx import Instruction

C_TYPES = {
    **dict.fromkeys(("u8", "b8"), "unsigned char"),
    **dict.fromkeys(("u16", "b16", "f16", "bf16"), "unsigned short"),
    **dict.fromkeys(("u32", "b32", "f16x2", "bf16x2", "tf32"), "unsigned"),
    **dict.fromkeys(("u64", "b64", "f32x2"), "unsigned long long"),
    "s8": "signed char",
    "s16": "short",
    "s32": "int",
    "s64": "long long",
    "f32": "float",
    "f64": "double",
    "pred": "bool",
    "imm": "imm",
}
_FIELDS = frozenset({"ptx", "hip", "shim", "code", "safety", "note", "flag", "carry"})
_WORDS = {
    "o": {w: f"__ATOMIC_{w.upper()}" for w in ("relaxed", "acquire", "release", "acq_rel")},
    "s": {
        "cta": "__HIP_MEMORY_SCOPE_WORKGROUP",
        "cluster": "__HIP_MEMORY_SCOPE_AGENT",
        "gpu": "__HIP_MEMORY_SCOPE_AGENT",
        "sys": "__HIP_MEMORY_SCOPE_SYSTEM",
    },
    "c": {
        "eq": "==",
        "ne": "!=",
        "lt": "<",
        "le": "<=",
        "gt": ">",
        "ge": ">=",
        "lo": "<",
        "ls": "<=",
        "hi": ">",
        "hs": ">=",
    },
}


@dataclass(frozen=True, slots=True)
class OperandForm:
    """One operand of a row. `kind`: value, pair (`d|q`: with a predicate), address, vector, exact (as in `text`)."""

    name: str
    type: str
    kind: str = "value"
    text: str = ""


@dataclass(frozen=True, slots=True)
class PtxRule:
    """One row. `carry` is in, out or both for what uses the carry flag; `flag` the reason why there is no `hip`."""

    ptx: str
    opcode: re.Pattern[str]
    operands: tuple[OperandForm, ...]
    hip: str
    shims: tuple[str, ...]
    code: str
    safety: Safety
    note: str
    flag: str
    carry: str

    def match(self, instruction: Instruction) -> Match | None:
        """How the instruction fits the row; None if it does not."""
        found = self.opcode.fullmatch(instruction.opcode)
        if found is None:
            return None
        if not self.flag and len(instruction.operands) != len(self.operands):
            return None
        return Match(self, instruction, {k: v for k, v in found.groupdict().items() if v is not None})


@dataclass(frozen=True, slots=True)
class Match:
    """A row and the words that its groups stand for."""

    rule: PtxRule
    instruction: Instruction
    groups: Mapping[str, str]

    def type_of(self, name: str) -> str:
        """The PTX type that a row's type name means here."""
        return self.groups.get(name, name)

    def word(self, name: str) -> str:
        """What a group's name stands for in the C++: an order, a scope, a comparison, a C type, or the word itself."""
        word = self.groups[name]
        if name in _WORDS and word in _WORDS[name]:
            return _WORDS[name][word]
        return C_TYPES.get(word, word)


@functools.cache
def rules() -> tuple[PtxRule, ...]:
    """The rows of rules/ptx.yaml, in their order.

    Raises:
        DataError: a row does not fit; with its number.
    """
    import yaml

    path = data_dir("rules") / "ptx.yaml"
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        rows: Any = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506  safe either way
    except yaml.YAMLError as error:
        raise DataError(f"no YAML: {error}", where=str(path)) from error
    found: list[PtxRule] = []
    for number, row in enumerate(rows["rules"], 1):
        found += [_row(one, f"{path}, row {number}") for one in _spelled(row)]
    return tuple(found)


def _spelled(row: Any) -> list[Any]:
    """A row whose registers have a choice in their name as one row for each."""
    opcode, space, operands = str(row.get("ptx", "")).partition(" ")
    choice = re.search(r"<(\w+):([^>]*)>", operands)
    if choice is None:
        return [row]
    name, words = choice.group(1), choice.group(2).split("|")
    text = [operands.replace(choice.group(), word) for word in words]
    filled = [str(row["hip"]).replace(f"{{{name}}}", word) for word in words]
    return [row | {"ptx": opcode + space + t, "hip": h} for t, h in zip(text, filled, strict=True)]


@functools.cache
def _by_base() -> dict[str, tuple[PtxRule, ...]]:
    found: dict[str, list[PtxRule]] = {}
    for rule in rules():
        base = re.split(r"[.\[<* ]", rule.ptx, maxsplit=1)[0]
        found.setdefault(base, []).append(rule)
    return {base: tuple(several) for base, several in found.items()}


def candidates(instruction: Instruction) -> list[Match]:
    """The rows that the opcode and the number of operands fit, in the table's order."""
    base = instruction.opcode.partition(".")[0]
    known = _by_base()
    near = [*known.get(base, ()), *(known["v"] if base.startswith("v") and base != "vote" else ())]
    return [match for rule in near if (match := rule.match(instruction)) is not None]


def _row(row: Any, where: str) -> PtxRule:
    if not isinstance(row, dict) or set(row) - _FIELDS or ("hip" in row) == ("flag" in row) or "ptx" not in row:
        raise DataError(f"a row has ptx, code, and either hip or flag: {row}", where=where)
    opcode, _, operands = row["ptx"].partition(" ")
    shims = row.get("shim", ())
    return PtxRule(
        row["ptx"],
        re.compile(_opcode(opcode)),
        tuple(_operand(part) for part in _split(operands)),
        row.get("hip", ""),
        (shims,) if isinstance(shims, str) else tuple(shims),
        row["code"],
        Safety(row.get("safety", "safe")),
        row.get("note", ""),
        row.get("flag", ""),
        row.get("carry", ""),
    )


def _opcode(text: str) -> str:
    if text.endswith("*"):
        return re.escape(text[:-1]) + r"(?:[.\d].*)?" if text != "v*" else r"v\w+(?:\..*)?"
    parts = []
    for match in re.finditer(r"<(\w+):([^>]*)>|\[([^\]]*)\]|([^<\[]+)", text):
        name, choices, optional, plain = match.groups()
        if name:
            parts.append(f"(?P<{name}>{'|'.join(map(re.escape, choices.split('|')))})")
        elif optional:
            parts.append(f"(?:{re.escape(optional)})?")
        else:
            parts.append(re.escape(plain))
    return "".join(parts)


def _split(text: str) -> list[str]:
    return [part.strip() for part in re.split(r",(?![^{]*\})", text) if part.strip()]


def _operand(text: str) -> OperandForm:
    if text.startswith("["):
        return OperandForm(text.strip("[]"), "", "address")
    if text.startswith("{"):
        name, _, kind = text.strip("{}").partition(":")
        return OperandForm(name, kind, "vector")
    name, colon, kind = text.partition(":")
    if "|" in name:
        return OperandForm(name, kind, "pair")
    return OperandForm(name, kind) if colon and not text.startswith("%") else OperandForm("", "", "exact", text)
