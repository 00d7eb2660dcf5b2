"""Kernels with LDS of many forms, made at random: the text of one translation unit, launches included."""

from __future__ import annotations

from random import Random

HEAD = """
constexpr int kRows = 4;
#define COLUMNS 6
enum Kind { kNone = 0, kWide = 5 };
enum class Small : unsigned char { kOne };
constexpr int twice(int n) { return n < 1 ? 0 : 2 * n; }
template <class T, int N = kRows> struct Traits {
  static constexpr int kTile = N * int(sizeof(T)) + 1;
  using type = T;
};
template <class T, int N> struct Fixed { T v[N]; __device__ T& operator[](int i) { return v[i]; } };
template <class T, int N = 3> struct Pair { T first[N]; char tag; Fixed<T, N> rest; };
typedef struct { double at; bool on; } Point;
struct Empty {};
struct Base { long long id; char c; };
struct Derived : Base { char more; short s[3]; };
template <class A> __device__ void touch(A& a, unsigned char* p) {
  unsigned char* b = (unsigned char*)&a;
  for (unsigned i = threadIdx.x; i < sizeof(a); i += blockDim.x) b[i] = p[i];
  __syncthreads();
  for (unsigned i = threadIdx.x; i < sizeof(a); i += blockDim.x) p[i] = b[sizeof(a) - 1 - i];
}
template <class T> __device__ void staged(unsigned char* p) {
  __shared__ T stage[Traits<T>::kTile];
  touch(stage, p);
}
template <class T> struct Worker {
  T held;
  __device__ void operator()(unsigned char* p) const { __shared__ Pair<T> work[2]; touch(work, p); }
};
"""
_SCALARS = [
    *("char", "bool", "unsigned char", "short", "unsigned short", "int", "unsigned", "float", "long", "double"),
    *("long long", "unsigned long long", "size_t", "int8_t", "uint16_t", "uint32_t", "int64_t", "float*", "void*"),
    *("float2", "float3", "float4", "int2", "uint4", "short2", "char3", "uchar4", "double2", "ulong2", "longlong2"),
    *("__half", "half2", "Kind", "Small", "Point", "Empty", "Derived"),
]
_COUNTS = [
    "1",
    "3",
    "7",
    "kRows",
    "COLUMNS",
    "kWide",
    "kRows + 1",
    "twice(5)",
    "Traits<short>::kTile",
    "16 / sizeof(int)",
]


class Maker:
    """Makes structures and kernels; the same seed gives the same text."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311  cases, no secrets
        self.types = list(_SCALARS)
        self.text = HEAD

    def kind(self) -> str:
        """A type."""
        pick = self.random.random()
        inner = self.random.choice(self.types)
        if pick < 0.08:
            return f"Fixed<{inner}, {self.count()}>"
        if pick < 0.16:
            return f"Pair<{inner}>"
        return f"typename Traits<{inner}>::type" if pick < 0.2 else inner

    def count(self) -> str:
        """A constant."""
        return self.random.choice(_COUNTS)

    def member(self, index: int, depth: int = 0) -> str:
        """A declaration in a structure."""
        pick = self.random.random()
        if pick < 0.1 and depth < 2:
            kind = self.random.choice(["struct", "union"])
            inside = " ".join(self.member(100 * (index + 1) + i, depth + 1) for i in range(2))
            return f"{kind} {{ {inside} }} m{index};"
        if pick < 0.15:
            return f"unsigned b{index} : {self.random.randrange(1, 20)};"
        if pick < 0.2 and not depth:
            return f"static constexpr int k{index} = 9; int f{index}(int a) {{ return a + {index}; }}"
        aligned = self.random.choice(["", "", "", "", "alignas(16) ", "__align__(8) "])
        kind = self.kind().removeprefix("typename ")
        if kind.startswith(("long", "ulong", "double", "Derived", "Point", "Pair", "Fixed", "Traits", "S", "size_t")):
            aligned = aligned.replace("8", "16")
        dims = "".join(f"[{self.count()}]" for _ in range(self.random.choice([0, 0, 1, 1, 2])))
        return f"{aligned}{kind} m{index}{dims};"

    def structure(self, index: int) -> None:
        """A structure or union, by itself or through another name."""
        head = self.random.choice(["struct", "struct", "struct", "union", "struct alignas(16)"])
        members = "\n  ".join(self.member(i) for i in range(self.random.randrange(1, 6)))
        name = f"S{index}"
        self.text += f"{head} {name} {{\n  {members}\n}};\n"
        self.types.append(name)
        if self.random.random() < 0.3:
            self.text += f"using U{index} = {name};\n"
            self.types.append(f"U{index}")

    def kernel(self, index: int) -> str:
        """A kernel and its launch: arrays of its own, those of helpers, sizes by its template."""
        arrays = self.random.randrange(1, 4)
        template = self.random.random() < 0.5
        lines, uses = [], []
        for i in range(arrays):
            kind = "T" if template and self.random.random() < 0.4 else self.kind().removeprefix("typename ")
            kind = "Pair<T, N>" if template and self.random.random() < 0.2 else kind
            dims = "".join(f"[{self.count()}]" for _ in range(self.random.choice([0, 1, 1, 2])))
            dims += "[N + 1]" if template and self.random.random() < 0.5 else ""
            lines.append(f"__shared__ {kind} a{i}{dims};")
            uses.append(f"touch(a{i}, p);")
        if self.random.random() < 0.3:
            uses.append(f"staged<{self.random.choice(['float', 'short', 'Point'])}>(p);")
        if self.random.random() < 0.2:
            uses.append("Worker<double>()(p);")
        head = f"template <class T, int N = {self.count()}> " if template else ""
        body = "\n  ".join(lines + uses)
        kind, count = self.kind().removeprefix("typename "), self.random.choice(["", f", {self.count()}"])
        given = f"<{kind}{count}>" if template else ""
        return (
            f"{head}__global__ void k{index}(unsigned char* p) {{\n  {body}\n}}\n"
            f"void run{index}(unsigned char* p) {{ k{index}{given}<<<1, 64>>>(p); }}\n"
        )


def made(seed: int, structures: int = 12, kernels: int = 24) -> tuple[str, list[str]]:
    """The types of one translation unit, and its kernels k0, k1, ..., each with its launch."""
    maker = Maker(seed)
    for index in range(structures):
        maker.structure(index)
    return maker.text, [maker.kernel(index) for index in range(kernels)]
