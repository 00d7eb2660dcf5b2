"""Extension builds in Python: the CUDA path stays, ROCm gets its lists; both branches run."""

from __future__ import annotations

import sys
import types
from typing import Any

import pytest
from buildport import ported, said

from hipport.config import Style

SETUP = """\
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

nvcc = [
    "-O3",
    "-U__CUDA_NO_HALF_OPERATORS__",
    "--use_fast_math",
    "--threads", "4",  # parallel
    "-gencode", "arch=compute_80,code=sm_80",
]

setup(
    name="scale_ext",
    ext_modules=[
        CUDAExtension("scale_ext", ["bind.cpp", "scale.cu"],
                      extra_compile_args={"cxx": ["-O3"], "nvcc": nvcc},
                      libraries=["cublas", "cuda"]),
    ],
    cmdclass={"build_ext": BuildExtension},
)
"""


def run(code: str, *, hip: bool, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...] = ()) -> Any:
    """The arguments of CUDAExtension when the file runs under a stand-in for torch, or the file's variables."""
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
    torch = types.ModuleType("torch")
    torch.version = types.SimpleNamespace(hip="7.2" if hip else None, cuda=None if hip else "13.0")  # type: ignore[attr-defined]
    torch.cuda = types.SimpleNamespace(is_available=lambda: True)  # type: ignore[attr-defined]
    extension = types.ModuleType("torch.utils.cpp_extension")
    extension.BuildExtension = object  # type: ignore[attr-defined]
    extension.CUDA_HOME = None if hip else "/usr/local/cuda"  # type: ignore[attr-defined]
    extension.CUDAExtension = lambda *a, **k: calls.append((a, k))  # type: ignore[attr-defined]
    setuptools = types.ModuleType("setuptools")
    setuptools.setup = lambda **_k: None  # type: ignore[attr-defined]
    fakes = {"torch": torch, "torch.utils": types.ModuleType("torch.utils"), "torch.utils.cpp_extension": extension}
    for name, module in {**fakes, "setuptools": setuptools}.items():
        monkeypatch.setitem(sys.modules, name, module)
    space: dict[str, Any] = {"__name__": "setup"}
    exec(compile(code, "setup.py", "exec"), space)  # noqa: S102 - the point of the test
    return {n: space[n] for n in names} if names else calls[0]


def test_setup_runs_for_both_vendors(monkeypatch: pytest.MonkeyPatch) -> None:
    new, findings = ported("setup.py", SETUP, {"scale.cu": "scale.hip"})
    assert SETUP.split("import BuildExtension", maxsplit=1)[1].split("\n\nsetup(", maxsplit=1)[0] in new
    args, kept = run(new, hip=False, monkeypatch=monkeypatch)
    assert (args, kept) == run(SETUP, hip=False, monkeypatch=monkeypatch)
    args, kept = run(new, hip=True, monkeypatch=monkeypatch)
    assert args == ("scale_ext", ["bind.cpp", "scale.hip"])
    assert kept["libraries"] == ["hipblas"]
    assert kept["extra_compile_args"]["cxx"] == ["-O3"]
    assert kept["extra_compile_args"]["nvcc"] == [
        "-O3",
        "-U__HIP_NO_HALF_OPERATORS__",
        "-fgpu-flush-denormals-to-zero",
        "-fno-hip-fp32-correctly-rounded-divide-sqrt",
        "-ffp-contract=fast",
        "-fgpu-approx-transcendentals",
    ]
    assert "review build-flag" in said(findings)


def test_both_vendors_keeps_the_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    new, _ = ported("setup.py", SETUP, style=Style.DUAL)
    args, _ = run(new, hip=True, monkeypatch=monkeypatch)
    assert args == ("scale_ext", ["bind.cpp", "scale.cu"])


@pytest.mark.parametrize(
    ("code", "hip", "cuda"),
    [
        ('f = []\nf.append("--use_fast_math")\n', 4, 1),
        ('f = ["-O3"]\nf += ["-lineinfo", "--expt-relaxed-constexpr"]\n', 2, 3),
        ('f = []\nf.extend(["-gencode", "arch=compute_80,code=sm_80"])\n', 0, 2),
        ('f = []\na = 80\nf.append(f"-gencode=arch=compute_{a},code=sm_{a}")\n', 0, 1),
        ('f = ["-O3"] + ["--use_fast_math"] if True else []\n', 5, 2),
        ('f = [*["-lineinfo"], "-O2"]\n', 2, 2),
        ('f = {"nvcc": ["-G", "-O0"]}["nvcc"]\n', 4, 2),
    ],
)
def test_lists_in_every_form(code: str, hip: int, cuda: int, monkeypatch: pytest.MonkeyPatch) -> None:
    new, _ = ported("setup.py", f"import torch\nfrom torch.utils.cpp_extension import CUDAExtension\n{code}")
    assert len(run(new, hip=True, monkeypatch=monkeypatch, names=("f",))["f"]) == hip
    assert len(run(new, hip=False, monkeypatch=monkeypatch, names=("f",))["f"]) == cuda


def test_gates_on_cuda_home_open_for_hip(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import torch\nfrom torch.utils.cpp_extension import CUDA_HOME, CUDAExtension\n"
        "a = torch.cuda.is_available() and CUDA_HOME is not None\nb = 1 if CUDA_HOME else 0\n"
        "c = CUDA_HOME is None\n"
    )
    new, _ = ported("setup.py", code)
    for hip in (False, True):
        got = run(new, hip=hip, monkeypatch=monkeypatch, names=("a", "b", "c"))
        assert (bool(got["a"]), got["b"], bool(got["c"])) == (True, 1, False)


def test_a_gate_before_paths_of_cuda_stays_shut() -> None:
    code = (
        "import os\nimport torch\nfrom torch.utils.cpp_extension import CUDA_HOME, CUDAExtension\n"
        'if CUDA_HOME and os.path.isdir(os.path.join(CUDA_HOME, "targets")):\n    pass\n'
    )
    new, findings = ported("setup.py", code)
    assert new == code
    assert not findings


HEAD = "import torch\nfrom torch.utils.cpp_extension import CUDAExtension, load\n"
UNCHANGED = [
    f'{HEAD}e = load(name="e", sources=["s.cu"], extra_cuda_cflags=["-O3"])\nx = torch.ones(1, device="cuda")\n',
    # what a condition on HIP decides about already
    f'{HEAD}if torch.version.hip:\n    f = ["-O3"]\nelse:\n    f = ["--use_fast_math"]\n',
    f'{HEAD}f = ["--use_fast_math"]\nif not torch.version.hip:\n    g = f\n',
    # Apple's compiler, and a tuple that is no option list
    f'{HEAD}x = ["-arch", "arm64"]\nok = "a".startswith(("-gencode=", "-x"))\n',
    # words in comments, docstrings and keys
    '"""CUDAExtension with --use_fast_math and nvcc."""\nflags = {}  # "nvcc": ["-lineinfo"]\n',
]


@pytest.mark.parametrize("code", UNCHANGED)
def test_what_stays(code: str) -> None:
    new, findings = ported("setup.py", code, {"other.cu": "other.hip"})
    assert new == code
    assert not findings


def test_torch_is_bound_before_it_is_used() -> None:
    code = (
        "def build():\n    from torch.utils.cpp_extension import load\n"
        '    flags = ["--use_fast_math"]\n    import torch\n    return load("e", [], extra_cuda_cflags=flags)\n'
    )
    new, _ = ported("build.py", code)
    assert new.index("import torch\n") < new.index("torch.version.hip")
    assert new.startswith("def build():\n    import torch\n    from torch")


def test_globs_and_names_made_of_parts_follow_the_port(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import torch\nfrom torch.utils.cpp_extension import CUDAExtension\nname = 'x'\n"
        "f = ['a/' + name + '_cuda.cu', f'{name}_cuda.cu', 'csrc/*.cu', 'rect.cu', 'other.cu']\n"
    )
    new, _ = ported("setup.py", code, {"csrc/rect.cu": "csrc/rect.hip"})
    got = run(new, hip=True, monkeypatch=monkeypatch, names=("f",))["f"]
    assert got == ["a/x_cuda.hip", "x_cuda.hip", "csrc/*.hip", "rect.hip", "other.cu"]
    assert run(new, hip=False, monkeypatch=monkeypatch, names=("f",))["f"][3] == "rect.cu"


def test_encodings_and_line_ends_survive() -> None:
    text = SETUP.replace("\n", "\r\n").replace("# parallel", "# parallèle")
    new, _ = ported("setup.py", text, {"scale.cu": "scale.hip"})
    assert "\n" not in new.replace("\r\n", "")
    assert "parallèle" in new
    new, _ = ported("setup.py", "\ufeff" + SETUP)
    assert new.startswith("\ufefffrom setuptools")


def test_capability_gates_are_named_and_never_edited() -> None:
    code = (
        "import torch\nmajor, minor = torch.cuda.get_device_capability()\nif major >= 9:\n    pass\n"
        "if torch.version.hip is None and torch.cuda.get_device_capability() >= (8, 0):\n    pass\n"
        'arch = f"sm_{major}{minor}"\nif torch.cuda.get_device_properties(0).major > 7:\n    pass\n'
    )
    new, findings = ported("run.py", code)
    assert new == code
    assert [f.rule for f in findings] == ["capability-gate"] * 3
    assert "gcnArchName" in said(findings)


def test_what_python_does_not_read_is_said() -> None:
    _, findings = ported("setup.py", "print 'CUDAExtension'\nx = ['-gencode']\n")
    assert [f.rule for f in findings] == ["build-unparsed"]
