"""Cases proposed for the kernels of a folder, from their parameters and launches: a verify.toml to check and mend."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hipport.source.lexer import lex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_TEMPLATE = re.compile(rb"template\s*<([^<>]*)>\s*\Z")
_TYPES = {
    "float": "float32", "double": "float64", "half": "float16", "__half": "float16", "__nv_bfloat16": "bfloat16",
    "char": "int8", "signed char": "int8", "unsigned char": "uint8", "uint8_t": "uint8", "int8_t": "int8",
    "short": "int16", "unsigned short": "uint16", "int16_t": "int16", "uint16_t": "uint16",
    "int": "int32", "unsigned": "uint32", "unsigned int": "uint32", "uint": "uint32", "int32_t": "int32",
    "uint32_t": "uint32", "long": "int64", "long long": "int64", "int64_t": "int64", "uint64_t": "uint64",
    "unsigned long": "uint64", "unsigned long long": "uint64", "size_t": "uint64", "bool": "bool",
}  # fmt: skip
_VECTORS = re.compile(r"(float|double|int|uint|uchar|char|short|ushort|long|ulong)([1234])\Z")
_VECTOR_TYPES = {"uchar": "uint8", "ushort": "uint16", "uint": "uint32", "ulong": "uint64"}
_WORDS = re.compile(r"\b(const|__restrict__|__restrict|restrict|volatile|struct|typename|__grid_constant__)\b")
_FAST = re.compile(rb"\b__(expf|logf|sinf|cosf|powf|fdividef|tanhf|exp10f|log2f|log10f|frcp_rn|frsqrt_rn)\b")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kernel. `count` is the elements of a vector type."""

    name: str
    dtype: str
    pointer: bool
    constant: bool
    count: int = 1


@dataclass(frozen=True, slots=True)
class Found:
    """One kernel of a source: its parameters, its template's arguments, and the text of its body."""

    name: str
    line: int
    parameters: tuple[Parameter, ...]
    instance: str
    body: bytes
    problem: str = ""


def kernels(data: bytes) -> Iterator[Found]:
    """The kernels that a source defines."""
    code = lex(data).code
    for match in re.finditer(rb"__global__\b", code):
        opened = _parameters_at(code, match.end())
        if opened is None:
            continue
        name, start, end = opened
        if not code[end + 1 :].lstrip().startswith(b"{"):
            continue  # a declaration
        head = _TEMPLATE.search(code[: match.start()])
        first = code.index(b"{", end)
        body = code[first : _closing(code, first)]
        line = code.count(b"\n", 0, match.start()) + 1
        yield _found(name.decode(), code[start:end], head[1] if head else b"", body, line)


def _parameters_at(code: bytes, at: int) -> tuple[bytes, int, int] | None:
    """(name, start, end) of the parameter list after `__global__`; launch bounds and attributes are passed over."""
    while True:
        match = re.compile(rb"[^;{}()]*?(\w+)\s*\(").match(code, at)
        if match is None:
            return None
        end = _closing(code, match.end() - 1)
        if match[1] not in {b"__launch_bounds__", b"__attribute__", b"__cluster_dims__"}:
            return match[1], match.end(), end - 1
        at = end


def _closing(code: bytes, at: int) -> int:
    depth = 0
    for match in re.finditer(rb"[(){}]", code[at:]):
        depth += 1 if match[0] in b"({" else -1
        if depth == 0:
            return at + match.end()
    return len(code)


def _found(name: str, parameters: bytes, template: bytes, body: bytes, line: int) -> Found:
    instance, types, problem = _instance(template.decode("utf-8", "replace"))
    rows: list[Parameter] = []
    for text in _split(parameters.decode("utf-8", "replace")):
        row = _parameter(text, types)
        problem = problem or ("" if row.dtype else f"the type of `{text.strip()}` is not known here")
        rows.append(row)
    return Found(name, line, tuple(rows), instance, body, problem)


def _instance(template: str) -> tuple[str, dict[str, str], str]:
    """(`<float, 256>`, type parameter -> C++ type, what is not known) of a template's parameters."""
    if not template.strip():
        return "", {}, ""
    words, types, problem = [], {}, ""
    for part in _split(template):
        kind, _, default = part.partition("=")
        pieces = kind.split()
        if pieces[0] in {"typename", "class"} and len(pieces) > 1:
            types[pieces[-1]] = default.strip() or "float"
            words.append(types[pieces[-1]])
        elif default.strip():
            words.append(default.strip())
        else:
            words.append("true" if pieces[0] == "bool" else "32")
            problem = f"the template's `{kind.strip()}` was taken as {words[-1]}"
    return f"<{', '.join(words)}>", types, problem


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "<([{") - (char in ">)]}")
        if char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part for part in (*parts, text[start:]) if part.strip()]


def _parameter(text: str, types: Mapping[str, str]) -> Parameter:
    match = re.match(r"(.*?)(\w+)\s*(\[[^\]]*\])?\s*\Z", text.partition("=")[0].strip(), re.DOTALL)
    kind, name, array = (match[1], match[2], match[3]) if match else (text, "", "")
    pointer = "*" in kind or bool(array)
    plain = " ".join(_WORDS.sub(" ", kind.replace("*", " ").replace("&", " ")).split())
    plain = types.get(plain, plain).removeprefix("std::")
    vector = _VECTORS.match(plain)
    if vector:
        scalar = _VECTOR_TYPES.get(vector[1]) or _TYPES[vector[1]]
        return Parameter(name, scalar, pointer, "const" in kind, int(vector[2]))
    return Parameter(name, _TYPES.get(plain, ""), pointer, "const" in kind.partition("*")[0])


def proposal(sources: Sequence[tuple[str, bytes, Sequence[Mapping[str, Any]]]]) -> str:
    """The text of a verify.toml for (path, bytes, closures of `hipport closure`) of each source."""
    lines = [
        "# Proposed by `hipport verify init`. Shapes, sizes and roles are guesses from names and launches: check them.",
        "# docs/verify.md says what each key means.",
    ]
    taken: set[str] = set()
    for path, data, closures in sources:
        by_name = {one["kernel"].rpartition("::")[2]: one for one in closures}
        for found in kernels(data):
            lines += ["", *_case(path, data, found, by_name.get(found.name), taken)]
    if any(re.search(rb"\bint\s+main\s*\(", lex(data).code) for _, data, _ in sources):
        lines += ["", "[[case]]", 'name = "program"', 'kind = "program"', 'source = "."']
        lines += ["args = []", "ignore = ['[0-9.]+ *(ms|us|s|GB/s)\\b']"]
    return "\n".join(lines) + "\n"


def _case(path: str, data: bytes, found: Found, closure: Mapping[str, Any] | None, taken: set[str]) -> list[str]:
    name = found.name if found.name not in taken else f"{found.name}_{found.line}"
    taken.add(name)
    problem = found.problem or ("" if _outputs(found) else "no parameter is written through")
    mark = "# " if any(not row.dtype for row in found.parameters) or not _outputs(found) else ""
    launch = closure["launches"][0] if closure and closure["launches"] else None
    block = [n for n in (launch["block"] if launch else []) if n] or [256]
    while len(block) > 1 and block[-1] == 1:
        block.pop()
    threads = 1
    for n in block:
        threads *= n
    lines = [f"# {path}:{found.line}" + (f": {problem}" if problem else "")]
    lines += ["[[case]]", f'name = "{name}"', f'source = "{path}"', f'kernel = "{_scoped(closure, found.name)}"']
    lines += [f'instantiate = "{found.instance}"'] if found.instance else []
    lines += ["kernels_only = true"] if re.search(rb"<(torch|ATen|c10)/|<cublas|<cub/|<thrust/", data) else []
    lines.append(f'grid = "ceil(n / {threads})"')
    lines.append(f"block = {block if len(block) > 1 else block[0]}")
    if launch and launch.get("dynamic_lds_bytes"):
        lines.append(f"shared = {launch['dynamic_lds_bytes']}")
    lines += ['families = "all"', f'contract = "{_contract(found)}"']
    for row in found.parameters:
        lines += ["", *_argument(row, found)]
    return [mark + line if mark and line else line for line in lines]


def _scoped(closure: Mapping[str, Any] | None, name: str) -> str:
    return str(closure["kernel"]) if closure and "(" not in str(closure["kernel"]) else name


def _outputs(found: Found) -> list[Parameter]:
    return [row for row in found.parameters if row.pointer and not row.constant]


def _contract(found: Found) -> str:
    floats = [row for row in found.parameters if row.dtype.startswith(("float", "bfloat"))]
    if not floats:
        return "exact"
    return "accelerated:fast-math" if _FAST.search(found.body) else "strict-f32"


def _argument(row: Parameter, found: Found) -> list[str]:
    lines = ["[[case.arg]]", f'name = "{row.name}"']
    if not row.pointer:
        real = row.dtype.startswith(("float", "bfloat"))
        value = "1.0" if real else '"n"'
        return [*lines, f"value = {value}", *([f'dtype = "{row.dtype}"'] if real else [])]
    role = "in" if row.constant else "inout" if _updated(row.name, found.body) else "out"
    shape = '["n"]' if row.count == 1 else f'["{row.count} * n"]'
    lines += [f'role = "{role}"', f'dtype = "{row.dtype}"', f"shape = {shape}"]
    if role == "inout":
        lines.append('fill = "zeros"')
    if role == "in" and row.dtype.startswith(("int", "uint")):
        lines.append('high = "n"')
    return lines


def _updated(name: str, body: bytes) -> bool:
    """Whether a kernel reads what it writes: an atomic, or `+=` and its like."""
    own = re.escape(name.encode())
    return bool(
        re.search(rb"\batomic\w+\s*\(\s*&?\s*" + own + rb"\b", body)
        or re.search(rb"\b" + own + rb"\s*\[[^;]*?\]\s*(?:[-+*/|&^]|<<|>>)=", body)
        or re.search(rb"\b(?:[-+]{2})\s*" + own + rb"\b", body)
    )
