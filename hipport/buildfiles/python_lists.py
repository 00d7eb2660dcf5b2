"""Lists of options, libraries and sources in Python build code: what ROCm's branch gets instead of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from hipport.buildfiles import flags
from hipport.buildfiles.python_source import PythonSource, call_name, dotted, string_value
from hipport.model import Safety

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hipport.buildfiles.locations import Sources

NVCC_KEYS = {"nvcc", "nvcc_dlink"}
_FLAG_KEYWORDS = {"extra_cuda_cflags", "extra_cuda_args"}
_CUDA_ARCH_PART = re.compile(r"arch=(?:compute|sm)_|(?:compute|sm)_[\d$]")


@dataclass(frozen=True, slots=True)
class NewList:
    """What a list's elements become: their source texts, with what to say about it."""

    elements: tuple[str, ...]
    safety: Safety
    messages: tuple[str, ...]
    left: tuple[tuple[str, str], ...]  # message and next step of what a person must decide
    changed: bool
    rule: str


def elements(node: cst.List | cst.Tuple) -> list[cst.BaseExpression]:
    """The values of a list, a star's operand included as it is."""
    return [e.value for e in node.elements]


def is_plain(py: PythonSource, node: cst.CSTNode) -> bool:
    """Whether a list holds no other lists, dicts or functions: names and calls that make names."""
    return not any(isinstance(at, (cst.List, cst.DictElement)) for at in py.inside(node))


def is_star(node: cst.List | cst.Tuple, index: int) -> bool:
    """Whether an element is `*other`."""
    return isinstance(node.elements[index], cst.StarredElement)


def nvcc_names(py: PythonSource) -> frozenset[str]:
    """The variables whose lists reach nvcc (key "nvcc", extra_cuda_cflags), through other variables too."""
    ours: set[str] = set()
    theirs: set[str] = set()
    sums: list[tuple[str, set[str]]] = []
    for node in py.nodes():
        if isinstance(node, cst.DictElement):
            key = string_value(node.key)
            if key in NVCC_KEYS | {"cxx"}:
                (ours if key in NVCC_KEYS else theirs).update(_names(node.value))
        elif isinstance(node, cst.Arg) and node.keyword is not None:
            keyword = node.keyword.value
            if keyword in _FLAG_KEYWORDS | {"extra_cflags"}:
                (ours if keyword in _FLAG_KEYWORDS else theirs).update(_names(node.value))
        elif isinstance(node, (cst.Assign, cst.AugAssign)):
            for target in [t.target for t in node.targets] if isinstance(node, cst.Assign) else [node.target]:
                key = _key(target)
                if key in NVCC_KEYS:
                    ours |= _names(node.value)
                elif isinstance(target, cst.Name):
                    sums.append((target.value, _names(node.value)))
    for _ in sums:
        before = len(ours)
        for name, parts in sums:
            if name in ours:
                ours |= parts
        if len(ours) == before:
            break
    return frozenset(ours - theirs)


def _names(node: cst.BaseExpression) -> set[str]:
    """The variables of a sum of lists (not those inside of its lists or calls)."""
    if isinstance(node, cst.Name):
        return {node.value}
    if isinstance(node, cst.BinaryOperation):
        return _names(node.left) | _names(node.right)
    if isinstance(node, cst.IfExp):
        return _names(node.body) | _names(node.orelse)
    if isinstance(node, (cst.List, cst.Tuple)):
        return {
            e.value.value for e in node.elements if isinstance(e, cst.StarredElement) and isinstance(e.value, cst.Name)
        }
    return set()


def _key(target: cst.CSTNode) -> str:
    if isinstance(target, cst.Subscript) and len(target.slice) == 1 and isinstance(target.slice[0].slice, cst.Index):
        return string_value(target.slice[0].slice.value) or ""
    return ""


def owned(py: PythonSource, node: cst.CSTNode, names: frozenset[str]) -> bool:
    """Whether a list goes to nvcc: where it stands, or the variable that it is put into."""
    for parent in py.parents(node):
        if isinstance(parent, cst.DictElement):
            return string_value(parent.key) in NVCC_KEYS
        if isinstance(parent, cst.Arg):
            if parent.keyword is not None:
                return parent.keyword.value in _FLAG_KEYWORDS
            call = py.parent(parent)
            if call_name(call) not in {"append", "extend", "insert"} or not isinstance(call, cst.Call):
                return False
            receiver = call.func.value if isinstance(call.func, cst.Attribute) else None
            return _holds(receiver, names)
        if isinstance(parent, cst.Assign):
            return any(_holds(t.target, names) for t in parent.targets)
        if isinstance(parent, cst.AugAssign):
            return _holds(parent.target, names)
        if isinstance(parent, cst.BaseCompoundStatement):
            return False
    return False


def _holds(target: cst.CSTNode | None, names: frozenset[str]) -> bool:
    if target is None:
        return False
    return _key(target) in NVCC_KEYS or dotted(target) in names


def new_flags(py: PythonSource, node: cst.List | cst.Tuple, *, mine: bool) -> NewList | None:
    """The list for ROCm's compiler, or None where nothing in it is nvcc's."""
    values = elements(node)
    words: list[str] = []
    whose: list[int] = []  # the element of each word
    for index, value in enumerate(values):
        text = string_value(value)
        parts = ["$x"] if text is None else text.split() if text.startswith("-") and " " in text else [text]
        words += parts
        whose += [index] * len(parts)
    if not mine and not any(
        u.option.action not in {"library", "define"} or u.value in flags.table().libraries
        for u in flags.uses(words, owned=False)
    ):
        return None
    changes = list(flags.translate(words, targets=(), owned=mine, keep_arch=False))
    out: list[tuple[int, str]] = []  # element and its new source
    done = 0
    for change in changes:
        out += _kept(py, node, words, whose, done, change.first)
        said = {source for _, source in out}
        out += [(whose[change.first], f'"{word}"') for word in change.words if f'"{word}"' not in said]
        done = change.last
    out += _kept(py, node, words, whose, done, len(words))
    applied = [c for c in changes if c.safety is not Safety.MANUAL]
    # a file that asks for HIP itself has decided what its macros are
    out, renamed = _torch_defines(out) if mine and "version.hip" not in py.text else (out, ())
    review = renamed or any(c.safety is Safety.REVIEW for c in applied)
    return NewList(
        elements=tuple(source for _, source in out),
        safety=Safety.REVIEW if review else Safety.SAFE,
        messages=(*(c.message for c in applied), *renamed),
        left=tuple((c.message, c.next_step) for c in changes if c.safety is Safety.MANUAL),
        changed=bool(applied or renamed),
        rule="build-flag",
    )


def _kept(
    py: PythonSource, node: cst.List | cst.Tuple, words: Sequence[str], whose: Sequence[int], first: int, last: int
) -> Iterator[tuple[int, str]]:
    """The elements of the words that stay, once each; a part of an element as a string of its own."""
    at = first
    while at < last:
        index = whose[at]
        stop = at
        while stop < last and whose[stop] == index:
            stop += 1
        if whose.count(index) == stop - at:
            star = "*" if is_star(node, index) else ""
            yield index, star + py.source(node.elements[index].value)
        else:
            for word in words[at:stop]:
                if not _CUDA_ARCH_PART.match(word):
                    yield index, f'"{word}"'
        at = stop


def _torch_defines(out: list[tuple[int, str]]) -> tuple[list[tuple[int, str]], tuple[str, ...]]:
    """`-DWITH_CUDA` as two words: torch would turn it into -DWITH_HIP for the sources that hipcc compiles."""
    new: list[tuple[int, str]] = []
    names = []
    for index, source in out:
        match = re.fullmatch(r"""(["'])-D([A-Za-z_]\w*CUDA\w*|CUDA\w*)(=[^"']*)?\1""", source)
        if match:
            names.append(match[2])
            new += [(index, '"-D"'), (index, f'"{match[2]}{match[3] or ""}"')]
        else:
            new.append((index, source))
    said = tuple(f"`-D{n}` in two words: torch would rename it with HIP for device code alone" for n in names)
    return new, said


def new_libraries(py: PythonSource, node: cst.List | cst.Tuple) -> NewList | None:
    """The libraries to link instead, or None where none is CUDA's."""
    table = flags.table().libraries
    out: list[str] = []
    messages: list[str] = []
    left: list[tuple[str, str]] = []
    for index, value in enumerate(elements(node)):
        name = string_value(value)
        library = table.get(name or "")
        if library is None:
            out.append(("*" if is_star(node, index) else "") + py.source(value))
        elif library.manual:
            left.append((f"`{name}`: {library.note}", f"then link `{library.hip or 'nothing'}`"))
            out.append(py.source(value))
        elif library.hip in {"", "amdhip64"}:
            messages.append(f"`{name}` is dropped: torch links amdhip64")
        else:
            messages.append(f"`{name}` becomes `{library.hip}`")
            if f'"{library.hip}"' not in out:
                out.append(f'"{library.hip}"')
    if not messages and not left:
        return None
    return NewList(tuple(out), Safety.SAFE, tuple(messages), tuple(left), bool(messages), "build-library")


def source_edits(py: PythonSource, node: cst.CSTNode, sources: Sources) -> Iterator[tuple[int, int, str]]:
    """The names of ported sources in an expression: start, end and the new text of each."""
    for at in (node, *py.inside(node)):
        if isinstance(at, (cst.SimpleString, cst.FormattedStringText)):
            span = py.span(at)
            text = py.text[span.start : span.end]
            body = text.rstrip("\"'") if isinstance(at, cst.SimpleString) else text
            name = re.sub(r"^[A-Za-z]*[\"']+", "", body) if isinstance(at, cst.SimpleString) else body
            if new_source(name, sources):
                cut = span.start + len(body) - 3
                yield cut, cut + 3, ".hip"


def new_source(name: str, sources: Sources) -> bool:
    """Whether a source name in Python code, or the end of one (`_cuda.cu`, `*.cu`, `.cu`), was ported to `.hip`."""
    if not name.endswith(".cu") or any(c in name for c in " \n\t"):
        return False
    new = sources.new_name(name)
    if new is not None:
        return new.endswith(".hip")
    plain = re.fullmatch(r"[\w./-]+\.cu", name) and not name.startswith((".", "_", "/"))
    return sources.uniform and (not plain or sources.known(name))
