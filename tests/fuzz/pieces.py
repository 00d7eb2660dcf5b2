"""Pieces of random kernels: each gives text that is well-defined on CUDA where the state of the kernel says it is.

`v` is the value of a thread, `t` its number in the block, `i` its number in the grid. Values are small whole numbers,
so that sums come out the same in every order and in every type.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

SMALL = 1023


@dataclass(slots=True)
class State:
    """What is known at one place of a kernel."""

    rng: Random
    type: str
    block: tuple[int, int, int]
    lane: str = "lane"
    warp: str = "warp"
    size: str = "blockDim.x"  # threads of a block, as it is spelled here
    left: str = "none"  # who has returned: none, warps (whole ones), threads (those from n on)
    dynamic: bool = False
    helpers: set[str] = field(default_factory=set)
    count: int = 0

    @property
    def threads(self) -> int:
        x, y, z = self.block
        return x * y * z

    @property
    def whole(self) -> bool:
        """Whether every warp that is there has 32 lanes."""
        return self.threads % 32 == 0 and self.left != "threads"

    @property
    def all(self) -> bool:
        """Whether every thread of the block is there."""
        return self.left == "none"

    def name(self, word: str) -> str:
        self.count += 1
        return f"{word}{self.count}"

    def one(self, *words: str) -> str:
        return self.rng.choice(words)

    def mask(self) -> str:
        self.helpers.add("macros")
        return self.one("0xffffffff", "0xffffffffu", "~0u", "FULL_MASK", "0xFFFFFFFF", "kAllLanes")

    def warp_size(self) -> str:
        self.helpers.add("macros")
        return self.one("32", "32", "warpSize", "WARP", "kWarp")

    def below(self, *spelled: str) -> str:
        """The lanes below the own one, as a mask; the helper's asks for `threadIdx.x` alone."""
        flat = self.block[1] * self.block[2] == 1
        return self.one(*spelled, *(("lanemask_lt()",) if flat else ()))

    def bit(self) -> str:
        """A condition that differs between threads."""
        return self.one("((int)v & 1) != 0", "(int)v % 3 == 0", "((int)v & 4)", "(int)v > 400", f"{self.lane} % 3 == 1")


def small(s: State) -> str:
    return f"v = ({s.type})((int)v & {SMALL});"


def arithmetic(s: State) -> str:
    k = s.rng.randrange(1, 60)
    return s.one(
        f"v = ({s.type})(((int)v * 5 + {k}) & {SMALL});",
        f"if ({s.bit()}) v = ({s.type})(((int)v + {k}) & {SMALL});",
        f"v = ({s.bit()}) ? ({s.type})({k}) : v;",
        f"v = ({s.type})(((int)v ^ (t * {k})) & {SMALL});",
        f"for (int r = 0; r < (int)v % 5; ++r) {{ if (r == 3) break; v = ({s.type})(((int)v + r) & {SMALL}); }}",
    )


def exchange(s: State) -> str:
    """A neighbour's value through LDS."""
    a, k = s.name("s"), s.rng.randrange(1, 70)
    array = f"__shared__ {s.type} {a}[{s.threads}];"
    read = f"{a}[(t + {k}) % {s.size}]" if s.all else s.one(f"{a}[t > 0 ? t - 1 : 0]", f"{a}[0]", f"{a}[t / 2]")
    return f"{array}\n{a}[t] = v;\n__syncthreads();\nv += {read};\n__syncthreads();\n{small(s)}"


def tree(s: State) -> str:
    """A sum in LDS, halved each turn; any size of the block, any number of threads that are left."""
    a, r, w = s.name("s"), s.name("w"), s.name("h")
    pre = f"__shared__ {s.type} {a}[{s.threads}];\n{a}[t] = v;\n__syncthreads();\n"
    limit = s.size if s.all else s.name("left")
    if not s.all:
        pre += f"const int {limit} = min((int){s.size}, (int)n - (int)(i - t));\n"
    power = s.threads & (s.threads - 1) == 0
    op = s.one(f"{a}[t] += {a}[t + {r}];", f"{a}[t] = max({a}[t], {a}[t + {r}]);")
    if power and s.all and s.rng.random() < 0.5:
        loop = s.one(
            f"for (int {r} = {s.size} / 2; {r} > 0; {r} >>= 1)", f"for (int {r} = {s.threads // 2}; {r} > 0; {r} /= 2)"
        )
        pre += f"{loop} {{ if (t < {r}) {op} __syncthreads(); }}\n"
    else:
        pre += (
            f"for (int {w} = {limit}; {w} > 1; {w} = ({w} + 1) / 2) {{\n  const int {r} = ({w} + 1) / 2;\n"
            f"  if (t + {r} < {w}) {op}\n  __syncthreads();\n}}\n"
        )
    return pre + f"v = {a}[0];\n__syncthreads();\n{small(s)}"


def warp_tail(s: State) -> str:
    """A tree in LDS whose last 64 values one warp adds by shuffles."""
    a, w = s.name("s"), s.name("w")
    return (
        f"__shared__ {s.type} {a}[{s.threads}];\n{a}[t] = v;\n__syncthreads();\n"
        f"for (int {w} = {s.threads // 2}; {w} > 32; {w} >>= 1) {{\n"
        f"  if (t < {w}) {a}[t] += {a}[t + {w}];\n  __syncthreads();\n}}\n"
        f"if (t < 32) {{\n  {s.type} p = {a}[t] + {a}[t + 32];\n"
        f"  for (int o = 16; o > 0; o >>= 1) p += __shfl_down_sync({s.mask()}, p, o);\n  if (t == 0) {a}[0] = p;\n}}\n"
        f"__syncthreads();\nv = {a}[0];\n__syncthreads();\n{small(s)}"
    )


def warp_sum(s: State) -> str:
    m, o = s.mask(), s.name("o")
    xor = f"for (int {o} = 16; {o} > 0; {o} >>= 1) v += __shfl_xor_sync({m}, v, {o});"
    size = s.warp_size()
    if size == "warpSize" and s.rng.random() < 0.5:
        xor = f"for (int {o} = warpSize / 2; {o} > 0; {o} /= 2) v += __shfl_xor_sync({m}, v, {o});"
    down = (
        f"#pragma unroll\nfor (int {o} = {size} / 2; {o} > 0; {o} /= 2) v += __shfl_down_sync({m}, v, {o});\n"
        f"v = __shfl_sync({m}, v, 0);"
    )
    s.helpers.add("warp_sum")
    call = s.one("v = warpReduceSum(v);", "v = warp_max(v);", "v = warpAll<int>((int)v);", "WARP_SUM(v);")
    few = f"for (int {o} = 4; {o} > 0; {o} >>= 1) v += __shfl_xor_sync({m}, v, {o}, 8);"
    return s.one(xor, down, call, few) + "\n" + small(s)


def block_sum(s: State) -> str:
    """A sum over the block from its warps' sums: by a helper, or written out."""
    if s.rng.random() < 0.5:
        s.helpers |= {"warp_sum", "block_sum"}
        a = s.name("s")
        return f"__shared__ {s.type} {a}[32];\nv = blockReduceSum(v, {a}, t, {s.size});\n" + small(s)
    a, m, b = s.name("part"), s.mask(), s.name("b")
    fits = s.one(
        f"{s.lane} < ({s.size} + 31) / 32", f"{s.lane} < {-(-s.threads // 32)}", f"t < ({s.size} + WARP - 1) / WARP"
    )
    s.helpers.add("macros")
    back = s.one(
        f"if ({s.warp} == 0) {{\n  v = {fits} ? {a}[{s.lane}] : ({s.type})0;\n"
        f"  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync({m}, v, o);\n  if ({s.lane} == 0) {a}[0] = v;\n}}\n"
        f"__syncthreads();\nv = {a}[0];\n",
        f"{s.type} {b} = 0;\nfor (int k = 0; k < {-(-s.threads // 32)}; ++k) {b} += {a}[k];\nv = {b};\n",
    )
    return (
        f"__shared__ {s.type} {a}[32];\nfor (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync({m}, v, o);\n"
        f"if ({s.lane} == 0) {a}[{s.warp}] = v;\n__syncthreads();\n{back}__syncthreads();\n{small(s)}"
    )


def scan(s: State) -> str:
    m, o, x = s.mask(), s.name("o"), s.name("x")
    size = s.warp_size()
    text = (
        f"for (int {o} = 1; {o} < {size}; {o} {s.one('<<= 1', '*= 2')}) {{\n"
        f"  {s.type} {x} = __shfl_up_sync({m}, v, {o});\n  if ({s.lane} >= {o}) v += {x};\n}}\n"
    )
    if s.all and s.rng.random() < 0.5:
        a, k = s.name("part"), s.name("k")
        last = f"{s.lane} == 31 || t == {s.size} - 1"
        text += (
            f"__shared__ {s.type} {a}[33];\nif ({last}) {a}[{s.warp}] = v;\n__syncthreads();\n"
            f"for (int {k} = 0; {k} < {s.warp}; ++{k}) v += {a}[{k}];\n__syncthreads();\n"
        )
    return text + small(s)


def broadcast(s: State) -> str:
    if s.whole:
        k = s.rng.randrange(32)
        where = s.one("0", str(k), f"{s.lane} / 8 * 8", f"({s.lane} + {k}) % 32", f"{s.lane} ^ {k}")
    else:
        where = s.one("0", f"{s.lane} & ~7", f"{s.lane} / 4 * 4")
    return f"v += __shfl_sync({s.mask()}, v, {where});\n{small(s)}"


def ballot(s: State) -> str:
    b, m = s.name("b"), s.mask()
    lower = s.below(f"((1u << {s.lane}) - 1)", f"((1u << {s.lane}) - 1u)", f"~(0xffffffffu << {s.lane})")
    s.helpers.add("lanemask")
    kind = s.one("unsigned", "unsigned int", "const unsigned", "uint32_t", "auto")
    use = s.one(
        f"v += __popc({b} & {lower});",
        f"v += __popc({b});",
        f"v += __ffs({b});",
        f"v += {b} ? 31 - __clz({b}) : 40;",
        f"if ({b} >> {s.lane} & 1u) v += 7;",
        f"if ({b} == 0xffffffffu) v += 3; else if (!{b}) v += 11;",
        f"v += ({s.type})({b} & {SMALL});",
        f"if (({b} & {lower}) == 0) v += 9;",
        f"v += __popc(__brev({b}) & 0xffffu);",
    )
    return f"{kind} {b} = __ballot_sync({m}, {s.bit()});\n{use}\n{small(s)}"


def vote(s: State) -> str:
    m, p = s.mask(), s.bit()
    return (
        s.one(
            f"if (__any_sync({m}, {p})) v += 5;",
            f"v += __all_sync({m}, {p}) ? 3 : 8;",
            f"v += __any_sync({m}, {p}) * 2 + __all_sync({m}, (int)v >= 0);",
            f"if (!__any_sync({m}, {p} && (int)v > 990)) v += 13;",
        )
        + "\n"
        + small(s)
    )


def match(s: State) -> str:
    b, m = s.name("b"), s.mask()
    if s.whole and s.rng.random() < 0.3:
        return (
            f"int {b};\nconst unsigned {b}m = __match_all_sync({m}, (int)v & 3, &{b});\n"
            f"v += {b} ? __popc({b}m) : 1;\n{small(s)}"
        )
    use = s.one(f"__popc({b})", f"__ffs({b}) - 1", f"(__ffs({b}) - 1 == {s.lane} ? 21 : 2)")
    return f"unsigned {b} = __match_any_sync({m}, (int)v & 7);\nv += {use};\n{small(s)}"


def reduced(s: State) -> str:
    op = s.one("add", "max", "min", "and", "or", "xor")
    word = "unsigned" if op in {"and", "or", "xor"} else s.one("int", "unsigned")
    return f"v += __reduce_{op}_sync({s.mask()}, ({word})v);\n{small(s)}"


def block_vote(s: State) -> str:
    p = s.bit()
    return (
        s.one(
            f"v += __syncthreads_count({p});",
            f"if (__syncthreads_or({p})) v += 4;",
            f"v += __syncthreads_and({p}) ? 2 : 1;",
        )
        + "\n"
        + small(s)
    )


def warp_branch(s: State) -> str:
    """Collectives in a branch or a loop that whole warps take, or do not."""
    inner = s.rng.choice([warp_sum, ballot, vote, match, broadcast, reduced] if s.whole else [ballot, vote, broadcast])
    body = inner(s).replace("\n", "\n  ")
    head = s.one(
        f"if ({s.warp} % 2 == 0)",
        f"if ({s.warp} == 0)",
        f"if ({s.warp} > 0)",
        f"for (int r = 0; r <= (int)({s.warp} % 3); ++r)",
        f"if (t {s.one('<', '>=')} 32)",
    )
    return f"{head} {{\n  {body}\n}}"


def lane_branch(s: State) -> str:
    """A collective of a few lanes, whose mask says so."""
    k, b = s.rng.choice([8, 16]), s.name("b")
    mask = f"0x{(1 << k) - 1:x}"
    inner = s.one(
        f"for (int o = {k // 2}; o > 0; o >>= 1) v += __shfl_xor_sync({mask}, v, o);",
        f"v += __popc(__ballot_sync({mask}, {s.bit()}));",
        f"v += __any_sync({mask}, {s.bit()}) ? 2 : 6;",
    )
    own = (
        f"const unsigned {b} = __ballot_sync({s.mask()}, (int)v & 1);\nif ((int)v & 1) v += __shfl_sync({b}, v, "
        f"__ffs({b}) - 1) + __popc(__ballot_sync({b}, (int)v & 2));"
    )
    return s.one(f"if ({s.lane} < {k}) {{\n  {inner}\n}}", own) + "\n" + small(s)


def grouped(s: State) -> str:
    """Cooperative groups: a tile's members."""
    s.helpers.add("cg")
    g, size = s.name("tile"), s.rng.choice([32, 32, 16, 8, 4])
    m = s.type if s.type in {"int", "unsigned", "float"} else "int"
    use = s.one(
        f"for (int o = {size // 2}; o > 0; o /= 2) v += {g}.shfl_xor(v, o);",
        f"v += {g}.thread_rank() + {g}.size();",
        f"v += __popc({g}.ballot({s.bit()}));",
        f"v += {g}.any({s.bit()}) ? 1 : 2; v += {g}.shfl(v, 0);",
        f"v += ({s.type})cg::reduce({g}, ({m})v, cg::plus<{m}>());",
        f"v += {g}.meta_group_rank();",
    )
    return (
        f"auto {g} = cg::tiled_partition<{size}>(cg::this_thread_block());\n{use}\n"
        f"{s.one('', f'{g}.sync();' + chr(10))}{small(s)}"
    )


def atomics(s: State) -> str:
    """Updates whose order makes no difference."""
    k, a = s.rng.randrange(8), s.name("old")
    s.helpers.add("cas")
    return s.one(
        "atomicAdd(&acc[0], (int)v);",
        "atomicAdd(acc, 1);",
        f"if ({s.bit()}) atomicAdd(&acc[{k}], 1);",
        f"if ({s.bit()}) {{ atomicAdd(acc + {k}, (int)v); }}",
        "atomicAdd(&acc[16 + ((int)v & 31)], 1);",
        "atomicMax(&acc[8], (int)v);",
        "atomicMin(&acc[9], -(int)v);",
        f"if ({s.bit()}) atomicExch(&acc[10], 1);",
        f"if ((int)v == {k}) acc[11] = 1;",
        "atomicOr(&acc[12], 1 << ((int)v & 15));",
        "casAdd(&acc[13], (int)v);",
        "casMax(&acc[14], (int)v);",
        f"int {a} = acc[15], {a}e;\ndo {{\n  {a}e = {a};\n  {a} = atomicCAS(&acc[15], {a}e, {a}e + (int)v);\n"
        f"}} while ({a} != {a}e);",
        f"if ({s.lane} == 0) atomicAdd(&acc[1], (int)v);",
        "if (t == 0) atomicAdd(&acc[2], (int)v);",
        "atomicInc((unsigned*)&acc[48], 1000000u);",
        "atomicXor(&acc[49], (int)v);",
    )


def lds_atomics(s: State) -> str:
    """A histogram in LDS that is added to memory; the whole block is there."""
    a, bins = s.name("bins"), s.rng.choice([16, 32, 100])
    return (
        f"__shared__ int {a}[{bins}];\nfor (int k = t; k < {bins}; k += {s.size}) {a}[k] = 0;\n__syncthreads();\n"
        f"{s.one('', f'if ({s.bit()}) ')}atomicAdd(&{a}[(int)v % {bins}], 1);\n__syncthreads();\n"
        f"for (int k = t; k < {bins}; k += {s.size}) {s.one(f'if ({a}[k]) ', '')}atomicAdd(&acc[50 + k], {a}[k]);\n"
        f"v += {a}[(int)v % {bins}];\n__syncthreads();\n{small(s)}"
    )


def compaction(s: State) -> str:
    """Kept values go into a bag: a place for each from a counter, one atomic a warp or one a thread."""
    b, at = s.name("b"), s.name("at")
    if s.rng.random() < 0.3:
        return f"if ({s.bit()}) bag[atomicAdd(&acc[3], 1)] = (int)v;"
    s.helpers.add("lanemask")
    keep = s.bit()
    return (
        f"{{\n  const bool keep = {keep};\n  const unsigned {b} = __ballot_sync({s.mask()}, keep);\n  int {at} = 0;\n"
        f"  if ({s.lane} == 0) {at} = atomicAdd(&acc[3], __popc({b}));\n"
        f"  {at} = __shfl_sync({s.mask()}, {at}, 0);\n"
        f"  if (keep) bag[{at} + __popc({b} & {s.below(f'((1u << {s.lane}) - 1)')})] = (int)v;\n}}"
    )


ALWAYS: tuple[Callable[[State], str], ...] = (arithmetic, exchange, tree, ballot, vote, match, broadcast, scan)
ALWAYS += (block_vote, warp_branch, reduced, atomics, compaction)
PLAIN: tuple[Callable[[State], str], ...] = (arithmetic, atomics)
WHOLE: tuple[Callable[[State], str], ...] = (warp_sum, lane_branch)
ALL: tuple[Callable[[State], str], ...] = (block_sum, lds_atomics, grouped)


def allowed(s: State) -> list[Callable[[State], str]]:
    """The pieces that are well-defined here."""
    found = list(ALWAYS)
    if s.whole:
        found += WHOLE
        if s.all:
            found += ALL
            if s.threads >= 64 and s.threads & (s.threads - 1) == 0:
                found.append(warp_tail)
    return found
