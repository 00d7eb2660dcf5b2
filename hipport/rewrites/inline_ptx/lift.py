"""PTX instructions of one asm statement -> the C++ statement that stands for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipport.frontend.ptx import Instruction, Register, parse
from hipport.model import Safety
from hipport.rewrites.inline_ptx.canonical import canonical
from hipport.rewrites.inline_ptx.table import C_TYPES, Match, candidates
from hipport.rewrites.inline_ptx.values import (
    CONSTANTS,
    CONSTRAINTS,
    NUMBER,
    UnliftableError,
    as_register,
    converted,
    special,
)

if TYPE_CHECKING:
    from hipport.frontend.asm import AsmStatement, Operand
    from hipport.frontend.ptx import Piece
    from hipport.rewrites.inline_ptx.table import OperandForm

_SIMPLE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->|::)\w+)*|\d\w*")
_FIELD = re.compile(r"\{(\w+)(!w)?\}")
_BOUND = re.compile(r"%(?:(\d+)|\[(\w+)\])")
_ADDRESSED = re.compile(r"hipport::(?:shared_pointer|vector)<")  # what the lifter itself writes
_VECTORS = ("hipport::store", "hipport::atomic_", "(void)hipport::atomic_")  # take a vector as one argument
_COMPILER_FENCE = "__atomic_signal_fence(__ATOMIC_SEQ_CST);"
_ORDERING = frozenset({"membar", "fence", "bar", "barrier", "trap", "exit", "brkpt", "nanosleep"})


@dataclass(frozen=True, slots=True)
class Lifted:
    """A C++ statement without its semicolon, the shims that it needs, and what a person must look at."""

    text: str
    shims: tuple[str, ...] = ()
    safety: Safety = Safety.SAFE
    note: str = ""


@dataclass(slots=True)
class _Names:
    """What the operands of a text mean: bound expressions and declared registers; each with its C type."""

    operands: tuple[Operand, ...]
    block: bool
    registers: dict[str, tuple[str, str]] = field(default_factory=dict)

    def bound(self, text: str) -> int:
        """The number of the asm operand that `%0` or `%[name]` is; -1 if it is none."""
        found = _BOUND.fullmatch(text)
        if found is None:
            return -1
        number = int(found.group(1)) if found.group(1) else self._number(found.group(2))
        if not 0 <= number < len(self.operands):
            raise UnliftableError(f"`{text}` is not bound")
        return number

    def _number(self, name: str) -> int:
        return next((i for i, o in enumerate(self.operands) if o.name == name), -1)

    def value(self, text: str) -> tuple[str, str]:
        """The C++ for an operand and its C type; `imm` for a constant."""
        number = self.bound(text)
        if number >= 0:
            operand = self.operands[number]
            if operand.constraint in CONSTANTS:
                return f"({operand.text})", "imm"
            kind = CONSTRAINTS.get(operand.constraint)
            if kind is None:
                raise UnliftableError(f'the constraint "{operand.constraint}"')
            return (f"hipport_{number}", kind) if self.block else (f"({operand.text})", "?" + kind)
        if text in self.registers:
            return self.registers[text]
        if NUMBER.fullmatch(text):
            return text.replace("U", "u"), "imm"
        if re.fullmatch(r"0[fF][0-9a-fA-F]{8}", text):
            return f"__uint_as_float(0x{text[2:]}u)", "float"
        if re.fullmatch(r"0[dD][0-9a-fA-F]{16}", text):
            return f"__longlong_as_double(0x{text[2:]}ll)", "double"
        if re.fullmatch(r"[-+]?\d+\.\d*(?:[eE][-+]?\d+)?", text):
            return text, "double"
        raise UnliftableError(f"`{text}` is not known")


def lift(asm: AsmStatement) -> Lifted:
    """The statement that stands for an asm statement.

    Raises:
        UnliftableError: there is none; its message says why.
    """
    pieces = _checked(parse(asm.template))
    instructions = [p for p in pieces if isinstance(p, Instruction)]
    block = len(instructions) != 1 or bool(instructions[0].guard) or not _direct(asm, instructions[0])
    names = _Names(asm.operands, block)
    lines, matches = _lines(pieces, names)
    _check_carries([m.rule.carry for m in matches if m.rule.carry])
    text = _block(asm, lines) if block else lines[0]
    if "memory" in asm.clobbers and any(i.opcode.partition(".")[0] not in _ORDERING for i in instructions):
        whole = text.startswith("do { ")
        inner = text.removeprefix("do { ").removesuffix(" } while (0)") if whole else f"{text};"
        text = f"do {{ {_COMPILER_FENCE} {inner} {_COMPILER_FENCE} }} while (0)"
    wanted = [name for m in matches for name in m.rule.shims]
    if _ADDRESSED.search(text):
        wanted.append("ptx_memory")
    shims = tuple(dict.fromkeys(wanted))
    review = [m.rule for m in matches if m.rule.safety is not Safety.SAFE]
    note = "; ".join(dict.fromkeys(r.note for r in review))
    return Lifted(text, shims, Safety.REVIEW if review else Safety.SAFE, note)


def _checked(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    for piece in pieces:
        if not isinstance(piece, (Instruction, Register)) and piece.text not in "{}":
            raise UnliftableError(f"`{piece.text}` is control flow")
    if not any(isinstance(p, Instruction) for p in pieces):
        raise UnliftableError("it holds no instruction")
    return pieces


def _direct(asm: AsmStatement, instruction: Instruction) -> bool:
    """Whether the operands can stand in one expression: none with effects of its own comes up twice."""
    used = _BOUND.findall(" ".join(instruction.operands))
    twice = {u for u in used if used.count(u) > 1}
    texts = [asm.operands[int(n)].text for n, _ in twice if n and int(n) < len(asm.operands)]
    return all(_SIMPLE.fullmatch(t) for t in texts)


def _lines(pieces: tuple[Piece, ...], names: _Names) -> tuple[list[str], list[Match]]:
    lines: list[str] = []
    matches: list[Match] = []
    for piece in pieces:
        if isinstance(piece, Register):
            kind = C_TYPES.get(piece.kind)
            if kind is None:
                raise UnliftableError(f"registers of type .{piece.kind}")
            known = re.sub(r"\W", "", piece.name)
            names.registers[piece.name] = (f"hipport_{known}", kind)
            lines.append(f"{kind} hipport_{known} = {{}};")
        elif isinstance(piece, Instruction):
            match, text = _instruction(piece, names)
            matches.append(match)
            if piece.guard:
                guard, kind = names.value(piece.guard)
                if kind != "bool":
                    raise UnliftableError(f"`{piece.guard}` is no predicate")
                text = f"if ({'!' if piece.negated else ''}{guard}) {{ {text}; }}"
            else:
                text += ";" if names.block else ""
            lines.append(text)
    return lines, matches


def _instruction(instruction: Instruction, names: _Names) -> tuple[Match, str]:
    """The row that an instruction has, and its C++."""
    reasons = [special(instruction, names.registers)]
    for match in candidates(canonical(instruction)):
        if match.rule.flag:
            raise UnliftableError(match.rule.flag)
        try:
            return match, _statement(match, names)
        except UnliftableError as error:
            reasons.append(str(error))
    none = f"`{instruction.opcode}` has no counterpart in rules/ptx.yaml"
    raise UnliftableError(next((reason for reason in reasons if reason), none))


def _statement(match: Match, names: _Names) -> str:
    values: dict[str, str] = {}
    targets: list[tuple[str, str, OperandForm]] = []
    for form, text in zip(match.rule.operands, match.instruction.operands, strict=True):
        if form.kind == "exact":
            _exact(form.text, text, names)
        elif form.kind == "address":
            values[form.name] = _address(text, match, names)
        elif form.name.startswith("d"):
            targets.append((text, C_TYPES[match.type_of(form.type)], form))
        elif form.kind == "vector":
            kind = match.type_of(form.type)
            parts = [converted(*names.value(p), C_TYPES[kind]) for p in _elements(text, match)]
            values[form.name] = ", ".join(parts)
            if match.rule.hip.startswith(_VECTORS):
                values[form.name] = f"hipport::vector<{C_TYPES[kind]}, {len(parts)}>{{{values[form.name]}}}"
        else:
            values[form.name] = converted(*names.value(text), C_TYPES[match.type_of(form.type)])
    hip = _FIELD.sub(lambda m: _filled(m, match, values), match.rule.hip)
    return _assigned(hip, targets, match, names)


def _filled(found: re.Match[str], match: Match, values: dict[str, str]) -> str:
    name = found.group(1)
    if name in values:
        return values[name]
    return match.groups[name] if found.group(2) else match.word(name)


def _exact(wanted: str, given: str, names: _Names) -> None:
    """An operand that the row spells out: the same word, or the same number."""
    if given == wanted:
        return
    shown = names.value(given)[0].strip("()") if not given.startswith("%") or names.bound(given) >= 0 else given
    if not (NUMBER.fullmatch(shown) and NUMBER.fullmatch(wanted) and int(shown.rstrip("uU"), 0) == int(wanted, 0)):
        raise UnliftableError(f"`{given}` where only `{wanted}` has a counterpart")


def _elements(text: str, match: Match) -> list[str]:
    parts = [p.strip() for p in text.strip("{} ").split(",")] if text.startswith("{") else []
    wanted = int(match.groups.get("n", 0)) or len(parts)
    if not parts or len(parts) != wanted:
        raise UnliftableError(f"`{text}` is no vector of {wanted or 'registers'}")
    return parts


def _address(text: str, match: Match, names: _Names) -> str:
    """A typed pointer for `[a]`, `[a+n]`, or `a`."""
    found = re.fullmatch(r"\[?\s*([%\w$]+|%\[\w+\])\s*(?:\+\s*(-?\w+)|(-\s*\w+))?\s*\]?", text)
    if found is None:
        raise UnliftableError(f"the address `{text}`")
    base, kind = names.value(found.group(1))
    offset = (found.group(2) or found.group(3) or "").replace(" ", "")
    if offset and not NUMBER.fullmatch(offset):
        raise UnliftableError(f"the offset of `{text}`")
    element = C_TYPES[match.groups["t"]] if "t" in match.groups else "char"
    if match.groups.get("space") == "shared" or match.rule.shims == ("async_copy",):
        if match.rule.shims == ("async_copy",) and match.instruction.operands.index(text) == 1:
            return f"({element} *){base}" if not offset else f"({element} *)((char *){base} + {offset})"
        if kind.lstrip("?") not in ("unsigned", "unsigned long long"):
            raise UnliftableError(f"the address `{text}`")
        whole = base if not offset else f"({base} + {offset})"
        return f"hipport::shared_pointer<{element}>({whole})"
    if kind.lstrip("?") != "unsigned long long":
        raise UnliftableError(f"the address `{text}` has {kind.lstrip('?')} bits of a type that is no pointer")
    return f"({element} *){base}" if not offset else f"({element} *)((char *){base} + {offset})"


def _assigned(hip: str, targets: list[tuple[str, str, OperandForm]], match: Match, names: _Names) -> str:
    if not targets:
        return hip
    (text, kind, form), *_ = targets
    if form.kind == "value":
        return _one(text, hip, kind, names)
    lines = [f"const auto hipport_v = {hip};"]
    if form.kind == "pair":
        value, bar, flag = (part.strip() for part in text.partition("|"))
        if not bar:
            raise UnliftableError(f"`{text}` is no value with a predicate")
        lines += [_one(value, "hipport_v[0]", kind, names) + ";"] if value != "_" else []
        lines += [_one(flag, "(hipport_v[1] != 0)", "bool", names) + ";"] if flag != "_" else []
    else:
        parts = _elements(text, match)
        lines += [_one(p, f"hipport_v[{i}]", kind, names) + ";" for i, p in enumerate(parts) if p != "_"]
    return f"{{ {' '.join(lines)} }}" if names.block else f"do {{ {' '.join(lines)} }} while (0)"


def _one(text: str, value: str, kind: str, names: _Names) -> str:
    number = names.bound(text)
    if number >= 0:
        operand = names.operands[number]
        have = CONSTRAINTS.get(operand.constraint)
        if have is None or not operand.written:
            raise UnliftableError(f"`{text}` cannot be written")
        target = f"hipport_{number}" if names.block else operand.text
    elif text in names.registers:
        target, have = names.registers[text]
    else:
        raise UnliftableError(f"`{text}` is not known")
    return f"{target} = {as_register(value, kind, have)}"


def _block(asm: AsmStatement, lines: list[str]) -> str:
    """The lines between copies of the operands: what is read is read once, before anything is written."""
    before, after = [], []
    for number, operand in enumerate(asm.operands):
        kind = CONSTRAINTS.get(operand.constraint)
        if operand.constraint in CONSTANTS:
            continue
        if kind is None:
            raise UnliftableError(f'the constraint "{operand.constraint}"')
        start = f"({kind})({operand.text})" if operand.read else "{}"
        before.append(f"{kind} hipport_{number} = {start};")
        if operand.written:
            after.append(f"{operand.text} = hipport_{number};")
    carry = ["unsigned hipport_carry = 0u;"] if any("hipport_carry" in line for line in lines) else []
    return f"do {{ {' '.join([*before, *carry, *lines, *after])} }} while (0)"


def _check_carries(uses: list[str]) -> None:
    """A carry must be made and used within the text: the next asm statement does not see it."""
    if not uses:
        return
    if uses[0] != "out":
        raise UnliftableError("it uses the carry of another asm statement: put the chain into one, or use 64-bit sums")
    if uses[-1] != "in":
        raise UnliftableError("another asm statement may use its carry: put the chain into one, or use 64-bit sums")
