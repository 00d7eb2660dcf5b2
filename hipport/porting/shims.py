"""Shims: what HIP lacks, as header text. Each is described in YAML, and written only where it is needed."""

from __future__ import annotations

import functools
import posixpath
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from hipport.errors import DataError, UsageError
from hipport.model import Basis, Edit, Finding, Safety, Span, Status
from hipport.resources import data_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

FOLDER = "hipport_shims"  # of a port: its shims, each once
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl")
_FIELDS = frozenset(
    {"name", "title", "replaces", "targets", "rocm_until", "why", "source", "includes", "requires", "parameters"}
)
_NEEDED = _FIELDS - {"requires", "parameters"}
_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include\b[^\n]*\n?", re.MULTILINE)
_CONDITIONAL = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif|pragma[ \t]+once)\b[^\n]*\n?", re.MULTILINE)
_OPAQUE = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Shim:
    """One shim. `rocm_until`: the ROCm version that has the thing itself (empty: none); `text`: the header's body.

    `parameters` maps the names that a template needs to what they mean; a plain header has none.
    """

    name: str
    title: str
    replaces: tuple[str, ...]
    rocm_until: str
    why: str
    source: str
    includes: tuple[str, ...]
    requires: tuple[str, ...]
    parameters: Mapping[str, str]
    text: str


def names() -> tuple[str, ...]:
    """The names of all shims."""
    return tuple(sorted(path.stem for kind in ("shims", "templates") for path in data_dir(kind).glob("*.yaml")))


@functools.cache
def shim(name: str) -> Shim:
    """The shim of that name.

    Raises:
        UsageError: there is none.
        DataError: its YAML does not fit, with the file.
    """
    for kind, suffix in (("shims", ".h"), ("templates", ".h.j2")):
        path = data_dir(kind) / f"{name}.yaml"
        if path.is_file():
            return _read(path, (path.parent / f"{name}{suffix}").read_text(encoding="utf-8"))
    raise UsageError(f"there is no shim `{name}`", next_step="`hipport shim list` names them")


def _read(path: Path, text: str) -> Shim:
    import yaml

    try:
        fields: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise DataError(f"no YAML: {error}", where=str(path)) from error
    if not isinstance(fields, dict) or set(fields) - _FIELDS or _NEEDED - set(fields):
        raise DataError(f"a shim has the fields {', '.join(sorted(_NEEDED))}", where=str(path))
    if fields["name"] != path.stem:
        raise DataError(f"names itself `{fields['name']}`", where=str(path))
    return Shim(
        fields["name"],
        fields["title"],
        tuple(fields["replaces"]),
        str(fields["rocm_until"]),
        fields["why"],
        fields["source"],
        tuple(fields["includes"]),
        tuple(fields.get("requires", ())),
        dict(fields.get("parameters", {})),
        text,
    )


def needed(name: str, rocm: str) -> bool:
    """Whether a ROCm version lacks what the shim supplies."""
    until = shim(name).rocm_until
    return not until or _version(rocm) < _version(until)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:2])


def body(name: str, parameters: Mapping[str, object] | None = None) -> str:
    """The text of a shim and of those that it requires, each behind its own guard, with its provenance.

    Raises:
        UsageError: a parameter of a template is not given.
    """
    return "".join(body(other, parameters) for other in shim(name).requires) + _own(name, parameters)


def _own(name: str, parameters: Mapping[str, object] | None) -> str:
    """The text of a shim alone."""
    one = shim(name)
    missing = sorted(set(one.parameters) - set(parameters or ()))
    if missing:
        raise UsageError(f"the shim `{name}` needs {', '.join(missing)}")
    text = one.text
    if one.parameters:
        import jinja2

        strict = jinja2.StrictUndefined
        engine = jinja2.Environment(undefined=strict, keep_trailing_newline=True)  # noqa: S701  C++ is no HTML
        text = engine.from_string(text).render(**(parameters or {}))
    guard = f"HIPPORT_SHIM_{name.upper()}"
    until = f"; needed until ROCm {one.rocm_until}" if one.rocm_until else ""
    origin = f"// hipport shim {name}: {one.title}{until}\n// Semantics: {one.source}.\n"
    return f"#ifndef {guard}\n#define {guard}\n{origin}{text}#endif  // {guard}\n"


def header(name: str, parameters: Mapping[str, object] | None = None) -> str:
    """A shim as a header that stands alone."""
    lines = "".join(f"#include <{name}>\n" for name in shim(name).includes)
    return f"#pragma once\n{lines}{body(name, parameters)}"


def shared_header(name: str) -> bytes:
    """A shim as the header that the files of one port include; those that it requires lie beside it."""
    lines = "".join(f"#include <{other}>\n" for other in shim(name).includes)
    lines += "".join(f'#include "{other}.h"\n' for other in shim(name).requires)
    return f"#pragma once\n{lines}{_own(name, None)}".encode()


def closure(names: Iterable[str]) -> tuple[str, ...]:
    """The shims of these names and all that they require."""
    found: dict[str, None] = {}
    todo = sorted(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found[name] = None
            todo += shim(name).requires
    return tuple(sorted(found))


def shareable(path: str) -> bool:
    """Whether a file can include the port's shims by a relative path.

    A template is rendered, and the headers of an `include` folder are installed, somewhere else.
    """
    parts = PurePosixPath(path).parts
    return not path.endswith(".j2") and not ("include" in parts[:-1] and parts[-1].endswith(_HEADERS))


def supplied(
    data: bytes, path: str, findings: Iterable[Finding], rocm: str, *, shared: bool = False
) -> tuple[Finding, ...]:
    """The finding that brings the shims which the edits of `findings` rely on, if there are any.

    Their text is put into the file; `shared` includes the headers of the port's own folder instead.
    """
    wanted: dict[str, Finding] = {}
    findings = tuple(findings)
    for finding in findings:
        for name in finding.shims if finding.edits or finding.status is Status.SHIMMED else ():
            wanted.setdefault(name, finding)
    missing = sorted(n for n in wanted if needed(n, rocm) and not _has(data, n))
    if not missing:
        return ()
    first = min(finding.span.start for finding in wanted.values())
    at = max([place(data, first), *(runtime for runtime in _runtime(findings) if runtime <= first)])
    shared = shared and shareable(path)
    if shared:
        folder = posixpath.relpath(FOLDER, posixpath.dirname(path) or ".")
        text = "".join(f'#include "{folder}/{name}.h"\n' for name in missing)
        text = text if at == 0 or data[at - 1 : at] == b"\n" else "\n" + text
    else:
        text = "\n" + "".join(body(name) for name in missing)
    newline = "\r\n" if b"\r\n" in data[:4096] else "\n"
    span = Span(path, at, at)
    cause = wanted[missing[0]]
    said = ", ".join(f"`{name}`" for name in missing)
    return (
        Finding(
            rule="shim",
            span=span,
            message=f"HIP lacks what {said} supplies: it is {'included' if shared else 'written into the file'}",
            safety=Safety.SAFE,
            status=Status.SHIMMED,
            family=cause.family,
            basis=Basis.LEXICAL,
            edits=(Edit(span, text.replace("\n", newline).encode()),),
            targets=cause.targets,
            shims=tuple(missing) if shared else (),
        ),
    )


def _runtime(findings: Iterable[Finding]) -> Iterator[int]:
    """Where the include of HIP's runtime is put into a file that has none: a shim goes after it."""
    for finding in findings:
        for edit in finding.edits:
            if edit.span.start == edit.span.end and b"#include <hip/hip_runtime.h>" in edit.text:
                yield edit.span.start


def _has(data: bytes, name: str) -> bool:
    """Whether a file has a shim already, as text or by an include."""
    return f"HIPPORT_SHIM_{name.upper()}".encode() in data or f"{FOLDER}/{name}.h".encode() in data


def place(data: bytes, first: int) -> int:
    """Where a shim goes: after the last unconditional include before `first`; else after the include guard."""
    code = _OPAQUE.sub(lambda m: re.sub(rb"[^\n]", b" ", m.group()), data)
    depth, best = 0, 0
    guard = _guard(code)
    events = sorted(
        [(m.start(), m.end(), b"include") for m in _INCLUDE.finditer(code)]
        + [(m.start(), m.end(), m.group(1)) for m in _CONDITIONAL.finditer(code)]
    )
    for start, end, word in events:
        if word == b"include":
            if depth == 0 and (start < first or best == 0):
                best = end
        elif word.startswith(b"pragma") or (word == b"ifndef" and start == guard):
            best = max(best, code.find(b"\n", code.find(b"\n", start) + 1) + 1 if word == b"ifndef" else end)
        elif word == b"endif":
            depth -= depth > 0
        else:
            depth += 1
    return best


def _guard(code: bytes) -> int:
    """Where an include guard's `#ifndef` is, or -1."""
    found = re.match(rb"\s*(#[ \t]*ifndef[ \t]+(\w+)[ \t]*\r?\n[ \t]*#[ \t]*define[ \t]+(\w+))", code)
    return found.start(1) - (found.start(1) - code.rfind(b"\n", 0, found.start(1)) - 1) if found else -1
