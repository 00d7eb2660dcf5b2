"""Headers -> the names they declare, with signatures, values and fields; libclang reads them, nothing is compiled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clang import cindex
from clang.cindex import CursorKind, TypeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

KEEP_GOING = 0x200
WITH_MACROS = 1
SCOPES = {CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL}
FUNCTIONS = {CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE}
RECORDS = {CursorKind.STRUCT_DECL, CursorKind.UNION_DECL, CursorKind.CLASS_DECL}
TEMPLATES = {CursorKind.CLASS_TEMPLATE, CursorKind.TYPE_ALIAS_TEMPLATE_DECL}
ALIASES = {CursorKind.TYPEDEF_DECL, CursorKind.TYPE_ALIAS_DECL}
OTHERS = {
    CursorKind.ENUM_CONSTANT_DECL,
    CursorKind.MACRO_DEFINITION,
    CursorKind.VAR_DECL,
    CursorKind.USING_DECLARATION,
}
NAMED = FUNCTIONS | RECORDS | TEMPLATES | ALIASES | OTHERS
LONGEST_MACRO = 80


@dataclass(frozen=True, slots=True)
class Declaration:
    """One name. `text` is a signature, a value, fields or an underlying type, by `kind`."""

    name: str
    kind: str  # function, constant, macro, type, template
    header: str
    text: str
    canonical: str = ""  # of a function: its signature with every typedef resolved


@dataclass(frozen=True, slots=True)
class Headers:
    """What to read: `heads` are included in order, names declared below `roots` are kept."""

    roots: tuple[Path, ...]
    heads: tuple[str, ...]
    arguments: tuple[str, ...]
    language: str = "hip"
    stubs: tuple[tuple[str, str], ...] = ()


def declarations(headers: Headers, public: Callable[[str], str]) -> dict[str, Declaration]:
    """Name -> its declaration; `public` turns the path below a root into the header that users include."""
    found: dict[str, Declaration] = {}
    for cursor, name, path in _named(headers):
        new = _describe(cursor, name, public(path))
        old = found.get(name)
        found[name] = new if old is None else _merge(old, new)
    return found


def _merge(old: Declaration, new: Declaration) -> Declaration:
    """Overloads side by side; otherwise the fuller of two declarations of one name."""
    if old.kind == new.kind == "function":
        texts = dict(zip(old.text.split(" | "), old.canonical.split(" | "), strict=True))
        texts[new.text] = new.canonical
        return Declaration(old.name, "function", old.header, " | ".join(texts), " | ".join(texts.values()))
    order = ("function", "constant", "macro", "template", "type")
    if order.index(new.kind) < order.index(old.kind):
        return new
    return new if new.kind == old.kind and len(new.text) > len(old.text) else old


def _named(headers: Headers) -> Iterator[tuple[cindex.Cursor, str, str]]:
    """Every declaration below the roots: the cursor, its qualified name, its path below the root."""
    cindex.Config.libcxx_dir = None
    file = f"names.{headers.language}"
    text = "".join(f"#include <{head}>\n" for head in headers.heads)
    unit = cindex.Index.create().parse(
        file,
        args=list(headers.arguments),
        unsaved_files=[(file, text), *headers.stubs],
        options=KEEP_GOING | WITH_MACROS,
    )
    roots = tuple(f"{root}/" for root in headers.roots)
    todo = [(child, "") for child in unit.cursor.get_children()][::-1]
    while todo:
        cursor, scope = todo.pop()
        if cursor.location.file is None:
            continue
        path = _below(cursor.location.file.name, roots)
        inner = _inner_scope(cursor, scope)
        if inner is not None:
            todo += [(child, inner) for child in cursor.get_children()][::-1]
        elif path and cursor.kind is CursorKind.ENUM_DECL:
            todo += [(child, scope) for child in cursor.get_children()]
            if cursor.spelling and not cursor.is_anonymous():
                yield cursor, scope + cursor.spelling, path
        elif path and cursor.kind in NAMED and _is_name(cursor.spelling):
            yield cursor, scope + cursor.spelling, path


def _below(name: str, roots: tuple[str, ...]) -> str:
    return next((name[len(root) :] for root in roots if name.startswith(root)), "")


def _inner_scope(cursor: cindex.Cursor, scope: str) -> str | None:
    """The scope of the cursor's children, if it is one that is looked into."""
    if cursor.kind in SCOPES:
        return scope
    if cursor.kind is not CursorKind.NAMESPACE:
        return None
    is_inline = cindex.conf.lib.clang_Cursor_isInlineNamespace(cursor)
    return scope if is_inline else f"{scope}{cursor.spelling}::"


def _is_name(spelling: str) -> bool:
    return bool(spelling) and " " not in spelling and not spelling.startswith("operator")


def _describe(cursor: cindex.Cursor, name: str, header: str) -> Declaration:
    kind = cursor.kind
    if kind in FUNCTIONS:
        return Declaration(name, "function", header, _signature(cursor), _signature(cursor, canonical=True))
    if kind is CursorKind.ENUM_CONSTANT_DECL:
        return Declaration(name, "constant", header, str(cursor.enum_value))
    if kind is CursorKind.MACRO_DEFINITION:
        return Declaration(name, "macro", header, _macro(cursor))
    if kind is CursorKind.VAR_DECL:
        return Declaration(name, "constant", header, cursor.type.spelling)
    if kind in TEMPLATES:
        return Declaration(name, "template", header, "")
    if kind in ALIASES:
        return Declaration(name, "type", header, f"= {cursor.underlying_typedef_type.get_canonical().spelling}")
    if kind in RECORDS:
        fields = [c.spelling for c in cursor.type.get_fields()] if cursor.is_definition() else []
        fields = [field for field in fields if field and " " not in field]
        return Declaration(name, "type", header, f"{{{' '.join(fields)}}}" if fields else "")
    return Declaration(name, "type", header, "enum" if kind is CursorKind.ENUM_DECL else "")


def _signature(cursor: cindex.Cursor, *, canonical: bool = False) -> str:
    """`int (float *, unsigned int =)`: a trailing `=` is a default argument, `...` more arguments."""
    parameters = []
    for child in cursor.get_children():
        if child.kind is not CursorKind.PARM_DECL:
            continue
        has_default = any(part.kind.is_expression() for part in child.get_children())
        has_default = has_default and child.type.kind not in {TypeKind.CONSTANTARRAY, TypeKind.VARIABLEARRAY}
        spelling = (child.type.get_canonical() if canonical else child.type).spelling
        parameters.append(f"{spelling} =" if has_default else spelling)
    if cursor.type.kind is TypeKind.FUNCTIONPROTO and cursor.type.is_function_variadic():
        parameters.append("...")
    mark = "template " if cursor.kind is CursorKind.FUNCTION_TEMPLATE else ""
    result = cursor.result_type.get_canonical() if canonical else cursor.result_type
    return f"{mark}{result.spelling} ({', '.join(parameters)})"


def _macro(cursor: cindex.Cursor) -> str:
    """What an object-like macro stands for, or the parameter list of a function-like one."""
    tokens = list(cursor.get_tokens())
    spellings = [t.spelling for t in tokens[1:]]
    is_call = bool(spellings) and spellings[0] == "("
    if is_call and tokens[1].extent.start.offset == tokens[0].extent.end.offset and ")" in spellings:
        return "".join(spellings[: spellings.index(")") + 1])
    text = " ".join(spellings)
    return text if len(text) <= LONGEST_MACRO else "..."
