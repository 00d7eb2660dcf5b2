"""Random kernels: a frame (indices, leaving, loops) around pieces, and the launch in host code."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Any

from tests.fuzz import frames, pieces, spelling
from tests.fuzz.pieces import SMALL, State

BLOCKS = (1, 8, 16, 24, 32, 33, 64, 96, 100, 128, 192, 256, 512, 1000, 1024)
DIMENSIONS = ((32, 4, 1), (32, 8, 1), (16, 16, 1), (8, 8, 1), (8, 4, 2), (32, 32, 1), (10, 3, 1), (64, 2, 1), (5, 5, 5))
Made = tuple[list[str], dict[str, Any]]
TYPES = ("int", "int", "unsigned", "float", "float", "double", "long long")


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel: `body` is its statements, each of which may be dropped; `before` what it needs, `host` its launch."""

    name: str
    seed: str
    before: str
    head: str
    body: tuple[str, ...]
    host: str
    out: int
    spellings: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def text(self) -> str:
        inner = "\n".join(self.body).replace("\n", "\n  ")
        return f"{self.before}{self.head} {{\n  {inner}\n}}\n"

    def without(self, at: range) -> Kernel:
        return replace(self, body=tuple(line for k, line in enumerate(self.body) if k not in at))


def kernel(seed: str, name: str) -> Kernel:
    """The kernel of a seed."""
    rng = random.Random(seed)  # noqa: S311 - it is no secret
    block = rng.choice(DIMENSIONS) if rng.random() < 0.25 else (rng.choice(BLOCKS), 1, 1)
    s = State(rng, rng.choice(TYPES), block)
    grid = rng.choice([1, 2, 3, 5])
    threads = s.threads * grid
    cut = rng.choice([0, 0, 1, s.threads // 2, s.threads - 1, 7]) if threads > 8 else 0
    n = max(1, threads - min(cut, s.threads - 1))
    if rng.random() < 0.5:
        body, how = rng.choice(frames.FRAMES)(s, grid, n, indices(s))
    else:
        body, how = rng.choice([plain, plain, early, early, turns, rows, stride, narrow, nested])(s, grid, n)
    body = [line for line in body if line]
    grid = how.get("grid", grid)
    n = how.get("n", n)
    out = how.get("out", threads)
    shared, template = how.get("shared", "0"), rng.random() < 0.25
    count = rng.choice(["int", "int", "unsigned", "size_t", "long long", "const int"])
    bounds = rng.choice(["", "", "", f"__launch_bounds__({s.threads}) ", f"__launch_bounds__({s.threads}, 2) "])
    qualifier = rng.choice(["", " __restrict__"])
    void = f"{bounds}void" if rng.random() < 0.5 else f"void {bounds}".rstrip()
    words = f"const int*{qualifier} in, int*{qualifier} out, int* acc, int* bag, {count} n, int m"
    head = f"__global__ {void} {name}({words})"
    called = name
    if template:
        head = f"template <typename T, int kBlock>\n{head}"
        body = [spelling.templated(rng, line, s) for line in body]
        called = f"{name}<{s.type}, {s.threads}>"
    if rng.random() < 0.2 and not template:
        head = head.replace("__global__", "static __global__")
    host = spelling.host(rng, called, s, grid, n, how.get("m", 5), out, shared, how.get("rows", 0))
    return Kernel(name, seed, spelling.own_helpers(rng, name), head, tuple(body), host, out)


def indices(s: State) -> list[str]:
    """`t`, `i`, and where they are used lane and warp, spelled in one of their ways."""
    x, y, z = s.block
    if y * z == 1:
        s.size = s.one("blockDim.x", "blockDim.x", str(x))
        t = "threadIdx.x"
    elif z == 1:
        s.size, t = f"({s.one('blockDim.x * blockDim.y', str(x * y))})", "threadIdx.y * blockDim.x + threadIdx.x"
    else:
        s.size = "(blockDim.x * blockDim.y * blockDim.z)"
        t = "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x"
    s.size = s.size if s.size.startswith("(") or s.size.isdigit() else f"(int){s.size}"
    s.size = s.size if not s.size.startswith("(block") else f"(int){s.size}"
    word = s.one("int", "const int")
    text = [f"{word} t = {t};\n{word} i = blockIdx.x * {s.size.replace('(int)', '')} + t;"]
    size = s.warp_size()
    lane, warp = s.one(f"t % {size}", "t & 31", "t & 0x1f", "t & (warpSize - 1)"), s.one(f"t / {size}", "t >> 5")
    if x == 32 and y > 1 and z == 1 and s.rng.random() < 0.6:
        lane, warp = "threadIdx.x", "threadIdx.y"
    if s.rng.random() < 0.25:
        s.lane, s.warp = (f"({lane})" if lane != "threadIdx.x" else "(int)threadIdx.x"), f"(int)({warp})"
    else:
        text.append(f"{word} lane = {lane};\n{word} warp = {warp};")
    return text


def some(s: State, low: int, high: int, at: list[str] | None = None) -> list[str]:
    out = at if at is not None else []
    for _ in range(s.rng.randint(low, high)):
        piece = s.rng.choice(pieces.allowed(s))
        out.append(piece(s))
    return out


def first(s: State, place: str = "i") -> str:
    return f"{s.type} v = ({s.type})in[{place}];"


def plain(s: State, grid: int, n: int) -> Made:
    """All threads work; those beyond n have a neutral value."""
    del grid, n
    body = [*indices(s), f"{s.type} v = i < n ? ({s.type})in[i] : ({s.type})0;"]
    how: dict[str, Any] = {}
    if s.rng.random() < 0.25:
        how["shared"] = f"{s.threads} * sizeof({s.type})"
        k = s.rng.randrange(1, 40)
        body.append(
            f"extern __shared__ unsigned char raw[];\n{s.type}* tile = reinterpret_cast<{s.type}*>(raw);\n"
            f"tile[t] = v;\n__syncthreads();\nv += tile[(t + {k}) % {s.size}];\n{pieces.small(s)}"
        )
    some(s, 2, 5, body)
    body.append(s.one("if (i < n) out[i] = (int)v;", "if (i >= n) return;\nout[i] = (int)v;"))
    return body, how


def early(s: State, grid: int, n: int) -> Made:
    """Threads from n on return before barriers and collectives."""
    body = indices(s)
    if s.rng.random() < 0.3:
        body.append("atomicAdd(&acc[4], 1);")
    leave = s.one(
        "if (i >= n) return;", "if (!(i < n)) return;", "if (i >= n) {\n  return;\n}", "if (n <= i) { return; }"
    )
    if s.rng.random() < 0.2:
        leave = "if (i >= n) {\n  atomicAdd(&acc[5], 1);\n  return;\n}"
    body.append(leave)
    if n < grid * s.threads:
        s.left = "warps" if n % 32 == 0 and s.threads % 32 == 0 else "threads"
    body.append(first(s))
    some(s, 2, 5, body)
    body.append(s.one("out[i] = (int)v;", "if ((int)v > 3) {\n  out[i] = (int)v;\n}"))
    return body, {}


def nested(s: State, grid: int, n: int) -> Made:
    """A barrier at the end of a branch or behind a leaving by value; only own values cross it."""
    del grid, n
    a = s.name("s")
    own = f"{a}[t] = v;\n  __syncthreads();\n  v += {a}[t] + 1;\n  {pieces.small(s)}"
    some_out = s.one("out[i] = (int)v;", "out[i] = (int)v; atomicAdd(&acc[6], (int)v);")
    head = [*indices(s), f"__shared__ {s.type} {a}[{s.threads}];"]
    kind = s.rng.randrange(3)
    if kind == 0:
        return [*head, f"if (i < n) {{\n  {first(s)}\n  {own}\n  {some_out}\n}}"], {}
    if kind == 1:
        again = s.one("__syncthreads_count((int)v > 100)", "__syncthreads_or((int)v > 900) * 3")
        return [
            *head,
            "if (i >= n) return;",
            first(s),
            f"if ({s.bit()}) {{\n  out[i] = -7;\n  return;\n}}",
            own,
            f"v += {again};",
            some_out,
        ], {}
    return [
        *head,
        f"{s.type} v = 0;",
        f"if (i < n && in[i] % 4 != 1) {{\n  v = ({s.type})in[i];\n  {own}\n}}\nif (i < n) out[i] = (int)v;",
    ], {}


def turns(s: State, grid: int, n: int) -> Made:
    """A loop of a block over its elements with a barrier in it, which its threads leave at different times, at last."""
    a, k = s.name("s"), s.rng.choice([1, 2, 3])
    total = s.threads * k + s.rng.randrange(s.threads)
    body = [*indices(s), f"__shared__ {s.type} {a}[{s.threads}];\n{s.type} sum = 0;"]
    read = s.one(f"{a}[0]", f"{a}[t > 0 ? t - 1 : 0]", f"{a}[t]", f"{a}[t / 2]")
    element = f"in[j % {min(n, s.threads)}]"
    work = f"{a}[t] = ({s.type}){element};\n  __syncthreads();\n  sum += {read};\n  __syncthreads();"
    if s.rng.random() < 0.3:
        work += f"\n  if ({element} % 3 == 0) atomicAdd(&acc[7], 1);"
    head = s.rng.choice(
        [
            f"for (int j = t; j < m; j += {s.size}) {{\n  {work}\n}}",
            f"int j = t;\nwhile (j < m) {{\n  {work}\n  j += {s.size};\n}}",
            f"for (int b = 0; b < m; b += {s.size}) {{\n  const int j = b + t;\n  if (j >= m) break;\n  {work}\n}}",
            f"for (int b = 0; b < m; b += {s.size}) {{\n  const int j = b + t;\n  if (j >= m) continue;\n  {work}\n}}",
            f"for (int j = t; ; j += {s.size}) {{\n  if (j >= m) break;\n  {work}\n}}",
            f"for (int j = t; j < m; j += {s.size}) {{\n  {work}\n  if (sum > 100000) break;\n}}",
        ]
    )
    body += [head, s.one("out[i] = (int)sum;", "out[i] = (int)sum;\nif (t == 0) atomicAdd(&acc[0], (int)sum);")]
    del grid
    return body, {"m": total}


def rows(s: State, grid: int, n: int) -> Made:
    """A loop with the same number of turns for all threads of a block, and collectives in it."""
    del grid, n
    body = [*indices(s), f"{s.type} sum = 0;"]
    inner = [f"{s.type} v = ({s.type})((i + r * 7) % (int)n < n - 1 ? in[(i + r * 7) % (int)n] : 3);"]
    some(s, 1, 3, inner)
    text = "\n".join(inner).replace("\n", "\n  ")
    head = s.one("for (int r = 0; r < m; ++r)", "for (int r = blockIdx.x; r < m + 1; r += 2)")
    body += [f"{head} {{\n  {text}\n  sum = ({s.type})((int)(sum + v) & {SMALL});\n}}", "out[i] = (int)sum;"]
    return body, {"m": s.rng.choice([1, 2, 4])}


def stride(s: State, grid: int, n: int) -> Made:
    """A grid-stride loop, or a row a block; no barriers in it, atomics."""
    del n
    body = indices(s)
    total = grid * s.threads * 2 + s.rng.randrange(max(1, s.threads))
    skip = s.one("", "if (in[j] % 5 == 0) continue;\n  ", "if (j % 11 == 3) continue;\n  ")
    inner = "\n".join(s.rng.choice(pieces.PLAIN)(s) for _ in range(s.rng.randint(1, 3))).replace("\n", "\n  ")
    word = s.one("int", "unsigned", "size_t", "long long")
    step = s.one(f"gridDim.x * {s.size}", f"{s.size} * gridDim.x")
    body += [f"for ({word} j = i; j < n; j += {step}) {{\n  {skip}{first(s, 'j')}\n  {inner}\n  out[j] = (int)v;\n}}"]
    if s.rng.random() < 0.5:
        body.append(f"{s.type} v = ({s.type})(t & 63);")
        some(s, 1, 2, body)
        body.append("atomicAdd(&acc[47], (int)v);")
    return body, {"n": total, "out": total}


def narrow(s: State, grid: int, n: int) -> Made:
    """A row of few columns a block, without anything that its threads share."""
    del n
    x, y, z = s.block
    columns = s.rng.choice([x, max(1, x - 3), 12, 20])
    column = s.one("threadIdx.x", "threadIdx.x")
    row = "blockIdx.x" if y * z == 1 else f"(blockIdx.x * {y * z} + threadIdx.y + {y} * threadIdx.z)"
    work = f"{first(s, 'at')}\n{{}}\nout[at] = (int)v;"
    inner = "\n".join(s.rng.choice(pieces.PLAIN)(s) for _ in range(s.rng.randint(1, 3)))
    s.rng.random()
    body = [f"const int row = {row};\nconst int t = {column};\nconst int lane = t & 31;"]
    s.lane = "lane"
    loop = (
        s.one(
            f"for (int c = t; c < {columns}; c += blockDim.x) {{{{\n"
            f"  const int at = row * {columns} + c;\n  BODY\n}}}}",
            f"if (t >= {columns}) return;\nconst int at = row * {columns} + t;\nBODY",
            f"if (t < {columns} && row < n) {{{{\n  const int at = row * {columns} + t;\n  BODY\n}}}}",
        )
        .replace("{{", "{")
        .replace("}}", "}")
    )
    nested_body = work.replace("{}", inner)
    if "\n  BODY" in loop:
        nested_body = nested_body.replace("\n", "\n  ")
    body.append(loop.replace("BODY", nested_body))
    total = grid * y * z
    return body, {"n": total, "out": total * columns + 1}
