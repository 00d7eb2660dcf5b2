"""Reads verify.toml: every key checked, errors with file and line."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hipport.diffing.cases import FAMILIES, LAYOUTS, MAPS, SIZES, Arg, Case, CaseKind, Role
from hipport.diffing.contract import Contract
from hipport.diffing.formats import FORMATS
from hipport.errors import DataError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_COMMON = {"name", "kind", "source", "port", "contract", "seeds", "oracle", "cflags"}
_KEYS = {
    CaseKind.KERNEL: _COMMON
    | {"kernel", "instantiate", "grid", "block", "shared", "cooperative", "arg", "sizes", "let", "families", "layouts"}
    | {"length", "scale", "kernels_only"},
    CaseKind.PROGRAM: _COMMON | {"args", "make", "files", "ignore", "rtol"},
    CaseKind.TORCH: _COMMON | {"module", "extension", "sizes", "families", "length", "scale", "layouts"},
}
_ARG_KEYS = {"name", "role", "dtype", "shape", "value", "fill", "low", "high", "layouts", "map", "unordered"}
_FILLS = ("family", "zeros", "ones", "range")
_INTEGERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)} | {"bool"}


class _Wrong(Exception):  # noqa: N818 - it becomes a DataError with its line
    """What is wrong with which key."""

    def __init__(self, key: str, what: str, next_step: str = "", arg: int = 0) -> None:
        super().__init__(what)
        self.key, self.what, self.next_step, self.arg = key, what, next_step, arg


def read(path: Path) -> tuple[Case, ...]:
    """The cases of a file.

    Raises:
        DataError: it does not fit the format; with file and line.
    """
    from hipport.config import parsed

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read: {error}", where=str(path)) from None
    table = parsed(text, path)
    rows = table.get("case", [])
    extra = set(table) - {"case"}
    if extra or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise DataError("a case file has [[case]] tables and nothing else", where=str(path))
    if not rows:
        raise DataError("there is no [[case]]", where=str(path), next_step="`hipport verify init` proposes some")
    lines = text.splitlines()
    starts = [n for n, line in enumerate(lines) if re.match(r"\s*\[\[\s*case\s*\]\]", line)]
    found: list[Case] = []
    for number, row in enumerate(rows):
        start = starts[number] if number < len(starts) else 0
        end = starts[number + 1] if number + 1 < len(starts) else len(lines)
        try:
            case = replace(_case(row, path.parent, start + 1, {other.name for other in found}), file=path.name)
        except _Wrong as error:
            line = _line(lines, start, end, error)
            raise DataError(error.what, where=f"{path}:{line}", next_step=error.next_step) from None
        found.append(case)
    return tuple(found)


def _line(lines: list[str], start: int, end: int, error: _Wrong) -> int:
    """The line of the key, from 1; of the argument's table or the case where the key is not there."""
    if error.arg:
        heads = [n for n in range(start, end) if re.match(r"\s*\[\[\s*case\.arg\s*\]\]", lines[n])]
        if error.arg <= len(heads):
            start = heads[error.arg - 1]
            end = heads[error.arg] if error.arg < len(heads) else end
    wanted = re.compile(rf"\s*(\[+\s*case\.)?[\"']?{re.escape(error.key)}[\"']?\s*[\].=]")
    return next((n for n in range(start, end) if error.key and wanted.match(lines[n])), start) + 1


def _case(row: Mapping[str, Any], folder: Path, line: int, taken: set[str]) -> Case:
    kind = _choice(row, "kind", CaseKind, "kernel")
    unknown = sorted(set(row) - _KEYS[kind])
    if unknown:
        raise _Wrong(
            unknown[0],
            f"a {kind.value} case has no key `{unknown[0]}`",
            f"its keys are {', '.join(sorted(_KEYS[kind]))}",
        )
    name = _text(row, "name")
    if not re.fullmatch(r"[\w.-]+", name):
        raise _Wrong("name", f"`{name}` is no name for a case", "letters, digits, `.`, `_` and `-`")
    if name in taken:
        raise _Wrong("name", f"two cases are named `{name}`")
    source = _text(row, "source", "." if kind is CaseKind.TORCH else "")
    if not (folder / source).exists():
        raise _Wrong("source", f"there is no `{source}` beside the case file")
    sizes = _sizes(row)
    return Case(
        name=name,
        kind=kind,
        folder=folder,
        line=line,
        source=source,
        port=_text(row, "port", ""),
        kernel=_text(row, "kernel") if kind is CaseKind.KERNEL else "",
        instantiate=_text(row, "instantiate", ""),
        grid=_expressions(row, "grid", (1,)),
        block=_expressions(row, "block", (256,)),
        shared=_expression(row, "shared", 0),
        cooperative=_flag(row, "cooperative"),
        args=_args(row) if kind is CaseKind.KERNEL else (),
        sizes=sizes,
        let=_let(row),
        families=_words(row, "families", ("normal",), FAMILIES),
        layouts=_words(row, "layouts", ("contiguous",), LAYOUTS),
        seeds=_seeds(row),
        contract=_contract(row),
        length=_expression(row, "length", 0),
        oracle=_oracle(row, folder),
        options=tuple(_text(row, "cflags", "").split()),
        kernels_only=_flag(row, "kernels_only"),
        program=_list(row, "args"),
        make=_list(row, "make"),
        files=_list(row, "files"),
        ignore=_patterns(row),
        rtol=_number(row, "rtol", 0.0),
        module=_module(row, folder) if kind is CaseKind.TORCH else "",
        extension=_list(row, "extension"),
    )


def _args(row: Mapping[str, Any]) -> tuple[Arg, ...]:
    found: list[Arg] = []
    rows = row.get("arg", [])
    if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
        raise _Wrong("arg", "arguments are [[case.arg]] tables")
    for number, one in enumerate(rows, 1):
        try:
            arg = _arg(one)
        except _Wrong as error:
            raise _Wrong(error.key, error.what, error.next_step, number) from None
        if any(arg.name == other.name for other in found):
            raise _Wrong("name", f"two arguments are named `{arg.name}`", "", number)
        found.append(arg)
    if not any(arg.role in {Role.OUT, Role.INOUT} for arg in found):
        raise _Wrong("arg", "no argument is an output", 'give one of them role = "out" or "inout"')
    return tuple(found)


def _arg(row: Mapping[str, Any]) -> Arg:
    unknown = sorted(set(row) - _ARG_KEYS)
    if unknown:
        raise _Wrong(
            unknown[0], f"an argument has no key `{unknown[0]}`", f"its keys are {', '.join(sorted(_ARG_KEYS))}"
        )
    name = _text(row, "name")
    role = _choice(row, "role", Role, "value" if "value" in row else "")
    if role is Role.VALUE:
        value = row.get("value")
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise _Wrong("value", f"`{name}` needs a value", 'a number or an expression such as value = "n"')
        return Arg(name, role, _dtype(row, required=False), value=value)
    fill = row.get("fill", "zeros" if role is Role.OUT else "family")
    if not isinstance(fill, (int, float)) and fill not in _FILLS:
        raise _Wrong("fill", f"`{fill}` is no fill", f"a number or one of {', '.join(_FILLS)}")
    shape = _expressions(row, "shape", ())
    if not shape:
        raise _Wrong("shape", f"`{name}` needs a shape", 'for example shape = ["n"]')
    return Arg(
        name,
        role,
        _dtype(row, required=True),
        shape,
        fill=fill,
        low=_expression(row, "low", 0),
        high=_expression(row, "high", 100),
        layouts=_flag(row, "layouts"),
        map=_one_of(row, "map", "auto", MAPS),
        unordered=_flag(row, "unordered"),
    )


def _dtype(row: Mapping[str, Any], *, required: bool) -> str:
    text = _text(row, "dtype", None if required else "")
    names = [part.partition(":")[2] for part in text.split(",")] if ":" in text else [text]
    for name in names:
        if name and name not in FORMATS and name not in _INTEGERS:
            raise _Wrong("dtype", f"`{name}` is no dtype", f"one of {', '.join(sorted(set(FORMATS) | _INTEGERS))}")
    return text


def _sizes(row: Mapping[str, Any]) -> tuple[Mapping[str, int], ...]:
    rows = row.get("sizes", list(SIZES) if row.get("kind", "kernel") == "kernel" else [])
    if not isinstance(rows, list):
        raise _Wrong("sizes", "`sizes` is a list of numbers or of tables")
    found: list[Mapping[str, int]] = []
    for one in rows:
        table = {"n": one} if isinstance(one, int) and not isinstance(one, bool) else one
        if not isinstance(table, dict) or not all(isinstance(v, int) and v >= 0 for v in table.values()):
            raise _Wrong("sizes", f"`{one}` is no size", "a number (it is called n), or { rows = 7, columns = 33 }")
        found.append(table)
    return tuple(found)


def _let(row: Mapping[str, Any]) -> Mapping[str, str | int]:
    table = row.get("let", {})
    if not isinstance(table, dict) or not all(isinstance(v, (int, str)) for v in table.values()):
        raise _Wrong("let", "`let` is a table of names and expressions", 'let = { blocks = "ceil(n / 256)" }')
    return table


def _contract(row: Mapping[str, Any]) -> Contract:
    try:
        found = Contract.named(_text(row, "contract", "strict-f32"))
    except UsageError as error:
        raise _Wrong("contract", error.what, error.next_step) from None
    return replace(found, scale=_number(row, "scale", 0.0))


def _oracle(row: Mapping[str, Any], folder: Path) -> str:
    text = _text(row, "oracle", "")
    file, _, function = text.rpartition(":")
    if text and (not function.isidentifier() or not (folder / file).is_file()):
        raise _Wrong("oracle", f"`{text}` is no `file.py:function` beside the case file")
    return text


def _module(row: Mapping[str, Any], folder: Path) -> str:
    text = _text(row, "module")
    if not (folder / text).is_file():
        raise _Wrong("module", f"there is no `{text}` beside the case file")
    return text


def _patterns(row: Mapping[str, Any]) -> tuple[str, ...]:
    found = _list(row, "ignore")
    try:
        for pattern in found:
            re.compile(pattern)
    except re.error as error:
        raise _Wrong("ignore", f"`{error.pattern!s}` is no pattern: {error}") from None
    return found


def _text(row: Mapping[str, Any], key: str, default: str | None = None) -> str:
    value = row.get(key, default)
    if value is None:
        raise _Wrong("", f"`{key}` is missing")
    if not isinstance(value, str):
        raise _Wrong(key, f"`{key}` is a text")
    return value


def _choice(row: Mapping[str, Any], key: str, kind: Callable[[str], Any], default: str) -> Any:
    value = row.get(key, default)
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(one.value for one in kind)  # type: ignore[attr-defined]
        raise _Wrong(
            key, f"`{key}` is one of {known}, not `{value}`" if value else f"`{key}` is missing: {known}"
        ) from None


def _one_of(row: Mapping[str, Any], key: str, default: str, known: tuple[str, ...]) -> str:
    value = row.get(key, default)
    if value not in known:
        raise _Wrong(key, f"`{key}` is one of {', '.join(known)}, not `{value}`")
    return str(value)


def _words(row: Mapping[str, Any], key: str, default: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    found = known if row.get(key) == "all" else tuple(_list(row, key) or default)
    for word in found:
        if word not in known:
            raise _Wrong(key, f"`{word}` is none of {', '.join(known)}")
    return found


def _list(row: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _Wrong(key, f"`{key}` is a list of texts")
    return tuple(value)


def _seeds(row: Mapping[str, Any]) -> tuple[int, ...]:
    value = row.get("seeds", [1, 2])
    if not isinstance(value, list) or not value or not all(isinstance(one, int) for one in value):
        raise _Wrong("seeds", "`seeds` is a list of whole numbers")
    return tuple(value)


def _flag(row: Mapping[str, Any], key: str) -> bool:
    value = row.get(key, False)
    if not isinstance(value, bool):
        raise _Wrong(key, f"`{key}` is true or false")
    return value


def _number(row: Mapping[str, Any], key: str, default: float) -> float:
    value = row.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        raise _Wrong(key, f"`{key}` is a number from 0")
    return float(value)


def _expression(row: Mapping[str, Any], key: str, default: int) -> str | int:
    value = row.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise _Wrong(key, f"`{key}` is a whole number or an expression")
    return value


def _expressions(row: Mapping[str, Any], key: str, default: tuple[int, ...]) -> tuple[str | int, ...]:
    value = row.get(key, list(default))
    parts = value if isinstance(value, list) else [value]
    for part in parts:
        if isinstance(part, bool) or not isinstance(part, (int, str)):
            raise _Wrong(key, f"`{key}` is a list of whole numbers and expressions")
    return tuple(parts)
