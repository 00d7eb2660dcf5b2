"""Structures, unions, enumerations and other names of types as text shows them, laid out as both GPUs do (LP64).

What clang sees is surer (instances.py): this is for where it cannot look, and for sizes under another constant.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.frontend.sizes import layout_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from hipport.frontend.text import CodeText

    Folded = Callable[[str, Mapping[str, str]], int | None]  # an expression, and what names in it stand for


@dataclass(frozen=True, slots=True)
class Record:
    """One type's definition: `kind` is struct, union, enum or alias; `body` its members, or what an alias stands for.

    `parameters` are those of its template, each with its default; `aligned` is what it asks for, as text.
    """

    kind: str
    name: str
    body: str
    parameters: tuple[tuple[str, str], ...] = ()
    aligned: tuple[str, ...] = ()


_ALIGN = re.compile(r"(?:alignas|__align__|__builtin_align__)\s*\(([^()]*(?:\([^()]*\))?[^()]*)\)")
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\(([^()]*(?:\([^()]*\))?[^()]*)\)\)")
_ALIGNED = re.compile(r"\s*_*aligned_*\s*\((.*)\)\s*\Z", re.DOTALL)
_HEAD = rb"(?:(?:alignas|__align__|__builtin_align__)\s*\([^;{}]*?\)\s*|__attribute__\s*\(\([^;{}]*?\)\)\s*)*"
_TEMPLATE = re.compile(rb"template\s*<([^;{}()]*)>\s*\Z")
_RECORD = re.compile(
    rb"(?<!\w)(?<!enum )(struct|class|union)\s+(" + _HEAD + rb")([A-Za-z_]\w*)\s*(?:final\s*)?(?::(?!:)([^;{}()]*))?\{"
)
_TYPEDEF_RECORD = re.compile(rb"(?<!\w)typedef\s+(struct|union)\s+(" + _HEAD + rb")(?:[A-Za-z_]\w*\s*)?\{")
_ENUM = re.compile(rb"(?<!\w)enum\s+(?:class\s+|struct\s+)?([A-Za-z_]\w*)\s*(?::(?!:)\s*([\w:\s]+?)\s*)?\{")
_ALIAS = re.compile(rb"(?<!\w)using\s+([A-Za-z_]\w*)\s*=\s*([^;{}()=]+);")
_TYPEDEF = re.compile(rb"(?<!\w)typedef\s+([^;{}()]+?[\s*&>])([A-Za-z_]\w*)\s*;")
_SKIPPED = re.compile(
    r"(?:static|using|typedef|friend|template|static_assert|public|private|protected|constexpr|inline|explicit)\b"
)
_QUALIFIER = re.compile(r"\b(?:const|volatile|typename|struct|class|union|enum|mutable)\b")
_ACCESS = re.compile(r"\b(?:public|private|protected)\s*:(?!:)")
_DECLARED = re.compile(r"(?P<pointer>[*&\s]*)(?P<name>[A-Za-z_]\w*)\s*(?P<dims>(?:\[[^\[\]]*\]\s*)*)\Z")
_FIRST = re.compile(r"(?P<type>.*?[\w>*&])(?P<rest>[\s*&]+[A-Za-z_]\w*\s*(?:\[[^\[\]]*\]\s*)*)\Z", re.DOTALL)
_POINTED = re.compile(r"\(\s*\*\s*[A-Za-z_]\w*\s*(?:\[[^\[\]]*\]\s*)?\)\s*\(")
_NESTED = re.compile(r"(?P<kind>struct|union)\s*(?P<name>[A-Za-z_]\w*)?\s*\{")
_BRACKETED = re.compile(r"\[[^\[\]]*\]|<[^;{}]*>")
_DEPTH = 12
_POINTER = (8, 8)


@functools.lru_cache(maxsize=1024)
def of_text(text: CodeText) -> tuple[Record, ...]:
    """The types that a file defines."""
    return tuple(_read(text))


def collected(texts: Iterable[CodeText]) -> dict[str, Record]:
    """The types of several files by name; a name that means two things is left out."""
    found: dict[str, Record] = {}
    clash: set[str] = set()
    for record in (r for text in texts for r in of_text(text)):
        if found.setdefault(record.name, record) != record:
            clash.add(record.name)
    return {name: record for name, record in found.items() if name not in clash}


def _read(text: CodeText) -> Iterator[Record]:
    code = text.code
    if not re.search(rb"\b(?:struct|class|union|enum|using|typedef)\b", code):
        return
    for match in _RECORD.finditer(code):
        end = text.close(match.end() - 1)
        body = text.word(match.end(), end) if end > 0 and match.group(4) is None else "#"  # bases: not laid out
        after = _ATTRIBUTE.match(text.word(end + 1, end + 80).lstrip()) if end > 0 else None
        head = text.word(*match.span(2)) + (after.group() if after else "")
        kind = "union" if match.group(1) == b"union" else "struct"
        yield Record(kind, _name(match.group(3)), body, _parameters(code, match.start()), _asked(head))
    for match in _TYPEDEF_RECORD.finditer(code):
        end = text.close(match.end() - 1)
        named = re.compile(rb"\s*([A-Za-z_]\w*)\s*;").match(code, end + 1) if end > 0 else None
        if named:
            body = text.word(match.end(), end)
            yield Record(match.group(1).decode(), _name(named.group(1)), body, (), _asked(text.word(*match.span(2))))
    for match in _ENUM.finditer(code):
        yield Record("enum", _name(match.group(1)), _name(match.group(2) or b"int"))
    for match in _ALIAS.finditer(code):
        yield Record("alias", _name(match.group(1)), _name(match.group(2)), _parameters(code, match.start()))
    for match in _TYPEDEF.finditer(code):
        if not match.group(1).lstrip().startswith((b"struct ", b"union ")) or b"*" in match.group(1):
            yield Record("alias", _name(match.group(2)), _name(match.group(1)))


def _name(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").strip()


def _asked(head: str) -> tuple[str, ...]:
    """What alignments a head asks for; `?` for an attribute that changes a layout in another way."""
    asked = [m.group(1) for m in _ALIGN.finditer(head)]
    for match in _ATTRIBUTE.finditer(head):
        found = _ALIGNED.fullmatch(match.group(1))
        asked.append(found.group(1) if found else "?")
    return tuple(asked)


def _parameters(code: bytes, start: int) -> tuple[tuple[str, str], ...]:
    found = _TEMPLATE.search(code, max(0, start - 400), start)
    return named_parameters(_name(found.group(1))) if found else ()


def named_parameters(listed: str) -> tuple[tuple[str, str], ...]:
    """The names of a template's parameters, each with its default or an empty text."""
    parts = (part.partition("=") for part in pieces(listed))
    named = ((re.search(r"([A-Za-z_]\w*)\s*\Z", head.strip()), default.strip()) for head, _, default in parts)
    return tuple((match.group(1), default) for match, default in named if match)


def pieces(listed: str) -> list[str]:
    """The comma-separated parts of a text, brackets of every kind kept whole."""
    parts, depth, now = [], 0, ""
    for char in listed:
        depth += {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}.get(char, 0)
        if char == "," and depth == 0:
            parts.append(now)
            now = ""
        else:
            now += char
    return [*parts, now] if now.strip() or parts else []


class Layouts:
    """Sizes and alignments of types; `fold` gives the value of an expression.

    `bound` is what names stand for: constants, and the parameters of a template.
    """

    def __init__(self, records: Mapping[str, Record], fold: Folded) -> None:
        self.records = records
        self.fold = fold
        self._within: set[str] = set()  # the records that are being laid out

    def of(self, kind: str, bound: Mapping[str, str], depth: int = 0) -> tuple[int, int] | None:
        """Bytes and alignment of a type as it is spelled; None where it is not known."""
        kind = " ".join(_QUALIFIER.sub(" ", kind).split())
        if depth > _DEPTH or not kind:
            return None
        if kind.endswith(("*", "&")):
            return _POINTER
        if kind in bound and bound[kind] != kind:
            return self.of(bound[kind], bound, depth + 1)
        known = layout_of(kind)
        if known is not None:
            return known
        name, _, given = kind.partition("<")
        if given and not given.rstrip().endswith(">"):
            return None
        name = name.rsplit("::", 1)[-1].strip()
        record = self.records.get(name)
        arguments = [part.strip() for part in pieces(given.rstrip()[:-1])]
        if record is None:
            return self._array(arguments, bound, depth) if name == "array" and len(arguments) == 2 else None
        inner = self._bound(record, arguments, bound)
        if inner is None or kind in self._within:
            return None
        self._within.add(kind)
        laid = self._of_record(record, {**bound, **inner}, depth)
        self._within.discard(kind)
        return laid

    def _array(self, arguments: list[str], bound: Mapping[str, str], depth: int) -> tuple[int, int] | None:
        """`std::array<T, N>` and those of other libraries that are like it."""
        element, count = self.of(arguments[0], bound, depth + 1), self.fold(arguments[1], bound)
        return (element[0] * count, element[1]) if element is not None and count is not None and count > 0 else None

    def _bound(self, record: Record, given: list[str], bound: Mapping[str, str]) -> dict[str, str] | None:
        """What the names of a template stand for, in terms that hold anywhere."""
        if len(given) > len(record.parameters):
            return None
        out: dict[str, str] = {}
        for index, (name, default) in enumerate(record.parameters):
            said = given[index] if index < len(given) else ""
            text = said or default
            if not text:
                return None
            around = bound if said else {**bound, **out}
            value = self.fold(text, around)
            out[name] = str(value) if value is not None else _spelled(text, around)
        return out

    def _of_record(self, record: Record, bound: Mapping[str, str], depth: int) -> tuple[int, int] | None:
        if record.kind in ("alias", "enum"):
            return self.of(record.body, bound, depth + 1)
        asked = [self.fold(text, bound) for text in record.aligned]
        laid = self._of_members(record.body, bound, depth, union=record.kind == "union")
        if laid is None or None in asked:
            return None
        align = max([laid[1], *(a for a in asked if a)])
        return _up(max(laid[0], 1), align), align

    def _of_members(self, body: str, bound: Mapping[str, str], depth: int, *, union: bool) -> tuple[int, int] | None:
        """End of the last member, and the strictest alignment."""
        if "#" in body or re.search(r"\bvirtual\b", body):
            return None
        at, most, strict = 0, 0, 1
        for member in _members(body):
            laid = self._of_member(member, bound, depth)
            if laid is None:
                return None
            for size, align in laid:
                at = size if union else _up(at, align) + size
                most, strict = max(most, at), max(strict, align)
        return most, strict

    def _of_member(self, member: str, bound: Mapping[str, str], depth: int) -> list[tuple[int, int]] | None:
        """What one declaration adds, a layout for each name; None where that is not known."""
        nested = _NESTED.match(member)
        if nested:
            return self._of_nested(nested, member, bound, depth)
        asked = [self.fold(text, bound) for text in _asked(member)]
        text = _ATTRIBUTE.sub(" ", _ALIGN.sub(" ", member)).strip()
        text = re.sub(r"(?:=|\{).*\Z", "", text, flags=re.DOTALL).strip()
        if _POINTED.search(text):
            return [_POINTER]
        if "(" in _BRACKETED.sub("", text):
            return []  # a function
        first, *others = pieces(text) or [""]
        found = _FIRST.match(first.strip())
        if found is None or None in asked or ":" in text.replace("::", ""):
            return None
        names = [found["rest"], *others]
        plain = any("*" not in name and "&" not in name for name in names)  # a type may point to itself
        kind = self.of(found["type"], bound, depth + 1) if plain else None
        return self._declared(kind, names, bound, max([1, *(a for a in asked if a)]))

    def _of_nested(
        self, head: re.Match[str], member: str, bound: Mapping[str, str], depth: int
    ) -> list[tuple[int, int]] | None:
        """What variables of a type that is defined in place add, or the members of one without a name."""
        inner, _, rest = member[head.end() :].rpartition("}")
        if head["name"] and not rest.strip():
            return []  # a type of its own
        laid = self._of_members(inner, bound, depth + 1, union=head["kind"] == "union")
        kind = None if laid is None else (_up(max(laid[0], 1), laid[1]), laid[1])
        return self._declared(kind, pieces(rest) or [""], bound, 1)

    def _declared(
        self, kind: tuple[int, int] | None, names: list[str], bound: Mapping[str, str], asked: int
    ) -> list[tuple[int, int]] | None:
        out: list[tuple[int, int]] = []
        for name in names:
            found = _DECLARED.match(name.strip())
            element = _POINTER if found is not None and re.search(r"[*&]", found["pointer"]) else kind
            if element is None or (found is None and name.strip()):
                return None
            count = 1
            for dimension in re.findall(r"\[([^\[\]]*)\]", found["dims"] if found else ""):
                value = self.fold(dimension, bound)
                if value is None or value < 0:
                    return None
                count *= value
            out.append((element[0] * count, max(element[1], asked)))
        return out


def _spelled(text: str, bound: Mapping[str, str]) -> str:
    """A type with the names of a template around it replaced by what they stand for."""
    return re.sub(r"[A-Za-z_]\w*", lambda word: bound.get(word.group(), word.group()), text)


def _members(body: str) -> Iterator[str]:
    """The declarations of data in a structure's body; functions and types are left out."""
    depth, now = 0, ""
    for char in _ACCESS.sub(" ", body):
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(char, 0)
        now += char
        ended = _ATTRIBUTE.sub("", _ALIGN.sub("", now)).lstrip() if char == "}" and depth == 0 else ""
        if ended and (re.match(r"[^{=]*\(", ended) or ended.startswith(("{", ","))):
            now = ""  # a function's body ends without `;`; so do a constructor's initialisers, `: x{0}, y{1} {}`
        elif char == ";" and depth == 0:
            member, now = now[:-1].strip(), ""
            if member and not _SKIPPED.match(member) and not re.match(r"enum\b[^;]*\}\s*\Z", member, re.DOTALL):
                yield member


def _up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
