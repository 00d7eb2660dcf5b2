"""Case files, expressions, inputs and layouts, the device code of a source, and what `verify init` proposes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hipport.device.program.anywhere import ProgramOutput
from hipport.diffing import slicing
from hipport.diffing.casefile import read
from hipport.diffing.cases import FAMILIES, Point, points
from hipport.diffing.expressions import evaluate, whole
from hipport.diffing.families import fill
from hipport.diffing.inputs import PAD, made, sentinel
from hipport.diffing.program import Compared, compared
from hipport.diffing.propose import kernels, proposal
from hipport.diffing.verdict import Kind
from hipport.errors import DataError, UsageError

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GOOD = """[[case]]
name = "k"
source = "k.cu"
kernel = "k"
sizes = [1, 33]
grid = "ceil(n / 32)"
block = 32

[[case.arg]]
name = "x"
role = "in"
dtype = "float32"
shape = ["n", 8]
layouts = true

[[case.arg]]
name = "ld"
value = "x_stride0"

[[case.arg]]
name = "y"
role = "out"
dtype = "float32"
shape = ["n"]
"""


def case_of(folder: Path, text: str = GOOD):
    (folder / "k.cu").write_text("__global__ void k() {}\n")
    (folder / "truth.py").write_text("def t(given): ...\n")
    (folder / "verify.toml").write_text(text)
    return read(folder / "verify.toml")


def test_the_examples_case_files_are_read() -> None:
    files = sorted(EXAMPLES.glob("*/verify.toml"))
    assert len(files) >= 4
    assert all(read(file) for file in files)


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('kernel = "k"', 'kernel = "k"\nkernals = 1', 5, "no key `kernals`"),
        ('source = "k.cu"', 'source = "none.cu"', 3, "no `none.cu`"),
        ("block = 32", "block = 1.5", 7, "whole numbers and expressions"),
        ('dtype = "float32"\nshape = ["n", 8]', 'dtype = "float33"\nshape = ["n", 8]', 12, "no dtype"),
        ('role = "out"', 'role = "output"', 22, "one of in, out"),
        ('shape = ["n"]\n', "", 20, "needs a shape"),
        ('role = "out"', 'role = "in"', 9, "no argument is an output"),
        ("sizes = [1, 33]", 'sizes = ["n"]', 5, "no size"),
        ("sizes = [1, 33]", 'sizes = [1]\ncontract = "close"', 6, "no contract"),
        ("sizes = [1, 33]", 'sizes = [1]\noracle = "truth.py"', 6, "file.py:function"),
        ("sizes = [1, 33]", 'sizes = [1]\nfamilies = ["odd"]', 6, "is none of"),
        ('name = "k"', "name = 3", 2, "is a text"),
        ('name = "k"', 'kind = "program"\nname = "k"', 10, "a program case has no key"),
        ("[[case]]\n", "[[case]\n", 1, "TOML"),
    ],
)
def test_a_wrong_case_file_names_its_line(tmp_path, old, new, line, said) -> None:
    assert old in GOOD
    with pytest.raises(DataError, match=said) as error:
        case_of(tmp_path, GOOD.replace(old, new, 1))
    assert error.value.where == f"{tmp_path / 'verify.toml'}:{line}"
    assert error.value.exit_code == 2


def test_expressions() -> None:
    names = {"n": 33, "rows": 4}
    assert evaluate("ceil(n / 32)", names) == 2
    assert evaluate("min(n, 8) * rows - n % 32 + 7 // 2", names) == 34
    assert whole("2 ** 5 + max(rows, 9)", names) == 41
    for bad in ("n +", "__import__('os')", "n.real", "m", "[1]", "n / 0", "lambda: 1", "'a'"):
        with pytest.raises(UsageError):
            evaluate(bad, names)
    for bad in ("n / 2", "-1"):
        with pytest.raises(UsageError):
            whole(bad, names)


def test_points_take_each_size_once_and_each_family_twice(tmp_path) -> None:
    (case,) = case_of(tmp_path, GOOD.replace("sizes = [1, 33]", 'sizes = [1, 33]\nfamilies = "all"\nlayouts = "all"'))
    found = points(case)
    assert {p.family for p in found} == set(FAMILIES)
    assert {p.layout for p in found} == {"contiguous", "padded", "transposed", "sliced"}
    assert len(points(case, full=True)) == 2 * 8 * 4 * 2
    assert len({p.label for p in found}) == len(found) < 2 * 8 * 4


def test_the_same_point_gives_the_same_bits_and_other_inputs_others(tmp_path) -> None:
    (case,) = case_of(tmp_path)
    point = Point({"n": 33})
    first = made(case, point)
    assert first.digest == made(case, point).digest
    assert first.digest != made(case, point, other="x").digest
    assert first.digest != made(case, Point({"n": 33}, seed=2)).digest
    assert first.digest != made(case, point, stale=True).digest
    assert np.isnan(first.slots[2].base).all()
    assert np.isfinite(made(case, point, stale=True).slots[2].base).all()


@pytest.mark.parametrize("layout", ["contiguous", "padded", "transposed", "sliced"])
def test_layouts_move_the_elements_and_not_their_values(tmp_path, layout) -> None:
    (case,) = case_of(tmp_path)
    plain = made(case, Point({"n": 33}))
    moved = made(case, Point({"n": 33}, layout=layout))
    slot = moved.slots[0]
    assert (slot.view() == plain.slots[0].view()).all()
    assert moved.names["x_stride0"] == moved.slots[1].value == slot.strides[0]
    expected = {"contiguous": (8, 1), "padded": (8 + PAD, 1), "transposed": (1, 33), "sliced": (8 + PAD, 1)}
    assert slot.strides == expected[layout]
    outside = slot.padding(slot.base)
    assert outside.sum() == slot.base.size - 33 * 8
    assert np.isnan(slot.base[outside]).all()  # a kernel that reads the padding shows it


def test_families_are_what_they_say() -> None:
    shape = (40, 50)
    made_of = {family: fill(family, "float32", shape, 5, 0, 9) for family in FAMILIES}
    assert np.abs(made_of["small"]).max() < 1e-3
    assert np.abs(made_of["large"]).max() > 1e4
    assert (made_of["integer"] == np.round(made_of["integer"])).all()
    assert len(np.unique(made_of["constant"])) == 1
    assert (np.diff(made_of["sorted"].reshape(-1)) >= 0).all()
    special = made_of["special"]
    assert np.isnan(special).any()
    assert np.isinf(special).any()
    assert ((np.abs(special) > 0) & (np.abs(special) < 1e-38)).any()
    assert made_of["adversarial"].max() >= 60
    peaks = np.flatnonzero(made_of["adversarial"].reshape(-1) >= 60) % 64
    assert {0, 31, 32, 63} <= set(peaks.tolist())
    for family in FAMILIES:
        whole_numbers = fill(family, "int32", shape, 5, 3, 9)
        assert (whole_numbers.min(), whole_numbers.max()) >= (3, 3)
        assert whole_numbers.max() < 9
    assert np.isfinite(fill("large", "float16", shape, 5, 0, 9)).all()
    assert sentinel("sum:float64,low:float32", 2).dtype.itemsize == 16


DEVICE = """#include <torch/extension.h>
#include "own.h"
#include <cub/cub.cuh>
#define DEV __device__ __forceinline__
namespace a { namespace {
constexpr int kWarp = 32;
struct Op { __device__ float operator()(float x) const { return x; } };
struct State { torch::Tensor held; };
template <typename T, int N = (kWarp > 16)> DEV T twice(T x) { return x + x; }
__device__ int later(int x);
template <typename T>
__global__ void __launch_bounds__(128) k(T* y) { y[0] = twice(y[0]); /* } */ }
void host(torch::Tensor t) { if (t.size(0)) { k<float><<<1, 1>>>(t.data_ptr<float>()); } }
static int counter = 0;
using torch::Tensor;
enum class Mode { a, b };
}  // namespace
}  // namespace a
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("host", &a::host); }
"""


def test_the_device_code_of_a_source_stays_on_its_lines() -> None:
    files = {"k.cu": DEVICE.encode(), "own.h": b"#include <ATen/ATen.h>\nint f(at::Tensor t);\n"}
    cut = slicing.sliced(files)
    lines = cut["k.cu"].decode().splitlines()
    assert len(lines) == len(DEVICE.splitlines())
    for number, line in enumerate(DEVICE.splitlines()):
        word = line.strip()[:11]
        gone = word.startswith(("#include <t", "#include <c", "struct Stat", "void host", "using torch", "PYBIND11"))
        assert lines[number].strip() == ("" if gone else line.strip())
    assert not cut["own.h"].strip()


def test_cub_is_kept_where_a_kernel_uses_it() -> None:
    text = b"#include <cub/cub.cuh>\n__global__ void k() { using R = cub::BlockReduce<int, 32>; }\n"
    assert slicing.device_only(text) == text


def test_init_reads_parameters_templates_and_roles() -> None:
    text = b"""template <typename T, int N = 4>
__global__ __launch_bounds__(256) void mix(const T* __restrict__ x, float4* y, unsigned* bins, int n, float a) {
  atomicAdd(&bins[0], 1u);
  y[0] = make_float4(a, a, a, a);
}
__global__ void declared(int* p);
__global__ void odd(const Widget* w, int* p) { p[0] = 1; }
"""
    found = {one.name: one for one in kernels(text)}
    assert set(found) == {"mix", "odd"}
    assert found["mix"].instance == "<float, 4>"
    assert [(p.name, p.dtype, p.pointer, p.count) for p in found["mix"].parameters] == [
        ("x", "float32", True, 1),
        ("y", "float32", True, 4),
        ("bins", "uint32", True, 1),
        ("n", "int32", False, 1),
        ("a", "float32", False, 1),
    ]
    told = proposal([("k.cu", text, [])])
    assert 'role = "inout"' in told
    assert 'shape = ["4 * n"]' in told
    assert "# k.cu:7: the type of `const Widget* w` is not known here" in told
    assert '# name = "odd"' in told  # nothing that cannot run is proposed as if it could


def test_programs_are_compared_by_lines_and_numbers() -> None:
    rules = Compared(("out.bin",), (r"^time.*",), 1e-5)
    want = ProgramOutput(0, "sum 1.00000 of 3\ntime 4\nNVIDIA H200, 5 values\n", {"out.bin": b"\xff\x00"})

    def kind(text: str, code: int = 0, data: bytes = b"\xff\x00") -> Kind:
        return compared(rules, want, ProgramOutput(code, text, {"out.bin": data})).kind

    assert kind("sum 1.000001 of 3\ntime 9\nAMD Instinct MI300X, 5 values\n") is Kind.SAME
    assert kind("sum 1.01 of 3\ntime 9\nAMD Instinct, 5 values\n") is Kind.DIFFERS
    assert kind("sum 1.00000 of 4\nAMD, 5 values\n") is Kind.DIFFERS  # whole numbers are exact
    assert kind("sum nan of 3\nAMD, 5 values\n") is Kind.DIFFERS
    assert kind("sum 1.0 of 3\nAMD, 5 values\nmore\n") is Kind.DIFFERS
    assert kind(want.output, code=1) is Kind.DIFFERS
    assert kind(want.output, data=b"\xff\x01") is Kind.DIFFERS
    quiet = Compared((), (), 0.0)
    assert compared(quiet, ProgramOutput(0, ""), ProgramOutput(0, "")).kind is Kind.UNPROVEN
