"""# scoped-atomic: libcu++'s cuda::atomic and cuda::atomic_ref

`cuda::atomic`, `cuda::atomic_ref` and their `cuda::std` kin are in libhipcxx, which is part of ROCm from 10.1 on; ROCm
7.2 has no `<cuda/atomic>`. A shim declares them by LLVM's `__hip_atomic_*`, with the scopes and orders that were asked
for: load, store, exchange, compare_exchange, fetch_add, sub, and, or, xor, min, max, the operators, pointers, values of
1 to 8 bytes, fences, on the host too. The code stays as it is; where `<cuda/atomic>` can be found after all, that is
taken.

| scope | of LLVM | reaches |
|---|---|---|
| `thread_scope_thread` | singlethread | the thread |
| `thread_scope_block` | workgroup | the block |
| `thread_scope_device` | agent | the GPU |
| `thread_scope_system`, and where none is named | system | the host and other GPUs |

Told besides:
- an atomic in device code that names no scope is one of the whole system: on AMD it goes past the GPU's own cache, and
  an addition of `float` or `double` may become a compare-and-swap loop. Name `cuda::thread_scope_device` where only
  this GPU takes part;
- `wait`, `notify_one` and `notify_all`, which the shim leaves out: a lane that waits for another one of its wave may
  keep it from running (`wait-polling`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Status
from hipport.rewrites.forms import advice, edit, finding, left
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "scoped-atomic"
_SHIMS = ("scoped_atomic",)
_FAMILY = "libcudacxx"
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"](cuda/(?:std/)?atomic)[>"]', re.MULTILINE)
_ASKED = re.compile(rb"__has_include\s*\([^()\n]*\)[^\n]*\n\Z")
_USED = re.compile(
    rb"(?<![\w:])(?:::\s*)?cuda\s*::\s*(?:std\s*::\s*)?"
    rb"(atomic_ref|atomic|atomic_thread_fence|thread_scope(?:_(?:system|device|block|thread))?|memory_order(?:_\w+)?)(?!\w)"
)
_OBJECT = re.compile(rb"cuda\s*::\s*(std\s*::\s*)?atomic(?:_ref)?\s*<")
_OWN = re.compile(rb"namespace\s+cuda\s*\{")
_NAME = re.compile(rb"\s*[&*]?\s*([A-Za-z_]\w*)")
_WAITS = rb"(?<![\w.])(?:%s)\s*(?:\[[^\[\]]*\]\s*)?(?:\.|->)\s*(wait|notify_one|notify_all)\s*\("


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    if not re.search(rb"cuda\s*::|cuda/", unit.text.data) or _OWN.search(unit.text.code):
        return
    yield from _includes(unit)
    for match in _USED.finditer(unit.text.code):
        if unit.live(match.start()):
            name = "".join(match.group().decode().split())
            yield finding(
                unit,
                _ID,
                match.span(),
                f"`{name.removeprefix('::')}` is not in ROCm 7.2: a shim declares it",
                status=Status.SHIMMED,
                shims=_SHIMS,
                family=_FAMILY,
                crosses=False,
            )
    yield from _of_objects(unit)


def _includes(unit: Unit) -> Iterator[Finding]:
    for match in _INCLUDE.finditer(unit.text.data):
        if not unit.live(match.start()) or _ASKED.search(unit.text.data, 0, match.start()):
            continue
        name = match.group(1).decode()
        text = (
            f"#if __has_include(<{name}>)  // libhipcxx; else the scoped_atomic shim\n{match.group().decode()}\n#endif"
        )
        yield finding(
            unit,
            _ID,
            match.span(),
            f"`{name}` is not in ROCm 7.2: a shim declares what it has",
            edits=(edit(unit, *match.span(), text.encode()),),
            shims=_SHIMS,
            family=_FAMILY,
            crosses=False,
        )


def _of_objects(unit: Unit) -> Iterator[Finding]:
    """Atomics without a scope in device code, and waits."""
    code = unit.text.code
    names: set[bytes] = set()
    for match in _OBJECT.finditer(code):
        close, _ = unit.text.angles(match.end() - 1)
        if close < 0 or not unit.live(match.start()):
            continue
        named = _NAME.match(code, close + 1)
        names |= {named.group(1)} if named else set()
        plain = match.group(1) is not None or b"," not in code[match.end() : close]
        if plain and unit.function_at(match.start()) is not None:
            yield advice(
                unit,
                _ID,
                (match.start(), close + 1),
                "an atomic without a scope is one of the whole system: it goes past the GPU's own cache",
                "name cuda::thread_scope_device where only this GPU takes part",
                family="atomics",
            )
    waits = re.compile(_WAITS % b"|".join(re.escape(name) for name in sorted(names))) if names else None
    for match in waits.finditer(code) if waits else ():
        if unit.live(match.start()):
            yield left(
                unit,
                _ID,
                match.span(),
                f"`{match.group(1).decode()}` of an atomic is not in ROCm 7.2, and the shim leaves it out",
                "poll with load(cuda::memory_order_acquire), by one thread of a block, with a bound",
                family=_FAMILY,
            )


RULE = Rule(
    _ID,
    "libcu++'s cuda::atomic and cuda::atomic_ref",
    ("A13", "A16"),
    "atomics",
    Provenance(
        "ROCm/libhipcxx; Clang language extensions (__hip_atomic builtins); LLVM AMDGPU memory model; gsplat",
        "all: compile error",
        rocm="before 10.1",
    ),
    _find,
)
