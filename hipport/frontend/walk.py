"""From clang's cursors to Nodes, for the device functions of the main file."""

from __future__ import annotations

import re
from ctypes import byref, c_uint, c_void_p
from typing import TYPE_CHECKING

from hipport.frontend.instances import Instances
from hipport.frontend.libclang import MACRO_BIT, VISITOR, Cursor, Location, Range
from hipport.frontend.tree import Node, Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipport.frontend.libclang import Library

_CONTINUE = 1
_CONTAINERS = frozenset({2, 3, 4, 22, 23, 31, 32})  # struct, union, class, namespace, linkage, class templates
_FUNCTIONS = frozenset({8, 21, 24, 25, 26, 30})  # function, method, constructor, destructor, conversion, template
_ATTRIBUTES = range(400, 500)
_DEVICE_ATTRIBUTES = frozenset({413, 414})  # __device__, __global__
_SHARED_ATTRIBUTE = 416
_CASTS = frozenset({117, 124, 125, 126, 128})
_COMPOUND = 202
_LAMBDA = 144
_KINDS = {
    9: "variable",
    10: "parameter",
    101: "name",
    102: "member",
    103: "call",
    106: "integer",
    107: "real",
    109: "string",
    110: "character",
    112: "unary",
    113: "index",
    114: "binary",
    115: "assign",
    116: "choose",
    117: "cast",
    119: "list",
    124: "cast",
    125: "cast",
    126: "cast",
    128: "cast",
    130: "boolean",
    144: "lambda",
    202: "block",
    203: "case",
    204: "default",
    205: "if",
    206: "switch",
    207: "while",
    208: "do",
    209: "for",
    210: "goto",
    212: "continue",
    213: "break",
    214: "return",
    215: "asm",
    225: "for",
    231: "declare",
}
KINDS = frozenset(_KINDS.values()) | {"other"}
_CALL = 103
_NAMED = frozenset({101, 102, _CALL})
_WORD = re.compile(rb"[A-Za-z_]\w*")
_TRANSPARENT = frozenset({100, 111})  # implicit conversions and parentheses
_LEAVES = frozenset({106, 107, 109, 110, 130, 215})
_NO_CHILD = range(40, 60)  # type, template and namespace references
_BINARY = (
    *("?", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|"),
    *("&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ","),
)
_UNARY = ["?", "p++", "p--", "++", "--", "&", "*", "+", "-", "~", "!"]


class Walker:
    """Turns one translation unit into a Tree."""

    def __init__(self, library: Library, unit: c_void_p, name: bytes, files: Mapping[str, bytes]) -> None:
        self.call = library.call
        self.text = library.text
        self.unit = unit
        self.data = files[name.decode()]
        self.instances = Instances(library, name.decode(), files)
        self.sizes: dict[
            int, set[int | None]
        ] = {}  # of shared variables: one for each instance of a template, and its own
        self.file = self.call.clang_getFile(unit, name)
        self.base = self.call.clang_getLocationForOffset(unit, self.file, 0).raw
        self.limit = self.base + len(self.data)

    def children(self, cursor: Cursor) -> list[Cursor]:
        """The cursors right below one."""
        found: list[Cursor] = []
        keep = found.append

        def visit(child: Cursor, _parent: Cursor, _data: object) -> int:
            keep(child)
            return _CONTINUE

        self.call.clang_visitChildren(cursor, VISITOR(visit), None)
        return found

    def offset(self, location: Location) -> int:
        """Where a location is in the main file, for a macro's argument where it is written; -1 elsewhere."""
        file, at = c_void_p(), c_uint()
        self.call.clang_getFileLocation(location, byref(file), None, None, byref(at))
        return at.value if file.value == self.file else -1

    def span(self, extent: Range) -> tuple[int, int, bool]:
        """Offsets of an extent, and whether a macro's body has a part in it."""
        begin, end = extent.begin, extent.end
        if self.base <= begin and end <= self.limit and not (begin | end) & MACRO_BIT:
            return begin - self.base, end - self.base, False
        start = self.offset(self.call.clang_getRangeStart(extent))
        stop = self.offset(self.call.clang_getRangeEnd(extent))
        return start, max(start, stop), True

    def tree(self) -> Tree:
        """All device functions of the main file."""
        bodies: dict[int, Node] = {}
        parameters: dict[int, tuple[Node, ...]] = {}
        todo = self.children(self.call.clang_getTranslationUnitCursor(self.unit))
        while todo:
            cursor = todo.pop()
            kind = cursor.kind
            if kind in _CONTAINERS:
                if self.inside(cursor):
                    todo += self.children(cursor)
            elif kind in _FUNCTIONS and self.inside(cursor):
                self.function(cursor, bodies, parameters)
        one = {at: sizes.pop() for at, sizes in self.sizes.items() if len(sizes) == 1 and at >= 0}
        shared = {at: size for at, size in one.items() if size is not None}
        return Tree(bodies, parameters, self.problems(), shared, self.instances.uses)

    def inside(self, cursor: Cursor) -> bool:
        """Whether a declaration is in the main file."""
        raw = self.call.clang_getCursorExtent(cursor)
        begin = raw.begin
        if begin & MACRO_BIT:
            return self.offset(self.call.clang_getRangeStart(raw)) >= 0
        return bool(self.base <= begin < self.limit)

    def function(self, cursor: Cursor, bodies: dict[int, Node], parameters: dict[int, tuple[Node, ...]]) -> None:
        """A function's body, where it is the device's; else the kernels that it names."""
        parts = self.children(cursor)
        body = next((p for p in reversed(parts) if p.kind == _COMPOUND), None)
        if body is None:
            return
        if any(p.kind in _DEVICE_ATTRIBUTES for p in parts):
            node = self.node(body)
            if node is not None and node.start >= 0:
                bodies[node.start] = node
                parameters[node.start] = tuple(n for p in parts if p.kind == 10 and (n := self.node(p)) is not None)
            self.instances.definition(cursor)
        else:
            start, end, _ = self.span(self.call.clang_getCursorExtent(cursor))
            self.instances.host(cursor, self.data[max(0, start) : end])

    def node(self, cursor: Cursor) -> Node | None:
        """A cursor and all below it; implicit conversions and parentheses are looked through."""
        kind = cursor.kind
        if kind in _ATTRIBUTES or kind in _NO_CHILD:
            return None
        if kind in _TRANSPARENT:
            below = self.children(cursor)
            if len(below) == 1:
                return self.node(below[0])
            kids = tuple(n for c in below if (n := self.node(c)) is not None)
            if len(kids) == 1:
                return kids[0]
        elif kind in _LEAVES or kind == 101:
            kids = ()
        else:
            kids = tuple(n for c in self.children(cursor) if (n := self.node(c)) is not None)
        start, end, macro = self.span(self.call.clang_getCursorExtent(cursor))
        name, shown, refers = self.details(cursor, kind, start, end)
        if not name and kind in _NAMED:  # what a template's own parameters decide has no spelling
            name = self.called(start, kids) if kind == _CALL else self.written(start, end)
        return Node(_KINDS.get(kind, "other"), name, start, end, macro, shown, refers, kids)

    def called(self, start: int, kids: tuple[Node, ...]) -> str:
        """The name that a call begins with; empty for an operator, and where it makes a value of a type."""
        if not kids or kids[0].start != start:
            return ""
        operator = len(kids) > 1 and kids[1].kind == "name" and not kids[1].name
        return "" if operator else kids[0].name

    def written(self, start: int, end: int) -> str:
        """The last name of a text such as `a::b<c>`; empty where it is not all in the file."""
        names = _WORD.findall(self.data[start:end].partition(b"<")[0]) if 0 <= start < end else []
        return names[-1].decode("utf-8", "replace") if names else ""

    def details(self, cursor: Cursor, kind: int, start: int, end: int) -> tuple[str, str, int]:
        """The name or operator, the type, and what is referred to, as far as the kind has them."""
        call = self.call
        if kind == 101:
            referred = call.clang_getCursorReferenced(cursor)
            raw = call.clang_getCursorLocation(referred).raw
            local = raw - self.base if self.base <= raw < self.limit else -1
            return self.text(call.clang_getCursorSpelling(cursor)), "", local
        if kind in (9, 10):
            raw = call.clang_getCursorLocation(cursor).raw
            local = raw - self.base if self.base <= raw < self.limit else -1
            shown = self.text(call.clang_getTypeSpelling(call.clang_getCursorType(cursor)))
            if kind == 9 and any(child.kind == _SHARED_ATTRIBUTE for child in self.children(cursor)):
                shown = "__shared__ " + shown
                self.sizes.setdefault(local, set()).add(self.instances.whole(cursor))
            return self.text(call.clang_getCursorSpelling(cursor)), shown, local
        if kind in (102, 103):
            return self.text(call.clang_getCursorSpelling(cursor)), "", -1
        if kind in _CASTS:
            return "", self.text(call.clang_getTypeSpelling(call.clang_getCursorType(cursor))), -1
        if kind in (114, 115):
            index = call.clang_getCursorBinaryOperatorKind(cursor)
            return _BINARY[index] if 0 < index < len(_BINARY) else "?", "", -1
        if kind == 112:
            index = call.clang_getCursorUnaryOperatorKind(cursor)
            return _UNARY[index] if 0 < index < len(_UNARY) else "?", "", -1
        if kind in _LEAVES and 0 <= start < end:
            return self.data[start:end].decode("utf-8", "replace"), "", -1
        return "", "", -1

    def problems(self) -> tuple[tuple[int, str], ...]:
        """The errors of the main file."""
        found: list[tuple[int, str]] = []
        for index in range(self.call.clang_getNumDiagnostics(self.unit)):
            diagnostic = self.call.clang_getDiagnostic(self.unit, index)
            if self.call.clang_getDiagnosticSeverity(diagnostic) >= 3:
                offset = self.offset(self.call.clang_getDiagnosticLocation(diagnostic))
                found.append((offset, self.text(self.call.clang_getDiagnosticSpelling(diagnostic))))
            self.call.clang_disposeDiagnostic(diagnostic)
        return tuple(sorted(found))
