# ruff: noqa: PLR0124, E501, ARG005 (a value that differs from itself is a NaN; a table of functions, a row each)
"""What PTX instructions compute, written from PTX ISA 8.5 chapter 9 on plain integers: the oracle of test_ptx.py.

Values are the bits of registers. A function gets the words of the opcode after the base and the operands in order, and
gives the result's bits; `None` where PTX leaves the result open.
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import numpy as np

WIDTH = {"u8": 8, "s8": 8, "b8": 8, "u16": 16, "s16": 16, "b16": 16, "f16": 16, "bf16": 16, "pred": 1,
         "u32": 32, "s32": 32, "b32": 32, "f32": 32, "f16x2": 32, "bf16x2": 32, "f32x2": 64, "u64": 64, "s64": 64, "b64": 64, "f64": 64}  # fmt: skip
NAN32, NAN16 = 0x7FFFFFFF, 0x7FFF
PACKED = {"f16x2": ("f16", 16), "bf16x2": ("bf16", 16), "f32x2": ("f32", 32)}


def each_part(of):
    """An operation on a register of two parts does the same on each of them."""

    def run(w, *values):
        if w[-1] not in PACKED:
            return of(w, *values)
        part, width = PACKED[w[-1]]
        mask = (1 << width) - 1
        results = [of([*w[:-1], part], *(v >> at & mask for v in values)) for at in (0, width)]
        return None if None in results else results[0] | results[1] << width

    return run


def bits(x, kind):
    return x & ((1 << WIDTH[kind]) - 1)


def number(x, kind):
    """The integer that the bits of an integer type mean."""
    x = bits(x, kind)
    return x - (1 << WIDTH[kind]) if kind[0] == "s" and x >> (WIDTH[kind] - 1) else x


def real(x, kind):
    """The float that bits mean."""
    if kind == "bf16":
        return struct.unpack("<f", struct.pack("<I", (x & 0xFFFF) << 16))[0]
    form = {"f16": ("<H", "<e"), "f32": ("<I", "<f"), "f64": ("<Q", "<d")}[kind]
    return struct.unpack(form[1], struct.pack(form[0], bits(x, kind)))[0]


def raw(x, kind):
    """The bits of the float of a type nearest to a float or a Fraction (ties to even); the sign of a zero is kept."""
    if isinstance(x, Fraction):
        return nearest(x, kind)
    if math.isnan(x):
        return {"f16": NAN16, "bf16": NAN16, "f32": NAN32, "f64": (1 << 63) - 1}[kind]
    if math.isinf(x) or x == 0:
        whole = struct.unpack("<I", struct.pack("<f", x))[0]
        if kind in ("f32", "bf16"):
            return whole if kind == "f32" else whole >> 16
        return struct.unpack({"f16": "<H", "f64": "<Q"}[kind], struct.pack({"f16": "<e", "f64": "<d"}[kind], x))[0]
    return nearest(Fraction(x), kind)


def nearest(x, kind):
    precision, least, _, top = {
        "f16": (11, -24, 15, 0x7C00), "bf16": (8, -133, 127, 0x7F80), "f32": (24, -149, 127, 0x7F800000),
        "f64": (53, -1074, 1023, 0x7FF << 52)}[kind]  # fmt: skip
    sign = 1 << (WIDTH[kind] - 1) if x < 0 else 0
    x = abs(x)
    if x == 0:
        return 0
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    while Fraction(2) ** exponent > x:
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= x:
        exponent += 1
    step = max(exponent - precision + 1, least)
    steps = round(x / Fraction(2) ** step)  # ties to even
    code = steps + ((step - least) << (precision - 1)) if step > least else steps
    return sign | min(code, top)


def flush(x):
    return x & 0x80000000 if not x & 0x7F800000 else x


# --- integers ---


def bfe(w, a, b, c):
    kind, width = w[0], WIDTH[w[0]]
    pos, length, msb = b & 255, c & 255, WIDTH[w[0]] - 1
    sbit = 0 if kind[0] == "u" or not length else a >> min(pos + length - 1, msb) & 1
    return sum((a >> pos + i & 1 if i < length and pos + i <= msb else sbit) << i for i in range(width))


def bfi(w, a, b, c, d):
    msb = WIDTH[w[0]] - 1
    for i in range(d & 255):
        if (c & 255) + i <= msb:
            at = (c & 255) + i
            b = b & ~(1 << at) | (a >> i & 1) << at
    return b


def lop3(_w, a, b, c, lut):
    return sum((lut >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1) & 1) << i for i in range(32))


def prmt(w, a, b, c):
    source = [(b << 32 | a) >> 8 * i & 255 for i in range(8)]
    mode = w[1] if len(w) > 1 else ""
    i = c & 3
    picks = {
        "f4e": [i, i + 1, i + 2, i + 3], "b4e": [i, (i + 7) % 8, (i + 6) % 8, (i + 5) % 8], "rc8": [i] * 4,
        "ecl": [max(i, 0), max(i, 1), max(i, 2), 3], "ecr": [0, min(i, 1), min(i, 2), i],
        "rc16": [2 * (c & 1), 2 * (c & 1) + 1] * 2}.get(mode)  # fmt: skip
    out = 0
    for n in range(4):
        if picks is None:
            k = c >> 4 * n & 15
            byte = source[k & 7]
            byte = (255 if byte & 128 else 0) if k & 8 else byte
        else:
            byte = source[picks[n]]
        out |= byte << 8 * n
    return out


def shf(w, a, b, c):
    n = c & 31 if w[1] == "wrap" else min(c, 32)
    wide = b << 32 | a
    return (wide << n >> 32 if w[0] == "l" else wide >> n) & 0xFFFFFFFF


def bfind(w, a):
    kind = w[-1]
    width = WIDTH[kind]
    if kind[0] == "s" and a >> (width - 1):
        a = ~a & ((1 << width) - 1)
    at = a.bit_length() - 1
    if at < 0:
        return 0xFFFFFFFF
    return width - 1 - at if w[0] == "shiftamt" else at


def shift(w, a, b, *, left):
    width = WIDTH[w[0]]
    b = min(b, width)
    return bits(a << b, w[0]) if left else bits(number(a, w[0]) >> b, w[0])


def mul(w, a, b):
    form, kind = w
    x, y = number(a, kind), number(b, kind)
    if form == "wide":
        return (x * y) & ((1 << 2 * WIDTH[kind]) - 1)
    return bits(x * y if form == "lo" else (x * y) >> WIDTH[kind], kind)


def mad(w, a, b, c):
    wide = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}.get(w[1], w[1]) if w[0] == "wide" else w[1]
    return bits(mul(w, a, b) + c, wide)


def mul24(w, a, b):
    form, kind = w
    x, y = a & 0xFFFFFF, b & 0xFFFFFF
    if kind == "s32":
        x, y = (v - (1 << 24) if v >> 23 else v for v in (x, y))
    return bits(x * y if form == "lo" else (x * y) >> 16, kind)


def sad(w, a, b, c):
    return bits(c + abs(number(a, w[0]) - number(b, w[0])), w[0])


def divided(w, a, b, *, rest):
    x, y = number(a, w[0]), number(b, w[0])
    if y == 0 or (y == -1 and x == -(1 << (WIDTH[w[0]] - 1))):
        return None
    q = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return bits(x - q * y if rest else q, w[0])


def add(w, a, b, sign=1):
    kind = w[-1]
    if kind == "f16x2":
        return sum(
            raw(Fraction(real(a >> s, "f16")) + sign * Fraction(real(b >> s, "f16")), "f16") << s for s in (0, 16)
        )
    total = number(a, kind) + sign * number(b, kind)
    if w[0] == "sat":
        total = max(-(1 << 31), min((1 << 31) - 1, total))
    return bits(total, kind)


# --- floats ---


def combined(w, values, op):
    """An operation on floats: exact where all are finite, then rounded once."""
    kind = w[-1]
    ftz = "ftz" in w
    xs = [real(flush(v) if ftz else v, kind) for v in values]
    if all(map(math.isfinite, xs)):
        out = op(*map(Fraction, xs), xs)
        code = raw(out, kind)
    else:
        with np.errstate(all="ignore"):
            code = raw(float(op(*map(np.float64, xs), None)), kind)
    return flush(code) if ftz else code


def zero_or(value, signs):
    """A sum that is exactly zero keeps the sign only where both terms had it."""
    return -0.0 if value == 0 and signs else value


def float_sum(w, a, b, sign):
    def op(x, y, real_values):
        y = -y if sign < 0 else y
        if real_values is None:
            return x + y
        negative = [math.copysign(1, v) < 0 for v in real_values]
        both = negative[0] and (negative[1] != (sign < 0))
        return zero_or(x + y, both) if x + y == 0 and x == 0 else x + y

    return combined(w, (a, b), op)


def float_product(w, a, b):
    def op(x, y, real_values):
        if real_values is None:
            return x * y
        minus = math.copysign(1, real_values[0]) != math.copysign(1, real_values[1])
        return -0.0 if x * y == 0 and minus else x * y

    return combined(w, (a, b), op)


def fma(w, a, b, c):
    if w[0] == "f32" and w[-1] in ("f16", "bf16"):  # mixed: products of narrow factors, added to a float
        a, b, w = raw(real(a, w[-1]), "f32"), raw(real(b, w[-1]), "f32"), ["f32"]

    def op(x, y, z, real_values):
        if real_values is None:
            return x * y + z
        if x * y + z == 0:
            minus = math.copysign(1, real_values[0]) != math.copysign(1, real_values[1])
            both = minus and math.copysign(1, real_values[2]) < 0
            return -0.0 if both and x * y == 0 else Fraction(0)
        return x * y + z

    code = combined(w, (a, b, c), op)
    if "relu" not in w:
        return code
    x = real(code, w[-1])
    return code if x > 0 or x != x else 0 if x < 0 else None  # the sign of a zero is left open


def least_most(w, a, b, pick):
    kind = w[-1]
    if kind[0] in "us":
        return bits(pick(number(a, kind), number(b, kind)), kind)
    x, y = real(a, kind), real(b, kind)
    if math.isnan(x) or math.isnan(y):
        if "NaN" in w or (math.isnan(x) and math.isnan(y)):
            return raw(math.nan, kind)
        return b if math.isnan(x) else a
    if x == y == 0:
        return raw(-0.0 if pick is min and math.copysign(1, x) + math.copysign(1, y) < 2 else 0.0 if pick is max and
                   math.copysign(1, x) + math.copysign(1, y) > -2 else x, kind)  # fmt: skip
    return a if pick(x, y) == x else b


def function(of):
    """A function of one float: (bits, kind, ftz) -> the exact result as a float."""

    def run(w, a):
        kind = w[-1]
        x = real(flush(a) if "ftz" in w and kind == "f32" else a, kind)
        code = raw(of(x), kind)
        return flush(code) if "ftz" in w and kind == "f32" else code

    return each_part(run)


def ex2(x):
    return math.inf if x > 1025 else 2.0**x if x > -1080 else 0.0 if x == x else x


def lg2(x):
    return math.nan if x != x or x < 0 else -math.inf if x == 0 else math.inf if math.isinf(x) else math.log2(x)


def rcp(x):
    return (
        math.copysign(math.inf, x)
        if x == 0
        else x
        if x != x
        else math.copysign(0.0, x)
        if math.isinf(x)
        else 1 / Fraction(x)
    )


def sqrt(x):
    return math.nan if x != x or x < 0 else x if x == 0 or math.isinf(x) else math.sqrt(x)


def rsqrt(x):
    return (
        math.copysign(math.inf, x)
        if x == 0
        else math.nan
        if x != x or x < 0
        else 0.0
        if math.isinf(x)
        else 1 / math.sqrt(x)
    )


def angle(of):
    return lambda x: math.nan if not math.isfinite(x) else of(x)


def division(w, a, b):
    kind = w[-1]
    x, y = (real(flush(v) if "ftz" in w else v, kind) for v in (a, b))
    if math.isfinite(x) and math.isfinite(y) and y != 0:
        q = Fraction(x) / Fraction(y)
        code = raw(q, kind) if q else raw(math.copysign(0.0, x) * math.copysign(1.0, y), kind)
    else:
        with np.errstate(all="ignore"):
            code = raw(float(np.float64(x) / np.float64(y)), kind)
    return flush(code) if "ftz" in w else code


# --- conversions ---


def rounded(mode, x):
    if not math.isfinite(x):
        return x
    return {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}[mode](x)


def cvt(w, *sources):
    mode = [p for p in w if p in ("rn", "rz", "rna", "rni", "rzi", "rmi", "rpi", "sat", "relu", "ftz", "satfinite")]
    to, *rest = [p for p in w if p not in mode]
    kind = rest[0] if rest else to
    if to in ("f16x2", "bf16x2") and kind == "f32":
        part = to[:-2]
        xs = [real(s, "f32") for s in sources]
        xs = [0.0 if "relu" in mode and x < 0 else x for x in xs]
        return raw(xs[0], part) << 16 | raw(xs[1], part)
    if to in ("e4m3x2", "e5m2x2") and kind == "f16x2":
        return sum(float8(real(sources[0] >> s & 0xFFFF, "f16"), to[:4]) << s // 2 for s in (0, 16))
    if to in ("e4m3x2", "e5m2x2"):
        return float8(real(sources[0], "f32"), to[:4]) << 8 | float8(real(sources[1], "f32"), to[:4])
    if kind in ("e4m3x2", "e5m2x2"):
        return sum(raw(value8(sources[0] >> s & 255, kind[:4]), "f16") << 2 * s for s in (0, 8))
    (a,) = sources
    if to == "tf32":
        x = real(a, "f32")
        return NAN32 if x != x else a if math.isinf(x) else (a + 0x1000) & ~0x1FFF & 0xFFFFFFFF
    if to[0] in "us" and kind[0] in "us":
        x = number(a, kind)
        if "sat" in mode:
            x = clamp(x, to)
        return bits(x, to)
    if to[0] in "us":
        x = rounded(mode[0], real(a, kind))
        return 0 if x != x else bits(clamp(x, to), to)
    if kind[0] in "us":
        return raw(Fraction(number(a, kind)), to)
    x = real(a, kind)
    if "sat" in mode:
        return raw(max(0.0, min(1.0, x)), to) if x == x and x > 0 else 0
    if mode and mode[0] in ("rni", "rzi", "rmi", "rpi"):
        y = rounded(mode[0], x)
        return raw(math.copysign(float(y), x) if y == 0 else float(y), to)
    if mode == ["rz"]:
        return (a >> 16) if x == x else NAN16
    return raw(x, to)


def clamp(x, kind):
    least, most = (
        (-(1 << (WIDTH[kind] - 1)), (1 << (WIDTH[kind] - 1)) - 1) if kind[0] == "s" else (0, (1 << WIDTH[kind]) - 1)
    )
    return least if x < least else most if x > most else int(x)


def value8(code, kind):
    wide, bias = (3, 7) if kind == "e4m3" else (2, 15)
    exponent, fraction = (code & 127) >> wide, code & ((1 << wide) - 1)
    if kind == "e4m3" and code & 127 == 127:
        return math.nan
    if kind == "e5m2" and exponent == 31:
        return math.nan if fraction else math.copysign(math.inf, 0.5 - (code >> 7))
    return math.copysign((fraction / 2**wide + (exponent > 0)) * 2.0 ** (max(exponent, 1) - bias), 0.5 - (code >> 7))


def float8(x, kind):
    if x != x:
        return 127
    finite = [c for c in range(128) if math.isfinite(value8(c, kind))]
    code = min(finite, key=lambda c: (abs(value8(c, kind) - min(abs(x), 1e6)), c & 1))
    return code | (128 if math.copysign(1, x) < 0 else 0)


# --- bytes and the rest ---


def dot(w, a, b, c, pairs):
    total = number(c, "s32") + sum(x * y for x, y in pairs(w, a, b))
    return bits(total, "s32")


def bytes_of(x, kind, count=4):
    return [number(x >> 8 * i & 255, kind[0] + "8") for i in range(count)]


def dp4a(w, a, b, c):
    return dot(w, a, b, c, lambda w, a, b: zip(bytes_of(a, w[0]), bytes_of(b, w[1]), strict=True))


def dp2a(w, a, b, c):
    def pairs(w, a, b):
        low = 0 if w[0] == "lo" else 16
        halves = [number(a >> s & 0xFFFF, w[1][0] + "16") for s in (0, 16)]
        return zip(halves, bytes_of(b >> low, w[2], 2), strict=True)

    return dot(w, a, b, c, pairs)


def vabsdiff(w, a, b, c=0):
    return bits(abs(number(a, w[1]) - number(b, w[2])) + c, "u32")


def video_shift(w, a, b, c=0, *, left):
    n = b & 31 if "wrap" in w else min(b, 32)
    return bits((a << n if left else a >> n) + c, "u32")


def vabsdiff4(w, a, b, c):
    return bits(sum(abs(x - y) for x, y in zip(bytes_of(a, w[1]), bytes_of(b, w[2]), strict=True)) + c, "u32")


def compare(w, a, b):
    test, kind = w[0], w[-1]
    if kind[0] == "f":
        x, y = real(a, kind), real(b, kind)
        if test in ("nan", "num"):
            return int((x != x or y != y) == (test == "nan"))
        if x != x or y != y:
            return int(test in ("equ", "neu"))
        test = {"equ": "eq", "neu": "ne"}.get(test, test)
    else:
        x, y = number(a, kind), number(b, kind)
    return int({"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y,
                "lo": x < y, "ls": x <= y, "hi": x > y, "hs": x >= y}[test])  # fmt: skip


def float_or(of_floats, of_integers):
    return lambda w, *v: (of_floats if w[-1] in ("f32", "f64", "f16") else of_integers)(w, *v)


def is_float(kind):
    return kind in ("f16", "bf16", "f32", "f64")


def negated(w, a):
    kind = w[-1]
    return a ^ 1 << (WIDTH[kind] - 1) if is_float(kind) else bits(-a, kind)


def magnitude(w, a):
    kind = w[-1]
    return a & ~(1 << (WIDTH[kind] - 1)) if is_float(kind) else bits(abs(number(a, kind)), kind)


def product(w, *values):
    return float_product(w, *values) if is_float(w[-1]) else mul(w, *values)


def summed(sign):
    def run(w, a, b):
        if w[0] == "f32" and w[-1] in ("f16", "bf16"):  # mixed: a narrow term and a float
            return float_sum(["f32"], raw(real(a, w[-1]), "f32"), b, sign)
        return float_sum(w, a, b, sign) if is_float(w[-1]) else add(w, a, b, sign)

    return each_part(run)


MODEL = {
    "bfe": bfe, "bfi": bfi, "lop3": lop3, "prmt": prmt, "shf": shf, "bfind": bfind,
    "popc": lambda w, a: a.bit_count(), "clz": lambda w, a: WIDTH[w[0]] - a.bit_length(),
    "brev": lambda w, a: int(f"{a:0{WIDTH[w[0]]}b}"[::-1], 2),
    "and": lambda w, a, b: a & b, "or": lambda w, a, b: a | b, "xor": lambda w, a, b: a ^ b,
    "not": lambda w, a: bits(~a, w[0]), "cnot": lambda w, a: int(a == 0),
    "shl": lambda w, a, b: shift(w, a, b, left=True), "shr": lambda w, a, b: shift(w, a, b, left=False),
    "add": summed(1), "sub": summed(-1), "mul": each_part(product),
    "mad": lambda w, *v: fma(w, *v) if w[-1] == "f32" else mad(w, *v), "mul24": mul24,
    "mad24": lambda w, a, b, c: bits(mul24(w, a, b) + c, w[1]), "sad": sad,
    "div": float_or(division, lambda w, a, b: divided(w, a, b, rest=False)), "rem": lambda w, a, b: divided(w, a, b, rest=True),
    "min": each_part(lambda w, a, b: least_most(w, a, b, min)), "max": each_part(lambda w, a, b: least_most(w, a, b, max)),
    "neg": each_part(negated), "abs": each_part(magnitude), "fma": each_part(fma),
    "ex2": function(ex2), "lg2": function(lg2), "rcp": function(rcp), "rsqrt": function(rsqrt), "sqrt": function(sqrt),
    "sin": function(angle(math.sin)), "cos": function(angle(math.cos)), "tanh": function(math.tanh),
    "copysign": lambda w, a, b: b & ~(1 << (WIDTH[w[0]] - 1)) | a & 1 << (WIDTH[w[0]] - 1),
    "cvt": cvt, "dp4a": dp4a, "dp2a": dp2a, "vabsdiff": vabsdiff, "vabsdiff4": vabsdiff4,
    "vshl": lambda w, *v: video_shift(w, *v, left=True), "vshr": lambda w, *v: video_shift(w, *v, left=False),
    "mov": lambda w, a: a, "selp": lambda w, a, b, c: a if c else b, "slct": lambda w, a, b, c: a if number(c, "s32") >= 0 else b,
    "setp": compare, "set": lambda w, a, b: 0xFFFFFFFF * compare([w[0], w[-1]], a, b),
    "createpolicy": lambda w, *v: 0,
}  # fmt: skip
APPROXIMATE = {"ex2", "lg2", "rcp", "rsqrt", "sqrt", "sin", "cos", "tanh", "div"}
