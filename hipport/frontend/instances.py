"""What kernels declare in LDS as clang instantiates them: every `__shared__` variable that a kernel's code names.

Template arguments are deduced, defaults and constant expressions folded, types laid out by clang; helper functions
count too, those of headers as well. A type that the prelude only stands for (`cub::BlockReduce<...>::TempStorage`) has
no size.
"""

from __future__ import annotations

import re
from ctypes import byref, c_uint, c_void_p
from typing import TYPE_CHECKING

from hipport.frontend import branches
from hipport.frontend.branches import Side
from hipport.frontend.libclang import FIELDS, VISITOR, Cursor
from hipport.frontend.text import CodeText
from hipport.frontend.tree import Instance, Variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.frontend.libclang import Library, Type

_RECURSE = 2
_VARIABLE, _BASE, _FUNCTION, _UNION = 9, 44, 8, 3
_FUNCTIONS = frozenset({8, 21, 24, 25, 26, 30})
_NAMING = frozenset({101, 102, 103})  # a name, a member, a call (constructors and operators too)
_KERNEL, _SHARED = 414, 416
_RECORD, _ARRAY = 105, 112
_INTEGRAL, _OF_TYPE = 4, 1  # kinds of template arguments
_KNOWN = re.compile(
    r"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]|dim3|__half(?:2|_raw)?|__nv_bfloat16(?:2)?|Half|BFloat16"
    r"|__nv_fp8_e\dm\d|array|pair"
)  # types of the prelude that are laid out as the real ones are
_MOST = 256  # instances of one file that are looked at
_NAMES_KERNEL = re.compile(
    rb"<<<|Launch\w*Kernel|LAUNCH|LaunchKernelEx|FuncSetAttribute|FuncGetAttributes|OccupancyMax|FuncSetCacheConfig"
)


class Instances:
    """The kernels that one translation unit names; `files` are its texts by name, `main` the one that is read."""

    def __init__(self, library: Library, main: str, files: Mapping[str, bytes]) -> None:
        self.call, self.text = library.call, library.text
        self.main, self.files = main, files
        self.wanted = any(b"__shared__" in data for data in files.values())
        self.uses: dict[int, tuple[Instance, ...]] = {}
        self._seen: dict[int, tuple[dict[int, Variable], dict[int, Cursor]]] = {}
        self._variables: dict[int, Variable | None] = {}
        self._followed: set[int] = set()

    def definition(self, cursor: Cursor) -> None:
        """A kernel where it is defined, unless it is a template."""
        plain = cursor.kind == _FUNCTION and self.call.clang_Cursor_getNumTemplateArguments(cursor) <= 0
        if self.wanted and plain and self._is_kernel(cursor):
            _, at, _ = self._place(self.call.clang_getCursorLocation(cursor))
            self._add(at, cursor)

    def host(self, cursor: Cursor, data: bytes) -> None:
        """A function of the host: the kernels that it names, and those of the templates that it calls."""
        if self.wanted and _NAMES_KERNEL.search(data):
            self._scan(cursor)

    def whole(self, cursor: Cursor) -> int | None:
        """Bytes of a variable; None where they are not known."""
        size = self._size(cursor)
        return size[0] if size is not None and size[1] else None

    def _size(self, cursor: Cursor) -> tuple[int, bool] | None:
        """Least bytes of a variable and whether these are all; None where it is not known."""
        if self.call.clang_isInvalidDeclaration(cursor):
            return None
        return self._least(self.call.clang_getCursorType(cursor))

    def _scan(self, cursor: Cursor) -> None:
        for name in self._named(cursor):
            other = self.call.clang_getCursorReferenced(name)
            if other.kind != _FUNCTION:
                continue
            if self._is_kernel(other):
                if name.kind == 101:
                    self._add(self._place(self.call.clang_getCursorLocation(name))[1], other)
            elif other.data[0] not in self._followed and self.call.clang_Cursor_getNumTemplateArguments(other) > 0:
                self._followed.add(other.data[0])
                self._scan(self._defined(other))

    def _add(self, at: int, kernel: Cursor) -> None:
        if at < 0 or len(self._seen) > _MOST:
            return
        kernel = self._defined(kernel)
        found: dict[int, Variable] = {}
        todo, done = [kernel], {kernel.data[0]}
        while todo:
            own, called = self._of_function(todo.pop())
            found.update(own)
            todo += [other for key, other in called.items() if key not in done]
            done |= called.keys()
        instance = Instance(self._label(kernel), tuple(found.values()))
        before = self.uses.get(at, ())
        if instance not in before:
            self.uses[at] = (*before, instance)

    def _of_function(self, function: Cursor) -> tuple[dict[int, Variable], dict[int, Cursor]]:
        """The shared variables that a function's own code names, and the functions that it calls."""
        key = function.data[0]
        if key not in self._seen:
            variables: dict[int, Variable] = {}
            called: dict[int, Cursor] = {}
            self._seen[key] = (variables, called)
            for name in self._named(function):
                other = self.call.clang_getCursorReferenced(name)
                if other.kind == _VARIABLE:
                    variable = self._variable(other)
                    if variable is not None:
                        variables[other.data[0]] = variable
                elif other.kind in _FUNCTIONS:
                    other = self._defined(other)
                    called[other.data[0]] = other
        return self._seen[key]

    def _named(self, cursor: Cursor) -> Iterator[Cursor]:
        """The cursors below one that name something."""
        found: list[Cursor] = []

        def visit(child: Cursor, _parent: Cursor, _data: object) -> int:
            if child.kind in _NAMING:
                found.append(child)
            return _RECURSE

        self.call.clang_visitChildren(cursor, VISITOR(visit), None)
        return iter(found)

    def _defined(self, cursor: Cursor) -> Cursor:
        found: Cursor = self.call.clang_getCursorDefinition(cursor)
        return found if found.kind in _FUNCTIONS else cursor

    def _has(self, cursor: Cursor, attribute: int) -> bool:
        found: list[int] = []

        def visit(child: Cursor, _parent: Cursor, _data: object) -> int:
            found.append(child.kind)
            return 1

        self.call.clang_visitChildren(cursor, VISITOR(visit), None)
        return attribute in found

    def _is_kernel(self, cursor: Cursor) -> bool:
        return self._has(cursor, _KERNEL)

    def _variable(self, cursor: Cursor) -> Variable | None:
        """A shared variable of constant size that is there on AMD; None for any other."""
        key = cursor.data[0]
        if key not in self._variables:
            self._variables[key] = self._read_variable(cursor) if self._has(cursor, _SHARED) else None
        return self._variables[key]

    def _read_variable(self, cursor: Cursor) -> Variable | None:
        name, begin, end = self._extent(cursor)
        size = self._size(cursor)
        if size is None or name not in self.files or self._side(name, begin) not in (Side.BOTH, Side.AMD):
            return None
        _, at, _ = self._place(self.call.clang_getCursorLocation(cursor))
        said = self.files[name][begin:end].decode("utf-8", "replace")
        return Variable(self.text(self.call.clang_getCursorSpelling(cursor)), at, size[0], size[1], said)

    def _side(self, name: str, offset: int) -> Side:
        return branches.read(CodeText.of(name, self.files[name])).at(offset)

    def _extent(self, cursor: Cursor) -> tuple[str, int, int]:
        extent = self.call.clang_getCursorExtent(cursor)
        _, _, begin = self._place(self.call.clang_getRangeStart(extent))
        name, _, end = self._place(self.call.clang_getRangeEnd(extent))
        return name, begin, max(begin, end)

    def _place(self, location: object) -> tuple[str, int, int]:
        """File, offset in the file that is read (-1 in another), and offset in its own."""
        file, at = c_void_p(), c_uint()
        self.call.clang_getFileLocation(location, byref(file), None, None, byref(at))
        name = self.text(self.call.clang_getFileName(file)) if file.value else ""
        return name, at.value if name == self.main else -1, at.value

    def _label(self, kernel: Cursor) -> str:
        """The kernel's name with the template arguments that it has."""
        call, name = self.call, self.text(self.call.clang_getCursorSpelling(kernel))
        given = []
        for index in range(call.clang_Cursor_getNumTemplateArguments(kernel)):
            kind = call.clang_Cursor_getTemplateArgumentKind(kernel, index)
            if kind == _INTEGRAL:
                given.append(str(call.clang_Cursor_getTemplateArgumentValue(kernel, index)))
            elif kind == _OF_TYPE:
                given.append(
                    self.text(call.clang_getTypeSpelling(call.clang_Cursor_getTemplateArgumentType(kernel, index)))
                )
            else:
                given.append("...")
        return f"{name}<{', '.join(given)}>" if given else name

    def _least(self, kind: Type) -> tuple[int, bool] | None:
        """Least bytes of a type, and whether these are all of it."""
        call = self.call
        kind = call.clang_getCanonicalType(kind)
        size = call.clang_Type_getSizeOf(kind)
        if size < 0:
            return None
        if kind.kind == _ARRAY:
            element = self._least(call.clang_getArrayElementType(kind))
            return None if element is None else (element[0] * call.clang_getArraySize(kind), element[1])
        if kind.kind != _RECORD:
            return size, True
        declared = call.clang_getTypeDeclaration(kind)
        name, _, _ = self._place(call.clang_getCursorLocation(declared))
        spelled = self.text(call.clang_getCursorSpelling(declared))
        if name not in self.files and not name.startswith("/usr/") and not _KNOWN.fullmatch(spelled):
            return 0, False
        parts = self._fields(kind)
        return (size, True) if all(exact for _, exact in parts) else self._sum(declared, parts)

    def _sum(self, declared: Cursor, parts: list[tuple[int, bool]]) -> tuple[int, bool]:
        sizes = [size for size, _ in parts]
        return (max(sizes, default=0) if declared.kind == _UNION else sum(sizes)), False

    def _fields(self, kind: Type) -> list[tuple[int, bool]]:
        """Least bytes of the members of a structure, and of what it derives from where that shows."""
        call = self.call
        fields: list[Cursor] = []

        def visit(field: Cursor, _data: object) -> int:
            fields.append(field)
            return 1

        call.clang_Type_visitFields(kind, FIELDS(visit), None)
        declared = call.clang_getTypeDeclaration(kind)
        pattern = call.clang_getSpecializedCursorTemplate(declared)
        bases = self._bases(pattern if pattern.kind else declared)
        sized = [self._least(call.clang_getCursorType(field)) for field in fields]
        return [part or (0, False) for part in sized] + bases

    def _bases(self, declared: Cursor) -> list[tuple[int, bool]]:
        found: list[Cursor] = []

        def visit(child: Cursor, _parent: Cursor, _data: object) -> int:
            if child.kind == _BASE:
                found.append(child)
            return 1

        self.call.clang_visitChildren(declared, VISITOR(visit), None)
        return [self._least(self.call.clang_getCursorType(base)) or (0, False) for base in found]
