"""A Unit: one file as the rewrites see it, with the kernel closures that its functions belong to."""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING

from hipport.frontend import shared, widths
from hipport.frontend.branches import Branches, Side
from hipport.frontend.closure import Closure, Key, Mode
from hipport.frontend.tree import EMPTY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hipport.frontend.calls import CallSite
    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.macros import Macros
    from hipport.frontend.shared import SharedArray
    from hipport.frontend.text import CodeText
    from hipport.frontend.tree import Tree
    from hipport.frontend.waits import Wait
    from hipport.frontend.widths import Width

_CROSSES = re.compile(
    rb"(?<!\w)(?:__(?:shfl|ballot|any|all|match|reduce)\w*|__activemask|WarpReduce|WarpScan)(?!\w)|tiled_partition\s*<|thread_block_tile\s*<|%laneid|%lanemask|shfl\.sync|vote\.sync"
)
_CUDA_WORD = re.compile(
    rb"__global__|__device__|__shfl|__ballot|__syncwarp|<<<|[wW]arp_?[sS]ize|WARP_SIZE|WarpReduce|cooperative_groups"
    rb"|[fF]loat8_e[45]m|_fp8x?[24]?_e[45]m|FP8_E[45]M"
)
_ASM = re.compile(rb"(?<!\w)(?:asm|__asm__|__asm)(?!\w)")
_PTX = re.compile(
    rb"\.reg\s|\.(?:[usb](?:8|16|32|64|128)|[bt]?f(?:16|32|64))(?:x[24])?(?!\w)|\.sync(?!\w)|\.global[. ]"
    rb"|cp\.async|griddepcontrol|mbarrier|\"(?:trap|brkpt|exit);"
)
_LDS_LIMIT = re.compile(
    rb"(?:[sS]mem|SMEM|[sS]hared_?[mM]em|SHARED_?MEM)\w*[^\n;]{1,60}?(?:\*\s*1024|<<\s*10|\d{5,6}|0x[\da-fA-F]{4,5})(?!\w)"
)
_START = attrgetter("start")


@dataclass(frozen=True, slots=True)
class Unit:
    """One file as the rewrites see it.

    `sites` are the calls of warp functions that AMD compiles and nobody has ported yet. `native` is true for a file
    that is HIP already: nothing in it is rewritten. `own` are the warp functions that the set declares, `umin` too.
    `tree` is what clang saw, empty where it could not look; `waits` are where threads wait for each other.
    `host_alone` is true where no file that is compiled together with this one holds device code.
    """

    text: CodeText
    branches: Branches
    macros: Macros
    sites: tuple[CallSite, ...]
    functions: tuple[Function, ...]
    hosts: tuple[Function, ...]
    launches: tuple[Launch, ...]
    closures: tuple[Closure, ...]
    own: frozenset[str]
    mode: Mode
    native: bool
    tree: Tree = EMPTY
    waits: tuple[Wait, ...] = ()
    host_alone: bool = False
    _members: Mapping[Key, tuple[Closure, ...]] = field(default_factory=dict, repr=False)
    _widths: dict[int, tuple[Width, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )  # of bodies asked for
    _shared: dict[int, tuple[SharedArray, ...]] = field(default_factory=dict, repr=False, compare=False)

    def linked(self, closures: Sequence[Closure]) -> Unit:
        """The unit with its closures, which can then be asked for by function."""
        members: dict[Key, list[Closure]] = {}
        for closure in closures:
            for key in closure.functions:
                if key[0] == self.path:
                    members.setdefault(key, []).append(closure)
        by_function = {key: tuple(of) for key, of in members.items()}
        return replace(self, closures=tuple(closures), _members=by_function, _widths={}, _shared={})

    @property
    def path(self) -> str:
        """The file's path."""
        return self.text.path

    def function_at(self, offset: int) -> Function | None:
        """The device function around an offset."""
        return _around(self.functions, offset)

    def on_host(self, function: Function) -> bool:
        """Whether a device function is compiled for the host too, as far as its head tells."""
        start = max(self.text.code.rfind(mark, 0, function.start) for mark in (b";", b"{", b"}")) + 1
        return b"HOST" in self.text.code[start : function.body].upper()

    def host_at(self, offset: int) -> Function | None:
        """The host function around an offset, where it launches something."""
        return _around(self.hosts, offset)

    def launches_in(self, function: Function) -> tuple[Launch, ...]:
        """The launches that stand in a function."""
        first = bisect_left(self.launches, function.start, key=_START)
        return self.launches[first : bisect_left(self.launches, function.end, lo=first, key=_START)]

    def closures_of(self, function: Function | None) -> tuple[Closure, ...]:
        """The closures that a function of this file belongs to."""
        return () if function is None else self._members.get((function.path, function.start), ())

    def read_whole(self, offset: int) -> bool:
        """Whether clang read the device function around an offset without an error."""
        function = self.function_at(offset)
        if function is None:
            return False
        return function.body in self.tree.bodies and self.tree.whole(function.body, function.end)

    def blocked(self, offset: int) -> str:
        """Why the code at `offset` must stay as it is: every closure that it belongs to is blocked; else empty."""
        closures = self.closures_of(self.function_at(offset))
        return closures[0].blocked if closures and all(c.blocked for c in closures) else ""

    def widths(self, function: Function) -> tuple[Width, ...]:
        """The numbers of a device function that mean the width of a warp; none where clang could not look."""
        at = function.body
        if at not in self.tree.bodies:
            return ()
        if at not in self._widths:
            self._widths[at] = widths.find(self.tree.bodies[at], self.tree.parameters[at], self.macros)
        return self._widths[at]

    def shared_in(self, function: Function) -> tuple[SharedArray, ...]:
        """The shared variables that a device function of this file declares, as text shows them."""
        if function.start not in self._shared:
            self._shared[function.start] = tuple(shared.find(self.text, self.macros, function))
        return self._shared[function.start]

    def mode_at(self, offset: int) -> Mode:
        """The mode of the code at an offset."""
        found = self.closures_of(self.function_at(offset))
        return Mode.NATIVE if found and all(c.mode is Mode.NATIVE for c in found) else Mode.SUBWARP

    @property
    def wave_constants(self) -> frozenset[str]:
        """The constants whose value the device pass decides by its target."""
        return self.macros.wave

    def compiled(self, offset: int) -> bool:
        """Whether AMD compiles the code at an offset, whoever wrote it."""
        return self.branches.at(offset) in (Side.BOTH, Side.AMD)

    def live(self, offset: int) -> bool:
        """Whether the code at `offset` is compiled on AMD and not written for AMD already."""
        return self.branches.at(offset) is Side.BOTH

    def crosses(self, function: Function | None) -> bool:
        """Whether a function, or a kernel that reaches it, exchanges values between lanes."""
        if function is None:
            return False
        return self.exchanges(function) or any(c.crosses for c in self.closures_of(function))

    def exchanges(self, function: Function) -> bool:
        """Whether a function's own code exchanges values between lanes, by itself or by a macro."""
        if _CROSSES.search(self.text.data, function.body, function.end):
            return True
        pattern = _of_names(self.macros.exchanging)
        return pattern is not None and pattern.search(self.text.code, function.body, function.end) is not None


def _around(functions: tuple[Function, ...], offset: int) -> Function | None:
    """The function around an offset; the functions are in order and do not overlap."""
    index = bisect_right(functions, offset, key=_START) - 1
    return functions[index] if index >= 0 and offset < functions[index].end else None


@functools.lru_cache(maxsize=64)
def _of_names(names: frozenset[str]) -> re.Pattern[bytes] | None:
    """What finds one of these names; None where there is none."""
    if not names:
        return None
    return re.compile(rb"(?<![\w#])(?:" + b"|".join(re.escape(name.encode()) for name in sorted(names)) + rb")(?!\w)")


def wanted(data: bytes) -> bool:
    """Whether a file is worth reading this closely: device code, a launch, a warp word, PTX, FP8 or a limit of LDS."""
    if _CUDA_WORD.search(data) is not None or _LDS_LIMIT.search(data) is not None:
        return True
    return _ASM.search(data) is not None and _PTX.search(data) is not None
