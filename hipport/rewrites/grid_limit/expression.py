"""Reading one expression of host code: precedence, casts, calls and members."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.rewrites.grid_limit import size
from hipport.rewrites.grid_limit.size import HELD, INT, UNKNOWN, UNSIGNED, WIDE, Size

if TYPE_CHECKING:
    from hipport.rewrites.grid_limit.sizes import Sizes

_TOKEN = re.compile(
    r"\s*(?P<token>(?:\d[\w.']*|\.\d[\w.]*)|[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*|->|<<|>>|<=|>=|==|!=|&&|\|\||\S)"
)
ROOMS = {
    **dict.fromkeys(("int", "int32_t", "signed"), INT),
    **dict.fromkeys(("unsigned", "uint", "uint32_t", "unsigned int", "dim3"), UNSIGNED),
    **dict.fromkeys(("short", "int16_t", "uint16_t", "ushort", "unsigned short"), 2**16 - 1),
    **dict.fromkeys(("size_t", "int64_t", "uint64_t", "ptrdiff_t", "long", "ulong", "index_t", "SymInt"), WIDE),
    **dict.fromkeys(("long long", "unsigned long", "unsigned long long", "long int", "long long int", "auto"), WIDE),
    **dict.fromkeys(("float", "double"), WIDE),
}
TYPE = (
    r"(?:(?:unsigned|signed)\s+(?:long\s+long|long|int|short)|long\s+long(?:\s+int)?|long\s+int|unsigned|signed"
    r"|(?:std::|at::|c10::)?(?:u?int(?:16|32|64)_t|size_t|ptrdiff_t|SymInt)|int|uint|ulong|ushort|short|long|auto|index_t"
    r"|float|double)"
)
_CAST = re.compile(r"\(\s*(?:const\s+)?(" + TYPE + r")\s*\)")
_LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"))
_LAST = ("*", "/", "%")
_COMPARED = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
DEPTH = 12
SIZED = frozenset({"numel", "size", "nbytes", "sizes", "length", "sym_size", "sym_numel"})
HOLDS = re.compile(
    r"(?<![a-z])[cC]ap_|_cap\b|[cC]lamp|\b65535\b|0x[fF]{4}\b|multi_?[pP]rocessor|[sS][mM]_?[cC](?:ou)?nt"
    r"|num(?:ber)?_?(?:[oO]f_?)?[sS][mM]s?\b|(?:num|number|count)_?(?:[oO]f_?)?(?:CUs|cus|[cC]ompute_?[uU]nits)\b|\bSM|[oO]ccupancy"
    r"|[mM]ax_?(?:[gG]rid_?\w*|[bB]locks?|thread_blocks)\b|MAX_\w*(?:GRID|BLOCKS)|get_max_\w*block|max_active|numSMs|sm_?count"
)


def cast_of(found: Size, room: int) -> Size:
    """A size put into a type; `float` and `double` hold any."""
    return size.cast(found, room)


def plain(expression: str) -> str:
    """An expression without casts, brackets and white space, to compare texts by."""
    bare = re.sub(r"static_cast\s*<[^<>]*>|" + _CAST.pattern, "", expression)
    bare = re.sub(r"\b(?:float|double|unsigned|int64_t|size_t|uint32_t|int)\s*(?=\()", "", bare)
    return re.sub(r"[\s()]", "", bare)


def split(text: str) -> list[str]:
    """The parts between commas that stand in no bracket."""
    parts, depth, now = [], 0, ""
    for index, char in enumerate(text):
        if char in "([{" or (char == "<" and re.match(r"<\s*[\w:]+\s*(?:[,>])", text[index:])):
            depth += 1
        elif char in ")]}" or (
            char == ">" and depth > 0 and text[index - 1] != "-" and re.search(r"<\s*[\w:, ]+\Z", now)
        ):
            depth -= 1
        if char == "," and depth == 0:
            parts.append(now)
            now = ""
        else:
            now += char
    return [part.strip() for part in (*parts, now) if part.strip()]


class Reader:
    """Precedence climbing over one expression."""

    def __init__(self, sizes: Sizes, expression: str, at: int, depth: int) -> None:
        self.sizes = sizes
        self.text = expression
        self.place = at
        self.depth = depth
        self.at = 0

    def done(self) -> bool:
        """Whether all was read."""
        return not self.text[self.at :].strip()

    def peek(self) -> str:
        """The next token."""
        found = _TOKEN.match(self.text, self.at)
        return found["token"] if found else ""

    def take(self) -> str:
        """The next token, taken."""
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found["token"]

    def choice(self) -> Size:
        """`a ? b : c` and all that binds tighter."""
        begin = self.at
        condition = self.level(0)
        if self.peek() != "?":
            return condition
        asked = self.text[begin : self.at]
        self.take()
        first = self.choice()
        if self.take() != ":":
            return UNKNOWN
        second = self.choice()
        both = [first, second]
        clamps = re.search(r"[<>]", asked) and any(s.constant for s in both)
        return size.least(both) if clamps and _names(asked) else size.greatest(both)

    def level(self, index: int) -> Size:
        """The operators of one precedence and all that bind tighter."""
        if index == len(_LEVELS):
            return self.product()
        left = self.level(index + 1)
        while self.peek() in _LEVELS[index]:
            operator = self.take()
            right = self.level(index + 1)
            left = _applied(operator, left, right)
        return left

    def product(self) -> Size:
        """Products and quotients."""
        left = self.unary()
        while self.peek() in _LAST:
            operator = self.take()
            begin = self.at
            right = self.unary()
            if operator == "*":
                left = size.times(left, right)
            elif operator == "/":
                left = size.quotient(left, right, plain(self.text[begin : self.at]))
            else:
                left = right if right.most is not None else left
        return left

    def unary(self) -> Size:
        """Signs and casts."""
        cast = _CAST.match(self.text, self.at + len(self.text[self.at :]) - len(self.text[self.at :].lstrip()))
        if cast:
            self.at = cast.end()
            return cast_of(self.unary(), ROOMS.get(" ".join(cast[1].split()).rsplit("::", 1)[-1], WIDE))
        if self.peek() in ("-", "+", "!", "~", "*", "&"):
            operator = self.take()
            value = self.unary()
            return value if operator == "+" else UNKNOWN
        return self.primary()

    def primary(self) -> Size:
        """A number, a name, or what stands in brackets."""
        token = self.take()
        if token == "(":  # noqa: S105
            value = self.choice()
            if self.take() != ")":
                return UNKNOWN
            return self.members("", value)
        if token[:1].isdigit() or token.startswith("."):
            whole = self.sizes.macros.value(token)
            if whole is None and re.fullmatch(r"[\d.]+[fF]?", token):
                whole = int(float(token.rstrip("fF")))
            return UNKNOWN if whole is None else size.number(whole)
        if not re.match(r"[A-Za-z_]", token):
            return UNKNOWN
        return self.named(token)

    def named(self, token: str) -> Size:
        """A name, and a call of it."""
        name = re.sub(r"\s", "", token)
        arguments = re.match(r"\s*<([\w:\s,*]+)>\s*(?=[({])", self.text[self.at :])
        if arguments:
            self.at += arguments.end()
        if self.peek() in ("(", "{"):
            inner = self.bracket()
            if name.endswith("_cast") and arguments:
                value = self.sizes.of(inner, self.place, self.depth + 1)
                room = ROOMS.get(" ".join(arguments[1].split()).rsplit("::", 1)[-1])
                return self.members(name, value if room is None else cast_of(value, room))
            if name == "sizeof":
                folded = self.sizes.macros.value(f"sizeof({inner})")
                return UNKNOWN if folded is None else size.number(folded)
            return self.members(name, self.sizes.call(name, split(inner), self.place, self.depth))
        if self.peek() in (".", "->", "["):
            return self.members(name, None)
        known = self.sizes.macros.value(name)
        if known is not None:
            return size.number(known)
        return self.sizes.variable(name, self.place, self.depth)

    def bracket(self) -> str:
        """The text of the bracket that opens here; past it."""
        opening = self.text.find(self.take(), self.at - 1)
        depth = 0
        for index in range(opening, len(self.text)):
            depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(self.text[index], 0)
            if depth == 0:
                self.at = index + 1
                return self.text[opening + 1 : index]
        self.at = len(self.text)
        return ""

    def members(self, base: str, value: Size | None) -> Size:
        """What follows a value: members, calls of members, indices."""
        if self.peek() not in (".", "->", "["):
            return UNKNOWN if value is None else value
        chain, last, called = base, "", ""
        while self.peek() in (".", "->", "["):
            if self.peek() == "[":
                self.bracket()
                continue
            self.take()
            last = self.take()
            chain += "." + last
            template = re.match(r"\s*<[\w:\s*]+>\s*(?=\()", self.text[self.at :])
            self.at += template.end() if template else 0
            called = "()" if self.peek() == "(" else ""
            if called:
                self.bracket()
        if last in SIZED:
            return size.data(chain + called, WIDE)
        if HOLDS.search(chain):
            return HELD
        if last in ("x", "y", "z") and chain == f"{base}.{last}" and base:
            pieces = self.sizes.pieces(base, self.place)
            if pieces != [base] and self.depth < DEPTH:
                return self.sizes.of(pieces["xyz".index(last)], self.place, self.depth + 2)
        return UNKNOWN


def _names(asked: str) -> bool:
    return re.search(r"[A-Za-z_]", asked) is not None


def _applied(operator: str, left: Size, right: Size) -> Size:
    if operator in _COMPARED:
        return size.number(1)
    if operator == "+":
        return size.plus(left, right)
    if operator == "-":
        return size.minus(left, right)
    if operator in ("<<", ">>") and right.constant and right.most is not None and right.most < 63:
        factor = size.number(1 << right.most)
        return size.times(left, factor) if operator == "<<" else size.quotient(left, factor, "")
    return size.least([left, right]) if operator == "&" else UNKNOWN
