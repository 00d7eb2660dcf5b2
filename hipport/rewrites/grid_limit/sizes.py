"""Sizes of launches: expressions of host code with its local variables, helpers and macros put in."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hipport.rewrites.grid_limit import size
from hipport.rewrites.grid_limit.expression import DEPTH, HOLDS, ROOMS, SIZED, TYPE, Reader, cast_of, plain, split
from hipport.rewrites.grid_limit.size import HELD, INT, UNKNOWN, WIDE, Size

if TYPE_CHECKING:
    from hipport.frontend.macros import Macros
    from hipport.frontend.text import CodeText

_QUOTIENT = re.compile(
    r"ceil|div|round_?up|(?:num|n|calc|get|x|for)_?\w*blocks?|blocks?_?(?:count|for|num)|grid_?size|grids?_?for|get_?grid",
    re.IGNORECASE,
)
COUNTS_BLOCKS = re.compile(r"block|grid|tile|cta", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of the code from `start` up to a launch; `text` and `macros` are those of its file."""

    text: CodeText
    macros: Macros
    start: int

    def of(self, expression: str, at: int, depth: int = 0) -> Size:
        """What an expression at an offset comes to."""
        if depth > DEPTH or len(expression) > 2000:
            return UNKNOWN
        reader = Reader(self, expression, at, depth)
        found = reader.choice()
        return found if reader.done() else UNKNOWN

    def parts(self, expression: str, at: int) -> tuple[Size, Size, Size]:
        """The three numbers of a grid or a block."""
        found = [self.of(piece, at) for piece in self.pieces(expression, at)[:3]]
        x, y, z = (*found, size.number(1), size.number(1), size.number(1))[:3]
        return x, y, z

    def pieces(self, expression: str, at: int) -> list[str]:
        """The texts of the dimensions of a grid or a block; a `dim3` variable is looked up, also by its members."""
        plain = expression.strip()
        wrapped = re.fullmatch(r"dim3\s*[({](.*)[)}]|\{(.*)\}", plain, re.DOTALL)
        if wrapped:
            inner = wrapped[1] if wrapped[1] is not None else wrapped[2]
            return split(inner)
        if not re.fullmatch(r"[A-Za-z_]\w*", plain):
            return [plain]
        opening = self._dim3(plain, at)
        if opening is None:
            return [plain]
        place, inner = opening
        pieces = (self.pieces(inner, place) if inner.startswith(("dim3", "{")) else split(inner)) if inner else []
        pieces = [*pieces, "1", "1", "1"][:3]
        for index, member in enumerate("xyz"):
            given = self._given(f"{plain}.{member}", at)
            if given is not None and given[0] > place:
                pieces[index] = given[1]
        return pieces

    def _dim3(self, name: str, at: int) -> tuple[int, str] | None:
        """Where a `dim3` variable is declared and what it is set to."""
        word = re.escape(name.encode())
        declared = re.compile(rb"\bdim3\s+(?:const\s+)?(?:[^;{}]*?[,)]\s*)?" + word + rb"\s*(?:([({=])|[;,])")
        auto = re.compile(rb"\bauto\s+(?:const\s+)?" + word + rb"\s*(=)\s*dim3\b")
        found = [*declared.finditer(self.text.code, self.start, at), *auto.finditer(self.text.code, self.start, at)]
        if not found:
            return None
        last = max(found, key=lambda m: m.start())
        if last.group(1) is None:
            return last.start(), ""
        if last.group(1) == b"=":
            stop = self.text.code.find(b";", last.end())
            return last.start(), self.text.word(last.end(1), stop).strip()
        close = self.text.close(last.start(1))
        return last.start(), self.text.word(last.start(1) + 1, close) if close > 0 else ""

    def _given(self, name: str, at: int) -> tuple[int, str] | None:
        """The last place before an offset where a variable is given a value, and that value."""
        word = rb"\s*\.\s*".join(re.escape(part.encode()) for part in name.split("."))
        given = re.compile(rb"(?<![\w.>])" + word + rb"\s*(?:=(?!=)\s*([^;]*?)\s*(?:;|,\s*\w+\s*=)|([({])(?=[^;]*;))")
        last = None
        for match in given.finditer(self.text.code, self.start, at):
            if match.group(1) is not None:
                last = match.start(), match.group(1).decode("utf-8", "replace")
            elif re.search(
                TYPE.encode() + rb"\s+(?:const\s+)?\Z", self.text.code[max(0, match.start() - 60) : match.start()]
            ):
                close = self.text.close(match.start(2))
                last = (match.start(), self.text.word(match.start(2) + 1, close)) if close > 0 else last
        return last

    def text_of(self, expression: str, at: int) -> str:
        """An expression, or where it is a variable the one that this is set to last."""
        given = self._given(expression, at) if re.fullmatch(r"[A-Za-z_]\w*(?:\.[xyz])?", expression) else None
        return expression if given is None else given[1]

    def variable(self, name: str, at: int, depth: int) -> Size:
        """What a variable comes to at an offset."""
        if HOLDS.search(name):
            return HELD
        room = self._room(name, at)
        checked = self._checked(name, at)
        given = self._given(name, at)
        if given is not None:
            value = self.of(given[1], given[0], depth + 1)
            found = cast_of(value, room) if room is not None else value
            asked = re.search(r"\w\s*(?:\.|->)\s*[A-Za-z_]\w*\s*(?:<[^<>]*>\s*)?\(", given[1])  # a member's answer
            if found.most is None and not found.bounded and room == WIDE and asked and not COUNTS_BLOCKS.search(name):
                found = size.data(name, room)
        elif room is None:
            found = UNKNOWN
        else:
            found = size.data(name, room)
        found = found if checked is None else size.least([found, checked])
        return replace(found, names=found.names | {name})

    def _room(self, name: str, at: int) -> int | None:
        """The room of the type that a variable or a parameter is declared with; None where none shows or it is auto."""
        declared = re.compile(
            rb"(?<![\w:<])(?:const\s+)?("
            + TYPE.encode()
            + rb")\s+(?:const\s+)?(?:&\s*)?(?:\w+(?:\s*=[^;,()]*)?\s*,\s*)*"
            + re.escape(name.encode())
            + rb"(?!\w|\s*::)"
        )
        found = list(declared.finditer(self.text.code, self.start, at))
        if not found:
            return None
        last = found[-1]
        spelled = " ".join(last.group(1).decode().split()).rsplit("::", 1)[-1]
        return None if spelled == "auto" else ROOMS.get(spelled)

    def _checked(self, name: str, at: int) -> Size | None:
        """The bound that a check in the code holds a variable to."""
        pattern = re.compile(
            rb"\b\w*(?:CHECK|ASSERT|assert|Assert|ENFORCE|[cC]heck)\w*\s*\(([^;]*?(?<![\w.])"
            + re.escape(name.encode())
            + rb"(?!\w)[^;]*)\)\s*;"
        )
        for match in pattern.finditer(self.text.code, self.start, at):
            said = match.group(1)
            if re.search(rb"int32_t\s*>\s*::\s*max|INT_MAX|2147483647|0x7[fF]{7}\b|<\s*int\s*>\s*::\s*max", said):
                return Size(INT, source=name)
            if re.search(rb"numeric_limits|UINT_MAX|<<\s*3[12]|4294967|0x[fF]{8}|[mM]ax_?[gG]rid|MAX_", said):
                return HELD
        return HELD if self._fills(name, at) else None

    def _fills(self, name: str, at: int) -> bool:
        """Whether a loop up to a variable goes through a local array whose length is a constant."""
        bound = re.escape(name.encode())
        head = rb"\bfor\s*\((?:[\w\s:]*\s)?(\w+)\s*=\s*0\s*;\s*\1\s*<\s*" + bound + rb"\s*;[^;{})]*\)\s*(\{)?"
        code = self.text.code
        for match in re.compile(head).finditer(code, self.start, at):
            end = self.text.close(match.start(2)) if match.group(2) else code.find(b";", match.end())
            indexed = rb"(?<![\w.>])(\w+)\s*\[\s*" + match.group(1) + rb"\s*\]"
            for array in set(re.findall(indexed, code[match.end() : max(end, match.end())])):
                declared = rb"[{};,]\s*(?:[\w:<>]+\s+)+" + re.escape(array) + rb"\s*\[\s*(?:\d+|[A-Z][A-Z0-9_]*)\s*\]"
                if re.search(declared, code[self.start : match.start()]):
                    return True
        return False

    def call(self, name: str, arguments: list[str], at: int, depth: int) -> Size:
        """What a call comes to."""
        last = name.rsplit("::", 1)[-1]
        if last in ROOMS and len(arguments) == 1:
            return cast_of(self.of(arguments[0], at, depth + 1), ROOMS[last])
        if last in ("min", "fmin", "fminf", "MIN", "Min"):
            return size.least([self.of(a, at, depth + 1) for a in arguments])
        if last in ("max", "fmax", "fmaxf", "MAX", "Max"):
            return size.greatest([self.of(a, at, depth + 1) for a in arguments])
        if last in ("ceil", "ceilf", "floor", "round", "lround", "abs") and len(arguments) == 1:
            return self.of(arguments[0], at, depth + 1)
        if (last in SIZED and "::" not in name) or last.startswith(
            ("size_to_dim", "size_from_dim", "multiply_integers")
        ):
            return size.data(last + "()", WIDE)
        if HOLDS.search(name) or last in self.macros.bounding:
            return HELD
        inside = self._helper(last, arguments, at, depth)
        if inside is not None:
            return inside
        if _QUOTIENT.search(last) and len(arguments) == 2:
            numerator, divisor = (self.of(a, at, depth + 1) for a in arguments)
            return size.quotient(numerator, divisor, plain(arguments[1]))
        return UNKNOWN

    def _helper(self, name: str, arguments: list[str], at: int, depth: int) -> Size | None:
        """A helper or macro of this file with the arguments put in; None where there is none that is one expression."""
        word = re.escape(name.encode())
        macro = re.search(rb"#[ \t]*define[ \t]+" + word + rb"\(([^)]*)\)((?:[^\n\\]|\\\r?\n|\\.)*)", self.text.code)
        if macro:
            parameters, body = macro.group(1), macro.group(2).replace(b"\\\n", b" ").replace(b"\\\r\n", b" ")
        else:
            function = re.search(
                rb"[\w>&]\s+" + word + rb"\s*\(([^;{}()]*)\)\s*(?:noexcept\s*|const\s*)*\{", self.text.code
            )
            close = self.text.close(function.end() - 1) if function else -1
            if function is None or close < 0:
                return None
            parameters, body = function.group(1), self.text.code[function.end() : close]
            returned = re.search(rb"\A\s*(?:\w[^;]*;\s*)*return\b([^;]*);\s*\Z", body)
            if HOLDS.search(body.decode("utf-8", "replace")) or re.search(rb"\bmin\b|\bif\b", body):
                return HELD
            if returned is None:
                return UNKNOWN
            body = returned.group(1)
        names = [part.strip() for part in parameters.decode("utf-8", "replace").split(",")]
        if len(names) != len(arguments):
            return None
        return self.of(_filled(body.decode("utf-8", "replace"), names, arguments), at, depth + 1)


def _filled(body: str, parameters: list[str], arguments: list[str]) -> str:
    """A helper's expression with its arguments in place; each is put into the type of its parameter."""
    for parameter, argument in zip(parameters, arguments, strict=True):
        declared = re.fullmatch(
            r"(?:const\s+)?(?P<type>[\w:\s]+?[\s&]+)?(?:const\s+)?(?P<name>\w+)(?:\s*=.*)?", parameter
        )
        if declared is None:
            continue
        spelled = " ".join((declared["type"] or "").replace("&", " ").split()).rsplit("::", 1)[-1]
        put = f"({argument})" if ROOMS.get(spelled) is None else f"{spelled.replace(' ', '_')}_cast({argument})"
        if " " not in spelled and spelled in ROOMS:
            put = f"{spelled}({argument})"
        elif spelled in ROOMS:
            put = f"(({spelled})({argument}))"
        body = re.sub(rf"(?<![\w.>]){re.escape(declared['name'])}(?!\w)", put.replace("\\", "\\\\"), body)
    return body
