"""PTX text -> its instructions: predicate, opcode, operands; declarations of registers; blocks.

Grammar: PTX ISA 8.5, chapters 4 and 5; as far as inline assembly uses it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_REG = re.compile(r"\.reg\s+(?:\.v[24]\s+)?\.(\w+)\s+(.*)", re.DOTALL)
_NAMED = re.compile(r"([\w$%]+?)(?:<(\d+)>)?")
_GUARD = re.compile(r"@\s*(!?)\s*([\w$%]+)\s+")
_LABEL = re.compile(r"[\w$%]+\s*:(?!:)")
_OPCODE = re.compile(r"[A-Za-z][\w.:]*")
_AMD = re.compile(r"(?:^|[\n;{])\s*(?:[sv]_[a-z]\w+|ds_\w+|(?:global|flat|buffer|scratch)_(?:load|store|atomic)\w*)")
# Mnemonics of PTX (chapter 9); one that other assemblers have too counts only with a type or a state space.
_MNEMONICS = frozenset(
    """abs activemask add addc and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx call
    clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit fence
    fma fns getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max
    mbarrier membar min mma mov movmatrix mul mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu
    prmt rcp red redux rem ret rsqrt sad selp set setctarank setmaxnreg setp shf shfl shl shr sin slct sqrt st
    stackrestore stacksave stmatrix sub subc suld suq sured sust szext tanh tcgen05 tensormap testp tex tld4 trap
    txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4 vote
    vset vset2 vset4 vshl vshr vsub vsub2 vsub4 wgmma wmma xor""".split()  # noqa: SIM905  a list of 130 literals says no more
)
_BARE = frozenset({"trap", "brkpt", "exit", "bra", "pmevent"})
_PTX_PART = re.compile(
    r"\.(?:[usbf](?:8|16|32|64|128)|(?:b|t)f(?:16|32)(?:x2)?|f16x2|pred|sync|async|approx|global|shared|local|const|gl|cta|sys|gpu"
    r"|bulk|tensormap|try_cancel|query_cancel|acq_rel|sc|proxy|L1|L2|warp|commit_group|wait_group|wait_all|aligned|arrive|launch_dependents|wait|cluster|[a-z_]+::\w+)"
)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction. `guard` is the predicate's name, `negated` whether it must be false; `operands` as written."""

    opcode: str
    operands: tuple[str, ...]
    guard: str = ""
    negated: bool = False

    def __str__(self) -> str:
        guard = f"@{'!' if self.negated else ''}{self.guard} " if self.guard else ""
        return f"{guard}{self.opcode} {', '.join(self.operands)}".rstrip()


@dataclass(frozen=True, slots=True)
class Register:
    """A register that the text declares; `kind` is its PTX type without the dot."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Other:
    """What is neither: a brace, a label, a directive."""

    text: str


Piece = Instruction | Register | Other


def is_amd(template: str) -> bool:
    """Whether an asm template has instructions of an AMD GPU."""
    return _AMD.search(template) is not None


def is_ptx(template: str) -> bool:
    """Whether an asm template is PTX rather than some other machine's assembly, or nothing at all."""
    text = _COMMENT.sub(" ", template.replace("%%", "%"))
    if is_amd(text):
        return False
    if re.search(r"\.reg\s+(?:\.v[24]\s+)?\.(?:pred|[usbf]\d)", text):
        return True
    for statement in re.split(r"[;{}\n]", text):
        found = _OPCODE.match(_GUARD.sub("", _LABEL.sub("", statement, count=1).strip() + " "))
        if found is None:
            continue
        base, dot, rest = found.group().partition(".")
        if base in _MNEMONICS and (_PTX_PART.search(dot + rest) if dot else base in _BARE):
            return True
    return False


def parse(template: str) -> tuple[Piece, ...]:
    """The pieces of a PTX text in order."""
    text = " ".join(_COMMENT.sub(" ", template.replace("%%", "%")).split())
    found: list[Piece] = []
    for statement in _statements(text):
        found += _piece(statement)
    return tuple(found)


def _statements(text: str) -> list[str]:
    """The text cut at semicolons and at braces that stand where a statement may begin."""
    found: list[str] = []
    start, depth, at = 0, 0, 0
    while at < len(text):
        char = text[at]
        head = text[start:at].strip()
        if char == "{" and not head:
            found.append("{")
            start = at + 1
        elif char == "}" and not depth and not head:
            found.append("}")
            start = at + 1
        elif char in "{[(":
            depth += 1
        elif char in "}])":
            depth -= 1
        elif char == ";" and depth <= 0:
            found.append(head)
            start, depth = at + 1, 0
        at += 1
    found.append(text[start:].strip())
    return [s for s in found if s]


def _piece(statement: str) -> list[Piece]:
    if statement in "{}":
        return [Other(statement)]
    declared = _REG.fullmatch(statement)
    if declared:
        return list(_registers(declared.group(1), declared.group(2)))
    label = _LABEL.match(statement)
    if label and "::" not in statement[: label.end() + 1]:
        rest = statement[label.end() :].strip()
        return [Other(label.group()), *(_piece(rest) if rest else ())]
    guard = _GUARD.match(statement)
    body = statement[guard.end() :] if guard else statement
    opcode = _OPCODE.match(body)
    if opcode is None or body.startswith("."):
        return [Other(statement)]
    operands = _split(body[opcode.end() :])
    return [Instruction(opcode.group(), operands, guard.group(2) if guard else "", bool(guard and guard.group(1)))]


def _registers(kind: str, names: str) -> list[Register]:
    found: list[Register] = []
    for part in names.split(","):
        match = _NAMED.fullmatch(part.strip())
        if match is None:
            continue
        count = match.group(2)
        each = [match.group(1)] if count is None else [f"{match.group(1)}{i}" for i in range(int(count))]
        found += [Register(name, kind) for name in each]
    return found


def _split(text: str) -> tuple[str, ...]:
    """Operands at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in "{[(":
            depth += 1
        elif char in "}])":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    parts.append(text[start:].strip())
    return tuple(parts) if parts != [""] else ()
