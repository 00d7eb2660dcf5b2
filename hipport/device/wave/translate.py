"""Preprocessed CUDA or HIP source -> C++ that any compiler takes: what the language itself cannot say, and no more."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipport.device.wave import ptx
from hipport.device.wave.tokens import Tokens, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDS = {";", "{", "}"}
_ATTRIBUTES = {"__attribute__", "__launch_bounds__", "alignas", "__declspec"}


@dataclass(slots=True)
class _Edits:
    """Insertions and replacements by place; applied once, at the end."""

    rows: list[tuple[int, int, str]] = field(default_factory=list)

    def replace(self, start: int, end: int, text: str) -> None:
        self.rows.append((start, end, text))

    def insert(self, at: int, text: str) -> None:
        self.rows.append((at, at, text))

    def applied(self, text: str) -> str:
        parts, at = [], 0
        for start, end, new in sorted(self.rows, key=lambda row: (row[0], row[1])):
            parts += [text[at:start], new, _line_ends(text[start:end])]
            at = max(at, end)
        return "".join([*parts, text[at:]])


def _line_ends(removed: str) -> str:
    """What keeps later lines at their numbers; line markers within are kept too."""
    markers = re.findall(r"^#[^\n]*$", removed, re.MULTILINE)
    return "\n" + "\n".join(markers) + "\n" if markers else "\n" * removed.count("\n")


def translate(text: str, *, kernels: bool, wanted: tuple[str, ...] = ()) -> str:
    """Rewrite preprocessed text.

    Args:
        text: of `-E`, with its line markers.
        kernels: also register kernels, so that they can be launched by name.
        wanted: template instances, `axpy<float>`, to register as well.
    """
    source = tokens(text)
    edits = _Edits()
    names: set[str] = set()
    for at, word in enumerate(source.words):
        if word == "__global__":
            _kernel(source, at, edits, names, register=kernels)
        elif word == "__shared__":
            _shared(source, at, edits)
        elif word == "__constant__":
            _constant(source, at, edits)
        elif word == "<<<":
            _launch(source, at, edits)
        elif word == "__noinline__" and source.words[at - 1] not in {"(", ","}:
            edits.replace(source.starts[at], source.end(at), "__attribute__((noinline))")
        elif word == "__launch_bounds__" and source.words[at + 1] == "(":
            edits.replace(source.starts[at], source.end(source.partner[at + 1]), "")
        elif word in {"asm", "__asm__", "__asm"}:
            _assembly(source, at, edits)
        elif word in _LAUNCHERS:
            _launcher(source, at, edits)
    if kernels:
        _instances(source, edits, names)
    result = edits.applied(text)
    extra = [f"\n{_registration(name, f'&{name}', number)}" for number, name in enumerate(wanted, 1_000_000)]
    return result + "".join(extra) + "\n"


# --- kernels


def _parameter_list(source: Tokens, at: int) -> int:
    """The `(` of the parameters of the function declared from token `at` on; -1 if it is no function."""
    while at < len(source.words):
        word = source.words[at]
        if word in _ENDS:
            return -1
        if word in _ATTRIBUTES and source.words[at + 1 : at + 2] == ("(",):
            at = source.partner.get(at + 1, at + 1) + 1
            continue
        if word == "(":
            return at if at in source.partner else -1
        at += 1
    return -1


def _name_start(source: Tokens, at: int) -> int:
    """The first token of the (qualified, templated) name that ends at token `at`."""
    while True:
        if source.words[at] in {">", ">>>"}:
            at = _angle_start(source, at) - 1
        if at < 1 or source.words[at - 1] != "::":
            return at
        if at >= 2 and (re.match(r"\w", source.words[at - 2]) or source.words[at - 2] in {">", ">>>"}):
            at -= 2
        else:
            return at - 1


def _angle_start(source: Tokens, at: int) -> int:
    """The `<` that the `>` at `at` closes."""
    depth = 0
    while at >= 0:
        word = source.words[at]
        if word in {")", "]", "}"} and at in source.partner:
            at = source.partner[at]
        elif word in {">", ">>>"}:
            depth += len(word)
        elif word == "<":
            depth -= 1
            if depth <= 0:
                return at
        at -= 1
    return 0


def _statement(source: Tokens, at: int) -> int:
    """The first token of the declaration that holds token `at`."""
    while at > 0 and source.words[at - 1] not in _ENDS:
        at = source.partner[at - 1] if source.words[at - 1] in {")", "]"} and at - 1 in source.partner else at - 1
        if source.words[at - 1] == ":" and source.words[at - 2] in {"public", "private", "protected"}:
            break
    return at


def _kernel(source: Tokens, at: int, edits: _Edits, names: set[str], *, register: bool) -> None:
    edits.replace(source.starts[at], source.end(at), "__attribute__((used))")
    opening = _parameter_list(source, at + 1)
    if opening < 0:
        return
    first = _name_start(source, opening - 1)
    name = "".join(source.words[first:opening])
    names.add(re.sub(r"<.*", "", name))
    body = source.partner[opening] + 1
    while body < len(source.words) and source.words[body] not in _ENDS:
        body += 1
    if body >= len(source.words) or source.words[body] != "{" or body not in source.partner:
        return
    close = source.partner[body]
    shown = _scope(source, at) + name
    edits.insert(source.end(body), f'::hipport_wave::enter("{shown}", [=]() mutable {{')
    edits.insert(source.starts[close], "});")
    begin = source.words[_statement(source, at) : at]
    templated = "template" in begin and begin[begin.index("template") + 1 : begin.index("template") + 3] != ("<", ">")
    if register and not templated:
        address = _address(source, opening, name)
        edits.insert(source.end(close), _registration(shown, address, at))


def _address(source: Tokens, opening: int, name: str) -> str:
    """The kernel's address, its parameters named so that overloads are told apart."""
    words = source.words[opening : source.partner[opening]]
    if "=" in words:  # default arguments have no place in a type
        return f"&{name}"
    return f"(void (*){source.between(opening, source.partner[opening])})&{name}".replace("\n", " ")


def _registration(shown: str, address: str, number: int) -> str:
    call = f'::hipport_wave::register_kernel("{shown}", {address}, 0)'
    return f" static const int hipport_registered_{number} __attribute__((used)) = {call};"


def _scope(source: Tokens, at: int) -> str:
    """The namespaces around a token: `a::b::`."""
    names: list[str] = []
    brace = source.around[at]
    while brace >= 0:
        start = brace
        while start > 0 and source.words[start - 1] not in _ENDS:
            start -= 1
        head = [word for word in source.words[start:brace] if word != "inline"]
        if head[:1] == ["namespace"]:
            names.append("".join(head[1:]) or "(anonymous namespace)")
        brace = source.around[brace]
    return "".join(f"{name}::" for name in reversed(names))


def _instances(source: Tokens, edits: _Edits, names: set[str]) -> None:
    """Explicit instantiations of kernels are registered too."""
    for at, word in enumerate(source.words):
        if word != "template" or source.words[at + 1 : at + 2] == ("<",) or source.words[at - 1] in {"::", ".", "->"}:
            continue
        opening = _parameter_list(source, at + 1)
        if opening < 0 or source.words[source.partner[opening] + 1] != ";":
            continue
        name = "".join(source.words[_name_start(source, opening - 1) : opening])
        if re.sub(r"<.*", "", name) in names:
            text = _registration(_scope(source, at) + name, _address(source, opening, name), at)
            edits.insert(source.end(source.partner[opening] + 1), text)


# --- memory


def _shared(source: Tokens, at: int, edits: _Edits) -> None:
    start = _statement(source, at)
    end = at
    while end < len(source.words) and source.words[end] not in {";", "=", "{"}:
        end = source.partner.get(end, end) + 1 if source.words[end] in {"(", "["} else end + 1
    head = source.words[start:end]
    if "extern" in head:
        _dynamic(source, start, end, edits)
        return
    storage = "thread_local" if "static" in head else "static thread_local"
    edits.replace(source.starts[at], source.end(at), storage)
    if source.words[at + 1] == "alignas" and source.words[at + 2] == "(":
        inner = source.between(at + 2, source.partner[at + 2])
        edits.replace(source.starts[at + 1], source.end(source.partner[at + 2]), f"__attribute__((aligned{inner}))")


def _dynamic(source: Tokens, start: int, end: int, edits: _Edits) -> None:
    """`extern __shared__ T name[];`: a pointer in a function, the thread's own array at namespace scope."""
    kept: list[int] = []
    at = start
    while at < end:
        word = source.words[at]
        if word in _ATTRIBUTES and source.words[at + 1] == "(":
            at = source.partner[at + 1] + 1
            continue
        if word not in {"extern", "__shared__", "static"}:
            kept.append(at)
        at += 1
    bracket = next((k for k, token in enumerate(kept) if source.words[token] == "["), 0)
    if bracket < 2:
        return
    kind = " ".join(source.words[token] for token in kept[: bracket - 1])
    name = source.words[kept[bracket - 1]]
    rest = " ".join(source.words[token] for token in kept[bracket:])
    if _in_function(source, start):
        more = rest.partition("]")[2].strip()
        text = f"{kind} (*const {name}){more} = ({kind} (*){more})::hipport_wave::dynamic_shared()"
    else:
        text = f'extern __thread {kind} {name}{rest} __asm__("hipport_wave_dynamic")'
    edits.replace(source.starts[start], source.end(end - 1), text)


def _in_function(source: Tokens, at: int) -> bool:
    brace = source.around[at]
    if brace < 0:
        return False
    start = brace
    while start > 0 and source.words[start - 1] not in _ENDS:
        start -= 1
    head = source.words[start:brace]
    return not ("namespace" in head or head == ("extern", '"C"'))


def _constant(source: Tokens, at: int, edits: _Edits) -> None:
    end = at
    while source.words[end] not in {";", "=", "{"}:
        end += 1
    head = source.words[_statement(source, at) : end]
    fixed = {"const", "constexpr", "template"} & set(head)
    section = "" if fixed else '__attribute__((section("hipport_constant")))'
    # as for nvcc, a source's constants are its own, unless it declares them elsewhere too
    shared = {"static", "extern", "inline"} & set(head) or "extern __constant__" in source.text
    edits.replace(source.starts[at], source.end(at), section if fixed or shared else f"static {section}")


# --- launches


def _launch(source: Tokens, at: int, edits: _Edits) -> None:
    """`k<T><<<grid, block>>>(arguments)` -> the configuration, then the call; C++ converts the arguments."""
    end = at + 1
    while end < len(source.words) and not (source.words[end] == ">>>" and source.words[end + 1] == "("):
        if source.words[end] in _ENDS and source.words[end] != "{":
            return
        end = source.partner[end] + 1 if source.words[end] in {"(", "[", "{"} and end in source.partner else end + 1
    if end + 1 >= len(source.words) or end + 1 not in source.partner:
        return
    first = _callee_start(source, at - 1)
    configuration = source.between(at + 1, end - 1)
    edits.insert(source.starts[first], f"(::hipport_wave::configure_launch({' '.join(configuration.split())}), ")
    edits.replace(source.starts[at], source.end(end), "")
    edits.insert(source.end(source.partner[end + 1]), ")")


def _callee_start(source: Tokens, at: int) -> int:
    while at > 0:
        word = source.words[at]
        if word in {")", "]"}:
            at = source.partner[at]
            before = source.words[at - 1]
            if word == ")" and not (re.match(r"[A-Za-z_]", before) or before in {")", "]", ">"}):
                return at
            if word == ")" and before in {"if", "while", "for", "else", "return", "do"}:
                return at
            at -= 1
            continue
        at = _name_start(source, at)
        if source.words[at - 1] not in {".", "->"}:
            return at
        at -= 2
    return at


_LAUNCHERS = {"cudaLaunchKernel", "hipLaunchKernel", "cudaLaunchCooperativeKernel", "hipLaunchCooperativeKernel"}


def _launcher(source: Tokens, at: int, edits: _Edits) -> None:
    """`cudaLaunchKernel((void*)k<T>, ...)`: without the cast the kernel's type says what its arguments are."""
    first = at + 2
    if source.words[at + 1 : at + 3] == ("(", "("):
        close = source.partner[first]
        inner = [word for word in source.words[first + 1 : close] if word != "const"]
        if inner == ["void", "*"]:
            edits.replace(source.starts[first], source.end(close), "")
    elif source.words[first] in {"reinterpret_cast", "static_cast"} and source.words[first + 1] == "<":
        opening = next((k for k in range(first, first + 8) if source.words[k] == "("), -1)
        if opening > 0:
            edits.replace(source.starts[first], source.starts[opening], "")


# --- assembly


def _assembly(source: Tokens, at: int, edits: _Edits) -> None:
    opening = at + 1
    while source.words[opening] in {"volatile", "__volatile__", "inline", "goto"}:
        opening += 1
    if source.words[opening] != "(" or opening not in source.partner:
        return
    close = source.partner[opening]
    if source.words[close + 1 : close + 2] != (";",):
        return
    edits.replace(source.starts[at], source.end(close), ptx.statement(list(_groups(source, opening, close))))


def _groups(source: Tokens, opening: int, close: int) -> Iterator[list[str]]:
    """The words of an asm statement at each of its colons."""
    group: list[str] = []
    at = opening + 1
    while at < close:
        word = source.words[at]
        if word in {"(", "["} and at in source.partner:
            group += source.words[at : source.partner[at] + 1]
            at = source.partner[at] + 1
            continue
        if word in {":", "::"}:
            yield group
            group = []
            if word == "::":
                yield []
        else:
            group.append(word)
        at += 1
    yield group
