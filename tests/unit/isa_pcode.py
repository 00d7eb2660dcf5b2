# ruff: noqa: PLR0124 (a value that differs from itself is a NaN)
"""AMD's pseudo-code for the CDNA instructions -> Python functions: the oracle of the opcode tests.

The text comes from the PyPI package tinygrad (tinygrad/runtime/autogen/amd/cdna/str_pcode.py), which took it from AMD's
ISA documents. A value is (kind, width, x): kind u, i, b (bits), f or bf; x an int, or a float of that width.
"""

from __future__ import annotations

import functools
import math
import re
import struct
from fractions import Fraction

TOKEN = re.compile(
    r"\s*(?:(//[^\n]*)|(\d+'[A-Z]+(?=[\[(;\s]|$))|(\d+'0x[0-9a-fA-F]+|\d+'\d+(?:\.\d+)?[A-Z]*|0x[0-9a-fA-F]+[UL]*|\d+\.\d+F?|\d+[UL]*F?)|"
    r"([A-Za-z_]\w*)|(\*\*|<<|>>|<=|>=|==|!=|<>|\+:|&&|\|\||\+=|-=|[-+*/%&|^~!<>=?:;,.(){}\[\]]))"
)


def tokens(text):
    out, at = [], 0
    while at < len(text):
        m = TOKEN.match(text, at)
        if m is None:
            if not text[at:].strip():
                break
            raise SyntaxError(f"pseudo-code at {text[at : at + 30]!r}")
        at = m.end()
        if m[1]:
            continue
        kind = "cast" if m[2] else "number" if m[3] else "name" if m[4] else "op"
        out.append((kind, m[2] or m[3] or m[4] or m[5]))
    return out


# --- values ---


def to_float(width, bits):
    form = {16: ("<H", "<e"), 32: ("<I", "<f"), 64: ("<Q", "<d")}[width]
    return struct.unpack(form[1], struct.pack(form[0], bits))[0]


def round_to(width, x):
    """The float of that width nearest to a float or Fraction."""
    if isinstance(x, Fraction):
        return round_fraction(width, x)
    if width == 64 or x != x or math.isinf(x):
        return x
    if x == 0:
        return x
    return round_fraction(width, Fraction(x))


def round_fraction(width, x):
    precision, least, most = {16: (11, -24, 15), 32: (24, -149, 127), 64: (53, -1074, 1023)}[width]
    if x == 0:
        return 0.0
    a = abs(x)
    e = a.numerator.bit_length() - a.denominator.bit_length()
    if Fraction(2) ** e > a:
        e -= 1
    if e > most:
        return -math.inf if x < 0 else math.inf
    unit = max(e - precision + 1, least)
    scaled = a / Fraction(2) ** unit
    n = scaled.numerator // scaled.denominator
    rest = scaled - n
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and n & 1):
        n += 1
    if n >= 1 << (most + 1 - unit):
        return -math.inf if x < 0 else math.inf
    return -math.ldexp(n, unit) if x < 0 else math.ldexp(n, unit)


def float_bits(width, x):
    form = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}[width]
    if x != x:
        return {16: 0x7E00, 32: 0x7FC00000, 64: 0x7FF8000000000000}[width]
    return struct.unpack(form[1], struct.pack(form[0], round_to(width, x)))[0]


def bf16_bits(x):
    if x != x:
        return 0x7FC0
    b = float_bits(32, x)
    return ((b + 0x7FFF + (b >> 16 & 1)) >> 16) & 0xFFFF


def bits(v):
    kind, width, x = v
    if len(v) == 3 and kind == "f":
        return nan_bits(x, width) if isinstance(x, Nan) else float_bits(width, x)
    if kind == "bf":
        return bf16_bits(x)
    return x & ((1 << width) - 1)


class Nan(float):
    """A NaN that remembers its bits."""

    raw: int
    width: int

    def __new__(cls, raw, width):
        self = float.__new__(cls, "nan")
        self.raw, self.width = raw, width
        return self


FRACTION = {16: 10, 32: 23, 64: 52}


def nan_bits(x, width):
    """The bits of a NaN in another width: sign and the top of its payload are kept, so a signalling one stays one."""
    if x.width == width:
        return x.raw
    payload = x.raw & ((1 << FRACTION[x.width]) - 1)
    step = FRACTION[width] - FRACTION[x.width]
    payload = payload << step if step > 0 else payload >> -step or 1
    top = (1 << width - 1) - (1 << FRACTION[width])
    return x.raw >> x.width - 1 << width - 1 | top | payload


class SignedZero(float):
    """A zero that is written with its sign: it equals only a zero of that sign."""


def typed(raw, name):
    """Bits -> value of a type such as u32, f16, bf16."""
    m = re.fullmatch(r"(bf|u|i|b|f|fp|bf)(\d+)", name)
    kind, width = m[1], int(m[2])
    raw &= (1 << width) - 1
    if name == "bf16":
        return ("bf", 16, to_float(32, raw << 16))
    if kind == "f":
        x = to_float(width, raw)
        return ("f", width, Nan(raw, width) if x != x else x)
    if kind == "i":
        return ("i", width, raw - (1 << width) if raw >> width - 1 else raw)
    return ("u" if kind == "u" else "b", width, raw)


def cast(width, kind, v):
    k, w, x = v
    if kind == "F":
        if k == "b":
            return typed(x, f"f{width}")
        if k in "ui":
            return ("f", width, round_fraction(width, Fraction(x)))
        return ("f", width, x if width >= w and k == "f" else round_to(width, x))
    if kind == "BF":
        return ("bf", 16, x)
    if k in ("f", "bf"):
        if kind == "B":
            return ("b", width, bits(v))
        x = int(x) if math.isfinite(x) else 0
    low = x & ((1 << width) - 1)
    if kind == "I":
        return typed(low, f"i{width}")
    return ("u" if kind == "U" else "b", width, low)


def is_float(v):
    return v[0] in ("f", "bf")


def number(v):
    return v[2]


def arithmetic(op, a, b):
    if is_float(a) or is_float(b):
        width = max(a[1] if is_float(a) else 0, b[1] if is_float(b) else 0)
        if op == "**":
            return ("f", 64, Fraction(2) ** min(max(int(b[2]), -5000), 5000))
        x, y = (v if isinstance(v, (float, Fraction)) else float(v) for v in (a[2], b[2]))
        return ("f", width, float_operation(op, x, y, width))
    width = max(a[1], b[1], 32)
    x, y = a[2], b[2]
    if op == "/":
        r = int(x // y) if y else 0
    elif op == "%":
        r = x % y if y else 0
    elif op == "**":
        r = x**y
    else:
        r = x + y if op == "+" else x - y if op == "-" else x * y
    signed = "i" in (a[0], b[0]) and "u" not in (a[0], b[0])
    return typed(r, f"{'i' if signed else 'u'}{width}")


def float_operation(op, x, y, width):
    if isinstance(x, Fraction) or isinstance(y, Fraction):
        return scaled_product(x, y, width)
    if x != x:
        return x
    if y != y:
        return y
    if op == "/":
        if y == 0:
            return math.nan if x == 0 else math.copysign(math.inf, x) * math.copysign(1, y)
        if math.isinf(x) or math.isinf(y):
            return x / y if not (math.isinf(x) and math.isinf(y)) else math.nan
        r = Fraction(x) / Fraction(y)
        return round_fraction(width, r) if r else math.copysign(0.0, math.copysign(1, x) * math.copysign(1, y))
    if math.isinf(x) or math.isinf(y):
        if op == "*" and (x == 0 or y == 0):
            return math.nan
        return x + y if op == "+" else x - y if op == "-" else x * y
    if op == "*":
        r = Fraction(x) * Fraction(y)
        return round_fraction(width, r) if r else math.copysign(0.0, math.copysign(1, x) * math.copysign(1, y))
    r = Fraction(x) + Fraction(y) if op == "+" else Fraction(x) - Fraction(y)
    return round_fraction(width, r) if r else (x + y if op == "+" else x - y)


def scaled_product(x, y, width):
    f, other = (x, y) if isinstance(x, Fraction) else (y, x)
    if other != other or math.isinf(other) or other == 0:
        return other
    return math.copysign(round_fraction(width, abs(Fraction(other) * f)), other)


def fma(a, b, c):
    width = max(v[1] for v in (a, b, c))
    x, y, z = (v[2] for v in (a, b, c))
    for v in (x, y, z):
        if v != v:
            return ("f", width, v)
    if math.isinf(x) or math.isinf(y):
        if x == 0 or y == 0:
            return ("f", width, math.nan)
        p = math.copysign(math.inf, math.copysign(1, x) * math.copysign(1, y))
        return ("f", width, math.nan if math.isinf(z) and z != p else p)
    if math.isinf(z):
        return ("f", width, z)
    r = Fraction(x) * Fraction(y) + Fraction(z)
    if r:
        return ("f", width, round_fraction(width, r))
    sign = math.copysign(1, x) * math.copysign(1, y)
    product_zero = x == 0 or y == 0
    if product_zero and z == 0:
        return ("f", width, math.copysign(0.0, sign) + z)
    return ("f", width, 0.0)


def exponent(v):
    return ("i", 32, bits(v) >> {16: 10, 32: 23, 64: 52}[v[1]] & {16: 31, 32: 255, 64: 2047}[v[1]])


def mantissa(v):
    m, _ = math.frexp(v[2]) if math.isfinite(v[2]) else (v[2], 0)
    return ("f", v[1], m)


def quiet(v):
    q = {16: 0x200, 32: 0x400000, 64: 1 << 51}[v[1]]
    return ("f", v[1], Nan(bits(v) | q, v[1]))


def is_signal(v):
    if v[2] == v[2]:
        return False
    q = {16: 0x200, 32: 0x400000, 64: 1 << 51}[v[1]]
    return not bits(v) & q


def saturate(v, low, high):
    x = v[2]
    if x != x:
        return 0
    if math.isinf(x):
        return high if x > 0 else low
    return min(max(int(x), low), high)


def to_int(kind, width):
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if kind == "i" else (0, (1 << width) - 1)
    return lambda v: (kind, width, saturate(v, low, high))


def order(name, a, b):
    """v_min_*, v_max_* as the rows of that name define them."""
    low = "min" in name
    if not is_float(a):
        return a if (a[2] < b[2]) == low else b
    if is_signal(a):
        return quiet(a)
    if is_signal(b):
        return quiet(b)
    if a[2] != a[2]:
        return b
    if b[2] != b[2]:
        return a
    if a[2] == 0 and b[2] == 0:
        negative = math.copysign(1, a[2]) < 0
        return a if negative == low else b
    return a if (a[2] < b[2]) == low else b


def order3(name, a, b, c):
    return order(name, order(name, a, b), c)


def ieee_order(low, a, b):
    if a[2] != a[2] or b[2] != b[2]:
        return quiet(a if a[2] != a[2] else b)
    return order("min" if low else "max", a, b)


def whole(f):
    return lambda v: (
        "f",
        v[1],
        v[2] if v[2] != v[2] or math.isinf(v[2]) or v[2] == 0 else math.copysign(float(f(v[2])), v[2]),
    )


def floor_half(x, width):
    """floor(x + 1/2) exactly; a zero keeps the sign."""
    if not math.isfinite(x):
        return x
    n = math.floor(Fraction(x) + Fraction(1, 2))
    return round_fraction(width, Fraction(n)) if n else math.copysign(0.0, x)


def towards_zero(x):
    """f32 -> f16 by truncation."""
    if x != x or math.isinf(x):
        return x
    r = round_to(16, x)
    if abs(r) > abs(x):
        code = float_bits(16, r) - 1
        return to_float(16, code)
    return r


def norm(kind):
    def one(v):
        x = v[2]
        scale = 32767 if kind == "i" else 65535
        if x != x:
            return (kind, 16, 0)
        x = min(max(x, -1.0 if kind == "i" else 0.0), 1.0)
        return (kind, 16, int(round_half_even(float_operation("*", x, float(scale), v[1] if v[1] > 16 else 32))))

    return one


def round_half_even(x):
    n = math.floor(x)
    return n + (x - n > 0.5 or (x - n == 0.5 and n & 1))


def integer(width, kind):
    return lambda v: cast(width, kind, v)


def unary(f):
    def one(v):
        try:
            return ("f", v[1], round_to(v[1], f(v[2])))
        except (ValueError, ZeroDivisionError, OverflowError):
            return ("f", v[1], math.nan)

    return one


FUNCTIONS = {
    "isNAN": lambda v: ("u", 1, int(v[2] != v[2])),
    "isSignalNAN": lambda v: ("u", 1, int(is_signal(v))),
    "isQuietNAN": lambda v: ("u", 1, int(v[2] != v[2] and not is_signal(v))),
    "cvtToQuietNAN": quiet,
    "exponent": exponent,
    "mantissa": mantissa,
    "sign": lambda v: ("u", 1, bits(v) >> v[1] - 1),
    "abs": lambda v: typed(bits(v) & ~(1 << v[1] - 1), f"f{v[1]}") if v[0] == "f" else (v[0], v[1], abs(v[2])),
    "fma": fma,
    "ldexp": lambda v, e: ("f", v[1], scaled_product(v[2], Fraction(2) ** min(max(e[2], -5000), 5000), v[1])),
    "floor": whole(math.floor),
    "trunc": whole(math.trunc),
    "isEven": lambda v: ("u", 1, int(math.isfinite(v[2]) and int(v[2]) % 2 == 0)),
    "fract": lambda v: ("f", v[1], v[2] - math.floor(v[2]) if math.isfinite(v[2]) else math.nan),
    "sqrt": unary(math.sqrt),
    "log2": unary(lambda x: math.log2(x) if x else -math.inf),
    "sin": unary(math.sin),
    "cos": unary(math.cos),
    "pow": lambda _a, b: (
        "f",
        b[1],
        b[2] if b[2] != b[2] else math.inf if b[2] > 1023 else round_to(b[1], 2.0 ** b[2]),
    ),
    "floor_half": lambda v: ("f", v[1], floor_half(v[2], v[1])),
    "signext": lambda v: ("i", 64, typed(bits(v), f"i{v[1]}")[2]),
    "signext_from_bit": lambda v, n: ("i", v[1], typed(bits(v), f"i{n[2]}")[2] if n[2] else 0),
    "bitCount": lambda v: ("u", 32, bits(v).bit_count()),
    "f16_to_f32": lambda v: ("f", 32, v[2]),
    "f32_to_bf16": lambda v: ("bf", 16, v[2]),
    "bf16_to_f32": lambda v: ("f", 32, v[2]),
    "f32_to_f16": lambda v: ("f", 16, round_to(16, v[2])),
    "f32_to_f16_rtz": lambda v: ("f", 16, towards_zero(v[2])),
    "f32_to_f64": lambda v: ("f", 64, v[2]),
    "f64_to_f32": lambda v: ("f", 32, round_to(32, v[2])),
    "i32_to_f32": lambda v: cast(32, "F", v),
    "u32_to_f32": lambda v: cast(32, "F", v),
    "i32_to_f64": lambda v: cast(64, "F", v),
    "u32_to_f64": lambda v: cast(64, "F", v),
    "u16_to_f16": lambda v: cast(16, "F", v),
    "i16_to_f16": lambda v: cast(16, "F", v),
    "f32_to_i32": to_int("i", 32),
    "f32_to_u32": to_int("u", 32),
    "f64_to_i32": to_int("i", 32),
    "f64_to_u32": to_int("u", 32),
    "f16_to_i16": to_int("i", 16),
    "f16_to_u16": to_int("u", 16),
    "f32_to_u8": lambda v: (
        "u",
        8,
        saturate(("f", 32, float(round_half_even(v[2])) if math.isfinite(v[2]) else v[2]), 0, 255),
    ),
    "f32_to_snorm": norm("i"),
    "f32_to_unorm": norm("u"),
    "f16_to_snorm": norm("i"),
    "f16_to_unorm": norm("u"),
    "u32_to_u16": lambda v: ("u", 16, min(v[2], 65535)),
    "i32_to_i16": lambda v: ("i", 16, min(max(v[2], -32768), 32767)),
    "i16_to_i32": integer(32, "I"),
    "u16_to_u32": integer(32, "U"),
    "i8_to_i32": integer(32, "I"),
    "u8_to_u32": integer(32, "U"),
    "i4_to_i32": integer(32, "I"),
    "u4_to_u32": integer(32, "U"),
    "ABSDIFF": lambda a, b: ("u", 32, abs(a[2] - b[2])),
    "BYTE_PERMUTE": lambda data, select: ("u", 8, byte_permute(bits(data), select[2] & 255)),
    "v_sad_u8": lambda a, b, c: (
        "u",
        32,
        sum(abs((a[2] >> i & 255) - (b[2] >> i & 255)) for i in range(0, 32, 8)) + c[2] & 0xFFFFFFFF,
    ),
    "v_minimum_f32": lambda a, b: ieee_order(True, a, b),
    "v_maximum_f32": lambda a, b: ieee_order(False, a, b),
    "v_minimum3_f16": lambda a, b, c: ieee_order(True, ieee_order(True, a, b), c),
    "v_maximum3_f16": lambda a, b, c: ieee_order(False, ieee_order(False, a, b), c),
    "s_ff1_i32_b64": lambda v: ("i", 32, (bits(v) & -bits(v)).bit_length() - 1),
}
for _n in ("min", "max"):
    for _t in ("f16", "f32", "i16", "u16", "i32", "u32"):
        FUNCTIONS[f"v_{_n}_{_t}"] = functools.partial(order, _n)
        FUNCTIONS[f"v_{_n}3_{_t}"] = functools.partial(order3, _n)
CONSTANTS = {
    "INF": ("f", 64, math.inf),
    "NAN": ("f", 64, math.nan),
    "PI": ("f", 64, math.pi),
    "UNDERFLOW_F32": ("f", 32, 0.0),
    "OVERFLOW_F32": ("f", 32, math.inf),
    "UNDERFLOW_F64": ("f", 64, 0.0),
    "OVERFLOW_F64": ("f", 64, math.inf),
}


def byte_permute(data, select):
    if select >= 13:
        return 255
    if select == 12:
        return 0
    if select >= 8:
        return 255 * (data >> (16 * (select - 8) + 15) & 1)
    return data >> 8 * select & 255


# --- the language ---


class StopLoopError(Exception):
    pass


def stop_loop(_env):
    raise StopLoopError


class Parser:
    """Recursive descent; makes closures over an environment (a dict of registers and variables)."""

    def __init__(self, text):
        text = re.sub(r"1201'B\(2\.0 / PI\)", "TWO_OVER_PI", text)
        text = re.sub(r"'F\((0x[0-9a-fA-F]+)[UL]*\)", r"'F(\1)", text)  # the bits of a float
        if "ROUND_TOWARD_ZERO" in text:
            text = text.replace("f32_to_f16", "f32_to_f16_rtz")
        text = text.replace("EXEC.u64[laneId] = D0.u64[laneId] =", "D0.u64[laneId] =")
        text = re.sub(
            r"\w+ = lambda\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\) \((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\);", "", text
        )
        self.t = tokens(text)
        self.i = 0

    def peek(self, k=0):
        return self.t[self.i + k][1] if self.i + k < len(self.t) else ""

    def take(self, expected=None):
        token = self.peek()
        if expected is not None and token != expected:
            raise SyntaxError(f"{token!r} where {expected!r} is due")
        self.i += 1
        return token

    def program(self):
        return self.block(())

    def block(self, stop):
        steps = []
        while self.i < len(self.t) and self.peek() not in stop:
            if self.peek() == ";":
                self.take()
                continue
            steps.append(self.statement())
        return lambda env: [step(env) for step in steps]

    def statement(self):
        word = self.peek()
        if word == "if":
            return self.conditional()
        if word == "for":
            return self.loop()
        if word == "declare":
            return self.declaration()
        if word == "break":
            self.take()
            return stop_loop
        target = self.postfix_target()
        op = self.take()
        if op not in {"=", "+=", "-="}:
            raise SyntaxError(f"{op!r} after a target")
        value = self.expression()
        if op != "=":
            read, sign = target[0], op[0]
            return lambda env: target[1](env, arithmetic(sign, read(env), value(env)))
        return lambda env: target[1](env, value(env))

    def conditional(self):
        branches, final = [], None
        self.take("if")
        condition = self.expression()
        self.take("then")
        branches.append((condition, self.block(("elsif", "else", "endif"))))
        while self.peek() == "elsif":
            self.take()
            condition = self.expression()
            self.take("then")
            branches.append((condition, self.block(("elsif", "else", "endif"))))
        if self.peek() == "else":
            self.take()
            final = self.block(("endif",))
        self.take("endif")

        def step(env):
            for test, body in branches:
                if number(test(env)):
                    return body(env)
            return final(env) if final else None

        return step

    def loop(self):
        self.take("for")
        name = self.take()
        self.take("in")
        first = self.expression()
        self.take(":")
        last = self.expression()
        self.take("do")
        body = self.block(("endfor",))
        self.take("endfor")

        def step(env):
            for i in range(number(first(env)), number(last(env)) + 1):
                env[name] = ("i", 32, i)
                try:
                    body(env)
                except StopLoopError:
                    return

        return step

    def declaration(self):
        self.take("declare")
        name = self.take()
        self.take(":")
        m = re.match(r"(\d+)'([A-Z]*)", self.take())
        size = 0
        if self.peek() == "[":
            self.take()
            size = int(self.take())
            self.take("]")
        width = int(m[1])
        if size:
            return lambda env: env.setdefault(name, dict.fromkeys(range(size), ("b", width, 0)))
        return lambda env: env.__setitem__(name, ("b", width, 0))

    # targets: (read, write)
    def postfix_target(self):
        if self.peek() == "{":
            return self.pair_target()
        name = self.take()
        path = self.path()
        return (lambda env: read_path(env, name, path), lambda env, v: write_path(env, name, path, v))

    def pair_target(self):
        self.take("{")
        high = self.postfix_target()
        self.take(",")
        low = self.postfix_target()
        self.take("}")

        def write(env, v):
            raw = bits(v)
            low[1](env, ("b", 64, raw & (2**64 - 1)))
            high[1](env, ("b", 1, raw >> 64 & 1))

        return (None, write)

    def path(self):
        """Members and indices after a name: ("t", type) | ("s", high, low) | ("x", index)."""
        out = []
        while self.peek() in {".", "["}:
            if self.take() == ".":
                out.append(("t", self.take()))
                continue
            first = self.expression()
            if self.peek() == ":":
                self.take()
                last = self.expression()
                out.append(("s", first, last))
            elif self.peek() == "+:":
                self.take()
                out.append(counted_slice(first, self.expression()))
            else:
                out.append(("x", first))
            self.take("]")
        return out

    # expressions
    def expression(self):
        condition = self.binary(0)
        if self.peek() != "?":
            return condition
        self.take()
        yes = self.expression()
        self.take(":")
        no = self.expression()
        return lambda env: yes(env) if number(condition(env)) else no(env)

    LEVELS = (
        ("||",),
        ("&&",),
        ("|",),
        ("^",),
        ("&",),
        ("==", "!=", "<>"),
        ("<", "<=", ">", ">="),
        ("<<", ">>"),
        ("+", "-"),
        ("*", "/", "%"),
        ("**",),
    )

    def binary(self, level):
        if level == len(self.LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in self.LEVELS[level] and self.t[self.i][0] == "op":
            left = operation(self.take(), left, self.binary(level + 1))
        return left

    def unary(self):
        op = self.peek()
        if op in {"-", "!", "~", "+"} and self.t[self.i][0] == "op":
            self.take()
            if self.peek() == "0.0" and op in {"+", "-"}:
                self.take()
                zero = ("f", 64, SignedZero(-0.0 if op == "-" else 0.0))
                return lambda _env: zero
            inner = self.unary()
            if op == "-":
                return lambda env: negate(inner(env))
            if op == "!":
                return lambda env: ("u", 1, int(not number(inner(env))))
            if op == "~":
                return lambda env: invert(inner(env))
            return inner
        return self.postfix()

    def postfix(self):
        kind, text = self.t[self.i]
        if kind == "number":
            self.take()
            value = literal(text)
            return lambda _env: value
        if kind == "cast":
            self.take()
            m = re.match(r"(\d+)'([A-Z]+)", text)
            self.take("(")
            inner = self.expression()
            self.take(")")
            path = self.path()
            width, to = int(m[1]), m[2]
            return lambda env: follow(env, cast(width, to, inner(env)), path)
        if text == "(":
            self.take()
            inner = self.expression()
            self.take(")")
            path = self.path()
            return lambda env: follow(env, inner(env), path)
        if text == "{":
            return self.concatenation()
        name = self.take()
        if self.peek() == "(":
            return self.call(name)
        path = self.path()
        return lambda env: read_path(env, name, path)

    def concatenation(self):
        self.take("{")
        parts = [self.expression()]
        while self.peek() == ",":
            self.take()
            parts.append(self.expression())
        self.take("}")
        path = self.path()

        def value(env):
            raw = width = 0
            for part in parts:
                v = part(env)
                raw, width = raw << v[1] | bits(v), width + v[1]
            return follow(env, ("b", width, raw), path)

        return value

    def call(self, name):
        self.take("(")
        arguments = []
        while self.peek() != ")":
            arguments.append(self.expression())
            if self.peek() == ",":
                self.take()
        self.take(")")
        path = self.path()
        function = FUNCTIONS[name]
        return lambda env: follow(env, function(*(a(env) for a in arguments)), path)


def counted_slice(first, count):
    """[i +: n]: n bits from bit i."""
    return ("s", lambda env: ("i", 32, number(first(env)) + number(count(env)) - 1), first)


def literal(text):
    m = re.fullmatch(r"(\d+)'(0x[0-9a-fA-F]+|\d+)([A-Z]*)", text)
    if m:
        return ("u", int(m[1]), int(m[2], 0))
    m = re.fullmatch(r"(\d+)'(\d+\.\d+)", text)
    if m:
        return ("f", int(m[1]), float(m[2]))
    if "." in text and not text.startswith("0x"):
        return ("f", 32 if text.endswith("F") else 64, float(text.rstrip("F")))
    if text.endswith("F") and not text.startswith("0x"):
        return ("f", 32, float(text[:-1]))
    digits = text.rstrip("UL")
    suffix = text[len(digits) :]
    value = int(digits, 0)
    width = 64 if "LL" in suffix or value >= 1 << 32 else 32
    if digits.startswith("0x") and not suffix:
        return ("b", width, value)
    return ("u" if "U" in suffix or value >= 1 << width - 1 else "i", width, value)


def negate(v):
    if is_float(v):
        if isinstance(v[2], Nan):
            return (v[0], v[1], Nan(nan_bits(v[2], v[1]) ^ (1 << v[1] - 1), v[1]))
        return (v[0], v[1], -v[2])
    return typed(-v[2], f"i{v[1]}" if v[0] == "i" else f"u{v[1]}")


def invert(v):
    return typed(~v[2], f"{v[0]}{v[1]}")


def operation(op, left, right):
    if op in {"+", "-", "*", "/", "%", "**"}:
        return lambda env: arithmetic(op, left(env), right(env))
    if op == "&&":
        return lambda env: ("u", 1, int(bool(number(left(env))) and bool(number(right(env)))))
    if op == "||":
        return lambda env: ("u", 1, int(bool(number(left(env))) or bool(number(right(env)))))
    if op in {"<<", ">>"}:
        return lambda env: shift(op, left(env), right(env))
    if op in {"&", "|", "^"}:
        return lambda env: bitwise(op, left(env), right(env))
    return lambda env: ("u", 1, int(compare(op, left(env), right(env))))


def shift(op, a, b):
    n = b[2] & 0xFFFF
    if op == "<<":
        return typed(a[2] << n, f"{a[0]}{a[1]}")
    return (a[0], a[1], a[2] >> n)


def bitwise(op, a, b):
    x, y = bits(a), bits(b)
    width = max(a[1], b[1])
    if a[0] == "i" and a[1] < width:
        x = a[2] & (1 << width) - 1
    if b[0] == "i" and b[1] < width:
        y = b[2] & (1 << width) - 1
    r = x & y if op == "&" else x | y if op == "|" else x ^ y
    return typed(r, f"{a[0] if a[0] == b[0] else 'u'}{width}")


def compare(op, a, b):
    if "denormal" in (a[0], b[0]):
        v = b if a[0] == "denormal" else a
        test = v[2] != 0 and v[2] == v[2] and exponent(v)[2] == 0
        return test if op == "==" else not test
    x, y = a[2], b[2]
    if isinstance(y, SignedZero) and op == "==":
        return x == 0 and math.copysign(1, x) == math.copysign(1, y)
    op = "!=" if op == "<>" and not is_float(a) else op
    if op == "<>":
        return x < y or x > y
    return {"==": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]


def follow(env, v, path):
    for step in path:
        if step[0] == "t":
            if v[0] == "f" and step[1] == f"f{v[1]}":
                continue
            v = (
                typed(bits(v), step[1])
                if not (is_float(v) and step[1][0] == "f" and v[1] != int(step[1][1:]))
                else ("f", int(step[1][1:]), v[2])
            )
        elif step[0] == "s":
            high, low = number(step[1](env)), number(step[2](env))
            if high < low:  # the bits in reverse
                v = (
                    "b",
                    low - high + 1,
                    int(f"{bits(v) >> high & ((1 << low - high + 1) - 1):0{low - high + 1}b}"[::-1], 2),
                )
                continue
            v = ("b", high - low + 1, bits(v) >> low & ((1 << high - low + 1) - 1))
        else:
            v = ("u", 1, bits(v) >> number(step[1](env)) & 1)
    return v


def read_path(env, name, path):
    if name == "DENORM":
        return ("denormal", 0, 0.0)
    if name in {"NAN", "INF"} and path:
        return ("f", int(path[0][1][1:]), CONSTANTS[name][2])
    if name in env:
        v = env[name]
        if isinstance(v, dict):
            return follow(env, v[number(path[0][1](env))], path[1:])
        return follow(env, v, path)
    if name == "WAVE_MODE":
        return ("u", 1, 1)
    if name in CONSTANTS:
        return follow(env, CONSTANTS[name], path)
    if name.startswith("ROUND"):
        return ("u", 32, {"ROUND_TOWARD_ZERO": 3}.get(name, 0))
    raise KeyError(name)


def write_path(env, name, path, value):
    if name in env and isinstance(env[name], dict):
        env[name][number(path[0][1](env))] = value
        return
    if not path:
        env[name] = value
        return
    if path[0][0] == "t" and len(path) == 1 and name not in {"D0", "D1", "VCC", "EXEC", "SCC"}:
        env[name] = convert(value, path[0][1])
        return
    old = bits(env.get(name, ("b", 64, 0)))
    width = env.get(name, ("b", 64, 0))[1]
    low, size, last = 0, None, None
    for step in path:
        if step[0] == "s":
            high, at = number(step[1](env)), number(step[2](env))
            low, size = low + at, high - at + 1
        elif step[0] == "x":
            low, size = low + number(step[1](env)), 1
        else:
            last = step[1]
    if size is None:
        size = int(re.sub(r"\D", "", last))
    raw = bits(convert(value, last)) if last and last != "u64" and int(re.sub(r"\D", "", last)) == size else bits(value)
    mask = (1 << size) - 1
    if last and len([s for s in path if s[0] != "t"]) == 0 and name == "D0":
        env[name] = ("b", max(width, 64), (old & ~((1 << 64) - 1)) | raw & mask | (0 if size == 64 else old & ~mask))
        return
    env[name] = ("b", max(width, low + size), (old & ~(mask << low)) | (raw & mask) << low)


def convert(value, name):
    """What an assignment to a member of that type stores."""
    m = re.fullmatch(r"(bf|fp|u|i|b|f)(\d+)", name)
    width = int(m[2])
    if m[1] == "f":
        if is_float(value):
            x = value[2]
            if isinstance(x, Fraction):
                x = round_fraction(width, x)
            return ("f", width, x if isinstance(x, Nan) and value[1] == width else round_to(width, x))
        return typed(bits(value), name) if value[0] == "b" else cast(width, "F", value)
    if m[1] == "bf":
        return ("bf", 16, value[2])
    if is_float(value):
        return typed(bits(value), name)
    return typed(value[2], name)


def program(text):
    """The pseudo-code as a function of an environment, which it changes."""
    return Parser(text).program()
