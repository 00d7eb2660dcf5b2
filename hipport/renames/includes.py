"""#include lines: CUDA headers, headers that the port renames, no duplicates, and nvcc's implicit include."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hipport.model import Finding, Safety, Status
from hipport.patterns import pattern
from hipport.renames.conditionals import is_guard
from hipport.renames.launches import has_launches

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.model import RenameRule
    from hipport.renames.reading import Reading
    from hipport.renames.table import RuleTable

RUNTIME = b"hip/hip_runtime.h"
_INCLUDE = pattern(rb"#[ \t]*(?:include|include_next|import)[ \t]*([<\"])")
_PRAGMA_ONCE = pattern(rb"#[ \t]*pragma[ \t]+once\b[^\n]*\n?")
_GUARD = pattern(
    rb"#[ \t]*ifndef[ \t]+(\w+)[ \t]*\r?\n(?=\s*(?:#[ \t]*pragma[ \t]+once\s*)?#[ \t]*define[ \t]+\1\b)"
    rb"(?:(?:[ \t]*\r?\n)*[ \t]*#[ \t]*define[ \t]+\1\b[^\n]*\n?)?"
)
_COMPILER = pattern(rb"\s*(?:defined\s*\(?\s*)?(?:__CUDACC__|__NVCC__|__HIPCC__)\s*\)?\s*")
# headers that HIP lacks, and the words without which a file makes no use of them
_UNUSED_WITHOUT = {
    b"cooperative_groups/reduce.h": frozenset({b"reduce", b"reduce_update_async", b"reduce_store_async"}),
    b"cooperative_groups/scan.h": frozenset(
        {b"inclusive_scan", b"exclusive_scan", b"inclusive_scan_update", b"exclusive_scan_update"}
    ),
    b"cooperative_groups/memcpy_async.h": frozenset({b"memcpy_async", b"wait", b"wait_prior"}),
}
_TRANSLATION_UNITS = (".cu",)
_HOST_UNITS = (".cpp", ".cc", ".cxx", ".c", ".C")
_TEMPLATE_SUFFIX = pattern(r"\.(?:j2|jinja2?|in)$")
# cuda_runtime.h brings <string.h>, HIP's runtime does not; these headers do
_STRING_WORDS = frozenset(
    {b"memcpy", b"memset", b"memcmp", b"memmove", b"memchr", b"strlen", b"strcmp", b"strncmp", b"strcpy", b"strncpy"}
    | {b"strcat", b"strncat", b"strchr", b"strrchr", b"strstr", b"strdup", b"strtok", b"strerror"}
)
_BRINGS_STRING = pattern(
    rb"cstring|string\.h|memory\.h|(?:thrust|cub|hipcub|rocprim)/.*|(?:cu|hip)rand_kernel\.h|torch/.*"
)
_STRING = b"string.h"
# hipBLAS takes half as a 16-bit integer, unless this is defined before its header: calls whose arguments are in sight
# are cast (rules/cublas), those that a macro hides need it
_HIDDEN_HALF = pattern(rb"(?<!\w)cublasHgemm\w*\s*\(\s*\w+\s*\)")
_BLAS = b"hipblas/hipblas.h"
_HALF = b"#define HIPBLAS_USE_HIP_HALF"
# cublas_api.h brings CUDA's headers of halves and of bfloat16, hipblas.h does not
_BLAS_HEADERS = frozenset({b"cublas.h", b"cublas_v2.h", b"cublas_api.h", b"cublasLt.h", b"cusolverDn.h"})
_HALVES = rb"(?<![\w.:])(?:(?:__half2?|half2|__(?:float|double)2half\w*|__half2\w+)(?!\w)|half\s*(?:>|\*\s*[A-Za-z_]))"
_BROUGHT = (
    (b"hip/hip_fp16.h", pattern(_HALVES)),
    (b"hip/hip_bf16.h", pattern(rb"(?<![\w.:])(?:(?:__)?nv_bfloat162?(?!\w)|__float2bfloat16)")),
)
_DEVICE_WORDS = frozenset({b"__global__", b"__device__", b"__shared__", b"__constant__"})


class Include(NamedTuple):
    """One #include: `directive` is the byte range of all of it, `path` that of what stands in its brackets."""

    directive: tuple[int, int]
    path: tuple[int, int]
    name: bytes
    local: bool


def read_includes(reading: Reading) -> list[Include]:
    """Every #include in code, in order."""
    data, found = reading.source.data, []
    for match in _INCLUDE.finditer(reading.code):
        line_start = reading.code.rfind(b"\n", 0, match.start()) + 1
        if reading.code[line_start : match.start()].strip():
            continue
        closing = b">" if match[1] == b"<" else b'"'
        end = data.find(closing, match.end())
        newline = data.find(b"\n", match.end())
        if end < 0 or (0 <= newline < end):
            continue
        name = data[match.end() : end].strip()
        found.append(Include((match.start(), end + 1), (match.end(), end), name, match[1] == b'"'))
    return found


def find_includes(
    reading: Reading, table: RuleTable, local_headers: Mapping[str, str], *, implicit: bool
) -> Iterator[Finding]:
    """Findings about includes; `implicit` says that nvcc would include the runtime before this file."""
    includes = [i for i in read_includes(reading) if not reading.is_dead(i.directive[0])]
    at_top = implicit and is_unit(reading) and not _has_runtime_first(reading, includes, table)
    seen: dict[bytes, list[tuple[int, ...]]] = {RUNTIME: [()]} if at_top else {}
    wants_string = implicit and is_unit(reading) and _wants_string(reading, includes)
    if at_top:
        place, prefix = implicit_place(reading, includes)
        newline = b"\r\n" if b"\r\n" in reading.source.data else b"\n"
        text = prefix + b"#include <" + RUNTIME + b">" + newline
        if wants_string:
            text += b"#include <" + _STRING + b">" + newline
            wants_string = False
        yield reading.finding(
            "include", place, place, "nvcc includes cuda_runtime.h by itself; HIP needs `hip/hip_runtime.h`",
            Safety.SAFE, Status.RENAMED, "include", edits=((place, place, text),),
        )  # fmt: skip
    brought = _brought(reading, includes)
    for include in includes:
        new, rule = _target(include, table, local_headers)
        path = reading.conditionals.path(include.directive[0])
        header = new or include.name
        is_ours = header != include.name or header.startswith((b"hip", b"roc"))
        earlier = seen.setdefault(header, [])
        covered = is_ours and any(path[: len(other)] == other for other in earlier)
        earlier.append(path)
        if new == RUNTIME and wants_string and not covered:
            new, wants_string = _with_more(reading, include, RUNTIME, (_STRING,)), False
        if new and include.name in _BLAS_HEADERS and brought:
            new, brought = _with_more(reading, include, new, brought), ()
        finding = _finding(reading, include, new, rule, covered=covered)
        if finding is not None:
            yield finding


def _wants_string(reading: Reading, includes: list[Include]) -> bool:
    """Whether a file uses functions of <string.h> that only CUDA's runtime header brings it."""
    return bool(reading.words & _STRING_WORDS) and not any(_BRINGS_STRING.fullmatch(i.name) for i in includes)


def _brought(reading: Reading, includes: list[Include]) -> tuple[bytes, ...]:
    """The headers of types that a file has through cuBLAS's header alone."""
    names = [i.name for i in includes]
    if not any(name in _BLAS_HEADERS for name in names):
        return ()
    kinds = ((header, used, header[-6:-2]) for header, used in _BROUGHT)
    return tuple(h for h, used, kind in kinds if not any(kind in n for n in names) and used.search(reading.code))


def _with_more(reading: Reading, include: Include, path: bytes, more: tuple[bytes, ...]) -> bytes:
    """The path of an include, and further includes after it."""
    data = reading.source.data
    opening, closing = data[include.path[0] - 1 : include.path[0]], data[include.path[1] : include.path[1] + 1]
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    return path + b"".join(closing + newline + b"#include " + opening + header for header in more)


def _target(include: Include, table: RuleTable, local_headers: Mapping[str, str]) -> tuple[bytes, RenameRule | None]:
    """The new path of an include (empty: it stays, or has none), and the rule that says so."""
    text = include.name.decode("utf-8", "surrogateescape")
    if text in local_headers:
        return local_headers[text].encode("utf-8", "surrogateescape"), None
    rule = header_rule(table, include.name)
    return (b"", None) if rule is None else (rule.hip.encode(), rule)


@lru_cache(maxsize=4096)
def header_rule(table: RuleTable, name: bytes) -> RenameRule | None:
    """The rule of a header, if there is one; kept, because a tree asks for few headers and often."""
    return table.includes.get(name)


def _finding(
    reading: Reading, include: Include, new: bytes, rule: RenameRule | None, *, covered: bool
) -> Finding | None:
    start, end = include.directive
    name = include.name.decode("utf-8", "replace")
    family = rule.family if rule else "include"
    if covered:
        if new or include.name == RUNTIME:
            first, last = _whole_line(reading, start, end)
            return reading.finding(
                "include", start, end, f"`{name}` would include `{(new or include.name).decode()}` twice", Safety.SAFE,
                Status.RENAMED, family, edits=((first, last, b""),),
            )  # fmt: skip
        return None
    if include.name in _UNUSED_WITHOUT and not reading.words & _UNUSED_WITHOUT[include.name]:
        first, last = _whole_line(reading, start, end)
        return reading.finding(
            "include", start, end, f"HIP has no `{name}`, and nothing of it is used here", Safety.SAFE,
            Status.RENAMED, family, edits=((first, last, b""),),
        )  # fmt: skip
    if rule is not None and not rule.hip:
        return reading.finding(
            "unsupported", start, end, f"`{name}` has no HIP counterpart", Safety.MANUAL, Status.UNSUPPORTED, family,
            next_step=rule.note,
        )  # fmt: skip
    if not new or new == include.name:
        return None
    safety = rule.safety if rule else Safety.SAFE
    status = Status.RENAMED if safety is Safety.SAFE else Status.REVIEW
    edits: tuple[tuple[int, int, bytes], ...] = ((*include.path, new),)
    if new == _BLAS and _HIDDEN_HALF.search(reading.code) and not reading.code[start - 1 : start].strip():
        newline = b"\r\n" if b"\r\n" in reading.source.data else b"\n"
        edits = ((start, start, _HALF + newline), *edits)
    shown = new.partition(b"\n")[0].rstrip(b'>"\r').decode("utf-8", "replace")
    return reading.finding(
        "include", start, end, f"`{name}` is `{shown}`", safety, status, family,
        edits=edits, next_step=rule.note if rule else "",
    )  # fmt: skip


def _whole_line(reading: Reading, start: int, end: int) -> tuple[int, int]:
    """The range to delete with a directive: its line, but not a comment that follows it."""
    data = reading.source.data
    first = reading.line_start(start)
    newline = data.find(b"\n", end)
    stop = len(data) if newline < 0 else newline + 1
    return (first, stop) if not data[end:stop].strip() else (start, end)


def is_unit(reading: Reading) -> bool:
    """Whether nvcc would compile this file by itself, with its implicit include."""
    path = _TEMPLATE_SUFFIX.sub("", reading.source.path)
    if path.endswith(_TRANSLATION_UNITS):
        return bool(reading.words)
    return path.endswith(_HOST_UNITS) and (bool(reading.words & _DEVICE_WORDS) or has_launches(reading))


def _has_runtime_first(reading: Reading, includes: list[Include], table: RuleTable) -> bool:
    """Whether the runtime is included in every case, with only system headers before it."""
    if reading.conditionals.serves_hip and any(i.name == RUNTIME for i in includes):
        return True
    at = 0
    for include in includes:
        gap = reading.code[at : include.directive[0]]
        rule = header_rule(table, include.name)
        if include.name == RUNTIME or (rule is not None and rule.hip.encode() == RUNTIME):
            return _always_compiled(reading, include)
        if include.local or not _only_directives(gap):
            return False
        at = include.directive[1]
    return False


def _always_compiled(reading: Reading, include: Include) -> bool:
    """Whether only include guards and tests for the CUDA compiler, which become tests for HIP, surround an include."""
    for index in reading.conditionals.path(include.directive[0]):
        branch = reading.conditionals.branches[index]
        condition = reading.code[branch.condition[0] : branch.condition[1]]
        asks_for_compiler = branch.keyword in (b"if", b"ifdef") and _COMPILER.fullmatch(condition)
        if not (asks_for_compiler or is_guard(reading.code, branch)):
            return False
    return True


def _only_directives(gap: bytes) -> bool:
    """Whether nothing but directives, using-directives and blanks stands in a stretch of code."""
    lines = (line.strip() for line in gap.split(b"\n"))
    return all(not line or line.startswith((b"#", b"using namespace std", b"{%")) for line in lines)


def implicit_place(reading: Reading, includes: list[Include]) -> tuple[int, bytes]:
    """Where nvcc's implicit include belongs, as an offset and what must stand before the line there."""
    code = reading.code[:-1]
    first = len(code) - len(code.lstrip())
    for opening in (_PRAGMA_ONCE, _GUARD):
        match = opening.match(code, first)
        if match:
            text = match[0]
            return match.end(), b"" if text.endswith(b"\n") else b"\n"
    if first == len(code):
        return len(code), b""
    if code[first] == 35:  # a directive: right before it, or before the first include where only directives precede
        return _before_first_include(reading, includes, first), b""
    return _above_comment(reading, first), b""


def _before_first_include(reading: Reading, includes: list[Include], first: int) -> int:
    for include in includes:
        start = include.directive[0]
        if not _only_directives(reading.code[first:start]):
            break
        path = reading.conditionals.path(start)
        if path:
            branch = reading.conditionals.branches[path[0]]
            start = reading.code.rfind(b"#", 0, branch.condition[0])
            if any(b.chain == branch.chain and b.start < branch.start for b in reading.conditionals.branches):
                break
        return _line_or_token(reading, start)
    return _line_or_token(reading, first)


def _line_or_token(reading: Reading, position: int) -> int:
    """The start of the line of a token, or the token where a comment or a BOM stands before it on that line."""
    start = reading.line_start(position)
    return position if reading.source.data[start:position].strip() else start


def _above_comment(reading: Reading, first: int) -> int:
    """The start of the comment that stands directly above the first code, or of that code's line."""
    data = reading.source.data
    place = _line_or_token(reading, first)
    if place == first and place != reading.line_start(first):
        return place
    while place:
        above = data.rfind(b"\n", 0, place - 1) + 1
        if not data[above : place - 1].strip():
            break
        place = above
    return 3 if place < 3 and data.startswith(b"\xef\xbb\xbf") else place
