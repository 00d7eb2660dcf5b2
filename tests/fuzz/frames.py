"""Whole kernels of one idea each: threads that leave between barriers, sums, bins, chains of loads, narrow rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz import pieces
from tests.fuzz.pieces import SMALL

if TYPE_CHECKING:
    from tests.fuzz.pieces import State

    Made = tuple[list[str], dict[str, object]]


def apart(s: State) -> str:
    """A condition that differs between threads, by place or by value."""
    k = s.rng.randrange(2, 9)
    return s.one(
        "i >= n", f"in[i % (int)n] % {k} == 0", f"t % {k} == 1", f"(int)v > {100 * k}", f"t > {s.threads // 2}"
    )


def by_place(s: State) -> str:
    """A condition that differs between threads by their numbers alone: what rules about barriers can see."""
    k = s.rng.randrange(2, 9)
    return s.one(
        "i >= n", f"t % {k} == 1", f"t > {s.threads // 2}", f"(t + {k}) % 3 == 0", f"i + {k} < n && t % 2 == 0"
    )


def leaving(s: State) -> str:
    """Some threads return here; nobody waits for them later."""
    c, d = apart(s), apart(s)
    k = s.rng.randrange(1, 9)
    return s.one(
        f"if ({c}) return;",
        f"if ({c}) {{\n  out[i] = -{k};\n  return;\n}}",
        f"if ({c}) {{ atomicAdd(&acc[{k}], 1); return; }}",
        f"if ({c}) {{\n  if ({d}) return;\n  v = ({s.type})(((int)v + {k}) & {SMALL});\n}}",
        f"if ({c} && {d}) return;",
        f"if (!({c})) {{\n  v = ({s.type})(((int)v ^ {k}) & {SMALL});\n}} else {{\n  return;\n}}",
        f"if ({c}) {{\n  return;\n}} else if ({d}) {{\n  v = ({s.type})(((int)v + 1) & {SMALL});\n}}",
        f"for (int r = 0; r < 3; ++r) {{\n  if (in[(i + r) % (int)n] % 17 == {k}) return;\n}}",
        f"for (int r = 0; r < {k}; ++r) {{\n  if (in[(i + r) % (int)n] % 7 == 0) continue;\n"
        f"  if (r > 5 && {d}) break;\n  v = ({s.type})(((int)v + in[(i * 3 + r) % (int)n]) & {SMALL});\n}}",
        f"if (leaves(i, (int)n, {k})) return;",
        f"LEAVE_IF({c});",
    )


def local(s: State) -> str:
    """Declarations and changes of several kinds, of which later statements may read."""
    a, k = s.name("a"), s.rng.randrange(1, 30)
    use = f"v = ({s.type})(((int)v + (int){a}) & {SMALL});"
    return s.one(
        f"unsigned {a} = in[(i + {k}) % (int)n];\n{use}",
        f"const int {a} = in[(i + {k}) % (int)n], {a}b = in[i % (int)n] + {a};\n{use}\nv += {a}b & 3;",
        f"const int* {a}p = in + (i + {k}) % (int)n;\nint {a} = *{a}p;\n{use}",
        f"int {a};\nif ({apart(s)}) {a} = {k}; else {a} = in[i % (int)n];\n{use}",
        f"int {a}[3] = {{{k}, t, 4}};\n{a}[t % 3] += 5;\nv = ({s.type})(((int)v + {a}[2] + {a}[0]) & {SMALL});",
        f"auto {a} = v;\n{a} += {k};\n{use}",
        f"bool {a} = {apart(s)};\n{use}",
        f"int2 {a}q = make_int2(in[i % (int)n], t);\nint {a} = {a}q.x + {a}q.y;\n{use}",
        f"unsigned long long {a} = (unsigned long long)in[(i + {k}) % (int)n] * 3ull;\n{use}",
        f"switch (in[i % (int)n] & 3) {{\n  case 0: v += {k}; break;\n  case 1: v += 2;\n  default: v += 1;\n}}\n"
        f"{pieces.small(s)}",
        f"int {a} = 0;\ndo {{ {a} += 1 + (in[(i + {a}) % (int)n] & 7); }} while ({a} < {k} && {a} % 4 != 0);\n{use}",
        f"auto {a}f = [&](int q) {{ return in[(i + q) % (int)n] & 15; }};\nint {a} = {a}f({k});\n{use}",
        f"{s.type}& {a} = v;\n{a} = ({s.type})(((int){a} + {k}) & {SMALL});",
        f"int {a} = atomicAdd(&acc[40], 0);\nv = ({s.type})(((int)v + {a}) & {SMALL});",
        f"out[i] = (int)v + {k};",
        f"if ({apart(s)}) out[i] = {k};",
        f"atomicAdd(&acc[{k % 16}], (int)v);",
        f"if ({apart(s)}) atomicMax(&acc[20], (int)v);",
        f"#pragma unroll\nfor (int q = 0; q < 4; ++q) v = ({s.type})(((int)v * 3 + q) & {SMALL});",
    )


def meeting(s: State, a: str) -> str:
    """A phase: everyone who is still there writes to its own place, waits, and reads some other's."""
    k = s.rng.randrange(1, 90)
    read = s.one(f"{a}[(t + {k}) % {s.threads}]", f"{a}[0]", f"{a}[{s.threads} - 1 - t]", f"{a}[t]")
    change = f"v = ({s.type})(((int)v + (int){read}) & {SMALL});"
    half = s.name("w")
    wait = s.one("__syncthreads();", "__syncthreads();", "cg::this_thread_block().sync();", "BARRIER();", "meet();")
    store = s.one(f"{a}[t] = v;", f"{a}[t] = v + 1;", f"if ({apart(s)}) {a}[t] = v;")
    return s.one(
        f"{store}\n{wait}\n{change}",
        f"{store}\n{wait}\n{change}",
        f"v = ({s.type})exchanged({a}, (int)t, ({s.type})v, {k % s.threads}) ;\n{pieces.small(s)}",
        f"v += __syncthreads_count({apart(s)});\n{pieces.small(s)}",
        f"if (__syncthreads_or({apart(s)})) v += {k};\n{pieces.small(s)}",
        f"const int {half} = __syncthreads_and({apart(s)});\nv += {half} ? 2 : 1;",
        f"{store}\n{wait}\nfor (int {half} = {(s.threads + 1) // 2}; {half} > 0; {half} >>= 1) {{\n"
        f"  if (t < {half} && t + {half} < {s.threads}) {a}[t] = max({a}[t], {a}[t + {half}]);\n  {wait}\n}}\n"
        f"v = {a}[0];",
        f"for (int {half} = 0; {half} < m; ++{half}) {{\n"
        f"  {a}[t] = ({s.type})(((int)v + {half}) & {SMALL});\n  {wait}\n"
        f"  v = ({s.type})(((int)v + (int){read}) & {SMALL});\n  {wait}\n}}",
        f"if (m > 1) {{\n  {store}\n  {wait}\n  {change}\n}}",
    )


def last(s: State, a: str) -> list[str]:
    """The end of a kernel: perhaps a branch or a loop whose barriers only some threads reach, who are the last."""
    k = s.rng.randrange(1, 5)
    read = f"{a}[{s.one('0', 't', 't / 2')}]"
    turn = f"{a}[t] = v;\n  __syncthreads();\n  v = ({s.type})(((int)v + (int){read}) & {SMALL});\n  __syncthreads();"
    end = s.one(
        "out[i] = (int)v;", f"if ({apart(s)}) out[i] = (int)v;", "out[i] = (int)v;\natomicAdd(&acc[30], (int)v);"
    )
    if s.rng.random() < 0.4:
        return [end]
    c = by_place(s)
    return [
        s.one(
            f"if ({c}) {{\n  {turn}\n  v += {k};\n}}",
            f"if ({c}) {{\n  {turn}\n}} else {{\n  v = ({s.type})(in[i % (int)n] & 511);\n}}",
            f"if ({c}) {{\n  out[i] = -9;\n}} else {{\n  {turn}\n}}",
            f"for (int j = t; j < {s.threads * k + s.threads // 3}; j += {s.size}) {{\n  {turn}\n}}",
            f"for (int j = 0; j < t % 4; ++j) {{\n  {turn}\n}}",
            f"int j = t % {k + 2};\nwhile (j > 0) {{\n  {turn}\n  --j;\n}}",
            f"for (int j = 0; j < {k + 1}; ++j) {{\n  if (j > 0 && {c}) break;\n  {turn}\n}}",
            f"for (int j = 0; j < {k + 1}; ++j) {{\n  if (j * 7 + t > {s.threads}) continue;\n  {turn}\n}}",
            f"int j = 0;\ndo {{\n  {turn}\n  ++j;\n}} while (j < i % {k + 1});",
            f"for (int j = 0; j < {k + 1}; ++j) {{\n  if ((t + j) % 3 == 0) return;\n  {turn}\n}}",
        ),
        end,
    ]


def left(s: State, grid: int, n: int, head: list[str]) -> Made:
    """Threads return between barriers. Each phase has an array of its own, which all of the block filled before."""
    del grid, n
    s.helpers.add("leave")
    count = s.rng.randint(1, 3)
    names = [s.name("s") for _ in range(count + 1)]
    body = list(head)
    body += [f"__shared__ {s.type} {a}[{s.threads}];\n{a}[t] = {k};" for k, a in enumerate(names)]
    body += ["__syncthreads();", f"{s.type} v = ({s.type})in[i % (int)n];"]
    for a in names[:-1]:
        body += [s.rng.choice((leaving, local, local))(s) for _ in range(s.rng.randint(0, 3))]
        body.append(meeting(s, a))
    body += [s.rng.choice((leaving, local))(s) for _ in range(s.rng.randint(0, 2))]
    body += last(s, names[-1])
    return body, {"m": s.rng.choice([1, 2, 3]), "safe": True}


def sums(s: State, grid: int, n: int, head: list[str]) -> Made:
    """A reduction of a block from beginning to end, and nothing else."""
    del n
    total = grid * s.threads * 3 - s.rng.randrange(s.threads)
    step = s.one(f"gridDim.x * {s.size}", f"{s.size} * gridDim.x")
    take = s.one("in[j] & 7", "in[j] % 5", "in[j] > 500 ? 1 : 0")
    body = [*head, f"{s.type} v = 0;", f"for (int j = i; j < n; j += {step}) v += ({s.type})({take});"]
    s.helpers |= {"warp_sum", "block_sum"}
    kind = s.rng.randrange(4) if s.threads % 32 == 0 else 3
    size = s.warp_size()
    a, m = s.name("part"), s.mask()
    warps = -(-s.threads // 32)
    if kind == 0:
        body += [f"__shared__ {s.type} {a}[32];", f"v = blockReduceSum(v, {a}, t, {s.size});"]
    elif kind == 1:
        fits = s.one(f"{s.lane} < ({s.size} + {size} - 1) / {size}", f"{s.lane} < {s.size} / {size}")
        body += [
            f"for (int o = {size} / 2; o > 0; o {s.one('/= 2', '>>= 1')}) v += __shfl_down_sync({m}, v, o);",
            f"__shared__ {s.type} {a}[{s.one('32', str(warps))}];",
            f"if ({s.lane} == 0) {a}[{s.warp}] = v;\n__syncthreads();",
            (
                f"if ({s.warp} == 0) {{\n  v = {fits} ? {a}[{s.lane}] : ({s.type})0;\n"
                f"  for (int o = {size} / 2; o > 0; o /= 2) v += __shfl_down_sync({m}, v, o);\n}}"
            ),
        ]
    elif kind == 2:
        body += [f"v = warpReduceSum(v);\nif ({s.lane} == 0) atomicAdd(&acc[21], (int)v);"]
    else:
        body += [
            f"__shared__ {s.type} {a}[{s.threads}];\n{a}[t] = v;\n__syncthreads();",
            (
                f"for (int w = {1 << (s.threads - 1).bit_length() >> 1}; w > 0; w >>= 1) {{\n"
                f"  if (t < w && t + w < {s.threads}) {a}[t] += {a}[t + w];\n  __syncthreads();\n}}\nv = {a}[0];"
            ),
        ]
    body.append(s.one("if (t == 0) out[blockIdx.x] = (int)v;", "if (t == 0) atomicAdd(&acc[0], (int)v);"))
    return body, {"n": total, "out": total, "safe": True, "full": kind in (0, 1, 2)}


def counters(s: State, grid: int, n: int, head: list[str]) -> Made:
    """One counter or bins that every thread updates, by itself."""
    del n
    total = grid * s.threads * 2 - s.rng.randrange(s.threads)
    bins = s.rng.choice([8, 16, 64])
    at = s.one(f"in[j] & {bins - 1}", f"(unsigned)in[j] % {bins}u", "in[j] >> 4 & 31")
    update = s.one(
        "atomicAdd(acc, 1);",
        "atomicAdd(&acc[0], in[j]);",
        f"atomicAdd(&acc[{at}], 1);",
        f"atomicAdd(acc + ({at}), in[j]);",
        "atomicMax(&acc[3], in[j]);",
        "atomicOr(acc + 2, in[j]);",
        "atomicMin(&acc[blockIdx.x], -in[j]);",
        "atomicAdd((unsigned*)&acc[blockIdx.x], (unsigned)in[j]);",
        "atomicSub(&acc[1], in[j] & 3);",
        "atomicAdd((unsigned long long*)acc, (unsigned long long)in[j]);",
    )
    guard = s.one("", "if (in[j] % 3 == 0) ", "if (in[j] > 200 && j % 2) ")
    step = f"gridDim.x * {s.size}"
    kind = s.rng.randrange(4)
    body = list(head)
    if kind == 0:
        body.append(f"for (int j = i; j < n; j += {step}) {{\n  {guard}{update}\n}}")
    elif kind == 1:
        body.append(f"const int j = i;\nif (j >= n) return;\n{guard}{update}\nout[j] = in[j] + 1;")
    elif kind == 2:
        body.append(f"const int j = i;\nif (j < n) {{\n  if (in[j] % 5 == 1) out[j] = 7;\n  {guard}{update}\n}}")
    else:
        body.append(
            f"for (int j = i; j < n; j += {step}) {{\n  if (in[j] % 4 == 1) continue;\n  {guard}{update}\n"
            f"  for (int q = 0; q < m; ++q) {{ {update} }}\n}}"
        )
    if s.rng.random() < 0.3:
        body.append(
            s.one("atomicAdd(&acc[60], 1);", "atomicAdd(&acc[61], (int)t);", "if (t == 0) atomicAdd(&acc[62], 1);")
        )
    return body, {"n": total if kind in (0, 3) else grid * s.threads - s.rng.randrange(s.threads), "out": total}


def chains(s: State, grid: int, n: int, head: list[str]) -> Made:
    """A loop that loads an index, and what it points to."""
    del grid, n
    first = s.one("in[i % (int)n] % 9", "0", "i % 5")
    step = s.one(
        "sum += in[in[k] % (int)n];",
        "sum += in[k] * (in[in[k] % (int)n] & 7);",
        "if (in[k] & 1) sum += in[in[k] % (int)n];",
    )
    return [
        *head,
        f"{s.type} sum = 0;\nconst int begin = {first}, end = min((int)n, begin + in[i % (int)n] % 23);",
        s.one(f"for (int k = begin; k < end; ++k) {step}", f"int k = begin;\nwhile (k < end) {{\n  {step}\n  k++;\n}}"),
        "if (i < n) out[i] = (int)sum;",
    ], {}


def rows(s: State, grid: int, n: int, head: list[str]) -> Made:
    """A small block for each row, or several; nothing that threads share."""
    del head, n
    s.lane = "lane"
    x, y, z = s.block
    count = grid * 3 + 1
    columns = s.rng.choice([x, max(1, x - 3), 5, 12, 20])
    row = "blockIdx.x" if y * z == 1 else "blockIdx.x * blockDim.y + threadIdx.y"
    body = [
        s.one("const int", "int", "const unsigned", "const auto") + f" row = {row};",
        f"const int {s.lane} = threadIdx.x;",
    ]
    t = s.lane
    body.append(s.one("", "if (row >= n) return;", f"if ({t} >= {columns}) return;"))
    inner = s.one(
        f"out[row * {columns} + c] = in[row * {columns} + c] * 2 + blockIdx.x;",
        f"int q = in[row * {columns} + c];\n  if (q % 3 == 0) continue;\n  out[row * {columns} + c] = q + gridDim.x;",
        f"if (in[row * {columns} + c] > 300) out[row * {columns} + c] = helped(row, c);",
    )
    guard = "" if "row >= n" in body[-1] else "row < n && "
    body.append(
        f"for (int c = {t}; {guard}c < {columns}; c += {s.one('blockDim.x', str(x), str(x))}) {{\n  {inner}\n}}"
    )
    rows_ = count if z == 1 else 0
    return body, {
        "n": rows_,
        "out": max(1, rows_ * columns),
        "grid": count if y * z == 1 else -(-count // y),
        "rows": y,
    }


FRAMES = (left, left, left, sums, sums, counters, counters, chains, rows)
