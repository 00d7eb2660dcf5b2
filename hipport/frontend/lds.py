"""The LDS that kernels declare: as clang instantiates them where it could look, else as text shows it.

A sum may be too low, never too high: what has no known size counts as nothing, and so does what clang saw of the
CUDA side of a constant that has another value on AMD.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hipport.frontend import alternatives, shared
from hipport.frontend.records import pieces
from hipport.frontend.shared import SharedArray
from hipport.frontend.sizes import layout_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hipport.frontend.closure import Closure
    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.tree import Instance, Variable
    from hipport.frontend.unit import Unit

_WORD = re.compile(r"[A-Za-z_]\w*")
_KEYWORDS = frozenset(
    {
        *(
            "const",
            "volatile",
            "static",
            "extern",
            "struct",
            "union",
            "class",
            "typename",
            "unsigned",
            "signed",
            "sizeof",
        ),
        *("sizeof", "alignas", "std", "constexpr", "__shared__", "__align__", "__attribute__", "aligned"),
    }
)
_DISPATCHED = frozenset({"scalar_t", "index_t"})
_FLOATS = re.compile(rb"AT_DISPATCH_(?:FLOATING|ALL)")  # of these, clang is shown the instance for float


@dataclass(frozen=True, slots=True)
class Held:
    """What one kernel declares, largest first; `whole`: nothing in it is of unknown size."""

    label: str
    arrays: tuple[SharedArray, ...]
    whole: bool

    @property
    def size(self) -> int:
        """Bytes of all of it."""
        return sum(array.size or 0 for array in self.arrays)


def of_kernel(unit: Unit, closure: Closure) -> Held:
    """What a kernel declares whatever its template's arguments are."""
    kernel = _kernel(unit, closure)
    if kernel is not None:
        places = (at for at in unit.tree.instances if kernel.start <= at < kernel.body)
        seen = [held for at in places for held in _instances(unit, closure, at, "")]
        if seen:
            return seen[0]
    return _by_text(unit, closure, {})


def at_launch(unit: Unit, closure: Closure, launch: Launch) -> tuple[Held, ...]:
    """What a kernel declares in the instances that a launch of this file makes, one for each."""
    said = unit.text.word(launch.start, launch.config[-1][1])
    seen = tuple(_instances(unit, closure, launch.start, said))
    if seen:
        return seen
    kernel, given = _kernel(unit, closure), arguments(unit, launch)
    names = shared.parameters(unit.text, kernel) if kernel is not None else ()
    if not names:
        return (of_kernel(unit, closure),)
    bound = {name: default for name, default in names if default}
    bound |= dict(zip((name for name, _ in names), given, strict=False))
    held = _by_text(unit, closure, bound)
    return (replace(held, label=f"{closure.kernel}<{', '.join(given)}>") if given else held,)


def named(unit: Unit, closure: Closure, start: int, end: int) -> tuple[Held, ...]:
    """What a kernel declares in the instances that code from `start` to `end` names."""
    places = [at for at in unit.tree.instances if start <= at < end]
    seen = tuple(held for at in places for held in _instances(unit, closure, at, unit.text.word(start, end)))
    return seen or (of_kernel(unit, closure),)


def arguments(unit: Unit, launch: Launch) -> tuple[str, ...]:
    """The template arguments that a launch spells out."""
    opening = launch.start + len(launch.kernel)
    between = unit.text.code[opening : launch.config[0][0]].lstrip()
    if not between.startswith(b"<") or between.startswith(b"<<<"):
        return ()
    _, pieces = unit.text.angles(unit.text.code.index(b"<", opening))
    return tuple(unit.text.word(*piece).strip() for piece in pieces)


def bound(unit: Unit, closure: Closure, label: str) -> dict[str, str]:
    """What the parameters of a kernel's template stand for in an instance of this name."""
    kernel = _kernel(unit, closure)
    names = shared.parameters(unit.text, kernel) if kernel is not None else ()
    given = pieces(label.partition("<")[2].removesuffix(">"))
    return dict(zip((name for name, _ in names), (part.strip() for part in given), strict=False))


def members(unit: Unit, closure: Closure) -> list[Function]:
    """The functions of this file that a kernel reaches."""
    keys = set(closure.functions)
    return [f for f in unit.functions if (f.path, f.start) in keys]


def _kernel(unit: Unit, closure: Closure) -> Function | None:
    return next((f for f in unit.functions if f.start == closure.start and f.path == closure.path), None)


def _instances(unit: Unit, closure: Closure, at: int, said: str) -> Iterator[Held]:
    """What clang saw of the kernels that stand at an offset, unless it has another value on AMD."""
    functions = members(unit, closure)
    read = all(f.body in unit.tree.bodies and unit.tree.whole(f.body, f.end) for f in functions)
    if set(_WORD.findall(said)) & _DISPATCHED and not _FLOATS.search(unit.text.code):
        return
    placed = {a.at: a for f in functions for a in unit.shared_in(f)}
    if any(unit.compiled(a.start) and not unit.live(a.start) for a in placed.values()):
        return  # clang was shown the other side
    for instance in unit.tree.instances.get(at, ()):
        kept = [v for v in instance.variables if _settled(unit, v, functions, said)]
        arrays = [
            replace(placed[v.at], size=v.size, dynamic=False)
            if v.at in placed
            else SharedArray(v.name, v.at, v.at + len(v.name), v.size, dynamic=False, at=v.at)
            for v in kept
            if v.size
        ]
        whole = read and len(kept) == len(instance.variables) and all(v.exact for v in kept)
        yield Held(_label(instance, closure), _sorted(arrays), whole)


def _label(instance: Instance, closure: Closure) -> str:
    return instance.label if "lambda at" not in instance.label else closure.kernel


def _settled(unit: Unit, variable: Variable, functions: list[Function], said: str) -> bool:
    """Whether no constant or type that a variable's size follows has a value of its own on AMD."""
    apart = unit.macros.amd | unit.macros.wave
    if not apart:
        return True
    todo = [word for word in _WORD.findall(variable.said) if word != variable.name]
    seen: set[str] = set()
    open_ = False
    while todo:
        word = todo.pop()
        if word in apart:
            return False
        if word in seen or word in _KEYWORDS or layout_of(word) is not None:
            continue
        seen.add(word)
        record = unit.macros.records.get(word)
        body = unit.macros.objects.get(word) or (record.body if record is not None else "")
        todo += _WORD.findall(body)
        open_ = open_ or not body  # a template's parameter, or a member
    if not open_:
        return True
    around = " ".join([said, *(unit.text.word(max(0, f.start - 600), f.end) for f in functions)])
    return apart.isdisjoint(_WORD.findall(around))


def _by_text(unit: Unit, closure: Closure, bound: dict[str, str]) -> Held:
    """The arrays that a kernel and what it reaches in this file declare, as text shows them.

    Of arrays with one name in one function, and of the sides of a condition, the largest count.
    """
    kernel, functions = _kernel(unit, closure), members(unit, closure)
    sure = alternatives.surely_reached(unit.text, functions, kernel) if kernel is not None else functions
    whole, found = len(functions) == len(closure.functions) and len(sure) == len(functions), list[SharedArray]()
    for function in sure:
        own: dict[str, SharedArray] = {}
        dropped = alternatives.discardable(unit.text, function)
        bare = function.start != closure.start or not bound
        declared = unit.shared_in(function) if bare else shared.find(unit.text, unit.macros, function, bound)
        for array in declared:
            if not unit.compiled(array.start) or not _used(unit, function, array):
                continue
            before = own.get(array.name)
            sized = replace(array, size=_seen(unit, array) if array.size is None else array.size)
            open_ = any(start <= array.start < end for start, end in dropped)
            whole = whole and sized.size is not None and before is None and not open_
            if sized.size and not open_ and (before is None or (before.size or 0) < sized.size):
                own[array.name] = sized
        kept = alternatives.together(unit.text, own.values())
        whole = whole and len(kept) == len(own)
        found += kept
    return Held(closure.kernel, _sorted(found), whole)


def _seen(unit: Unit, array: SharedArray) -> int | None:
    """The size of an array that text does not tell."""
    return None if unit.macros.amd | unit.macros.wave else unit.tree.shared.get(array.at)


def _used(unit: Unit, function: Function, array: SharedArray) -> bool:
    """Whether a function names an array a second time; one that nobody names takes no LDS."""
    word = re.compile(rb"(?<!\w)" + re.escape(array.name.encode()) + rb"(?!\w)")
    return len(word.findall(unit.text.code, function.body, function.end)) > 1


def _sorted(arrays: Iterable[SharedArray]) -> tuple[SharedArray, ...]:
    return tuple(sorted(arrays, key=lambda a: (-(a.size or 0), a.start)))
