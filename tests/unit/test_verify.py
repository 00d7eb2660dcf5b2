"""`hipport verify`, `record`, `diff`, `pack`, `devices` with no GPU: originals by lanes, ports as machine code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import numpy as np
import pytest

from hipport import api
from hipport.cli import main
from hipport.config import Config, Stage
from hipport.device import gpu, hip_on_nvidia
from hipport.diffing import recording
from hipport.diffing.casefile import read
from hipport.diffing.cases import Point
from hipport.diffing.differ import diffed
from hipport.diffing.verdict import Kind, What
from hipport.diffing.verify import Settings
from hipport.errors import HipportError
from hipport.model import FileReport, Outcome, OutcomeKind, Report
from hipport.report import verification, verification_html

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
GOLDEN = Path(__file__).resolve().parent / "golden_h200"
FEW = Settings(points=tuple(Point({"n": n}) for n in (33, 65, 200)))
safetensors = pytest.importorskip("safetensors")


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    """A cache of this module's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HIPPORT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def command(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    return int(ended.value.code or 0)


@pytest.mark.amd
@pytest.mark.usefixtures("amd")
def test_the_port_of_the_wave_size_example_is_the_same_on_both_targets() -> None:
    place = EXAMPLES / "warp_scan/verify.toml"
    done = api.verify(place, original="wave:32", ports=("isa:gfx942", "isa:gfx950"), settings=FEW)
    assert [one.kind for one in done.judged] == [Kind.SAME] * 6
    assert done.exit_code == 0
    assert all(any(row.gate == "" for row in one.results) for one in done.judged)


@pytest.mark.amd
@pytest.mark.usefixtures("amd")
def test_a_port_by_names_alone_differs_and_its_lanes_are_named(tmp_path) -> None:
    settings = Settings(points=FEW.points, keep=True)
    names = ("pack_positive", "spread_maximum")
    done = api.verify(
        EXAMPLES / "warp_scan/verify.toml",
        names,
        original="wave:32",
        ports=("isa:gfx950",),
        config=Config(only=(Stage.RENAME,)),
        settings=settings,
    )
    assert done.exit_code == 4
    pack, peak = (one.verdict() for one in done.judged)
    assert peak.differences[0].spread.text == "lanes 32-63"
    assert What.UNWRITTEN in {row.what for row in pack.differences}
    assert all(bad == 0 for bad, _ in pack.differences[0].spread.lanes[:32])
    assert {"shuffle-width", "ballot-width"} <= set(done.judged[0].suspects)
    text = verification.text(done)
    assert "lanes 32-63" in text
    assert "suspected rules" in text
    row = json.loads(verification.as_json(done))
    jsonschema.validate(row, json.loads((ROOT / "docs/schemas/verify-1.json").read_text()))
    page = verification_html.html(done)
    assert page.count("<svg") >= 2
    assert "http" not in page.replace("http-equiv", "")  # it needs nothing beside itself
    (first, _) = api.certificates(done, tmp_path)
    told = json.loads(first.read_text())
    jsonschema.validate(told, json.loads((ROOT / "docs/schemas/certificate-1.json").read_text()))
    assert told["verdict"] == "differs"
    assert told["evidence"] == {"compiled": True, "executed": True, "compared": True}
    assert all(
        len(p["inputs"]) == 64 and p["original"] != p["port"] for p in told["points"] if p["verdict"] == "differs"
    )


@pytest.mark.amd
@pytest.mark.parametrize("name", ["warp_scan", "reduce_histogram", "kmeans", "row_softmax"])
def test_machine_code_gives_what_an_h200_gave(name, rocm_libraries: Compiler) -> None:
    del rocm_libraries
    golden = recording.read(GOLDEN / f"{name}.safetensors")
    with safetensors.safe_open(str(GOLDEN / f"{name}.safetensors"), framework="numpy") as stored:
        header = json.loads(stored.metadata()["hipport"])
    jsonschema.validate(header, json.loads((ROOT / "docs/schemas/recording-1.json").read_text()))
    assert golden.device == "cuda"
    assert "H200" in golden.header["gpu"]
    names = [case.name for case in golden.cases if case.kind == "kernel"]
    got = api.record(EXAMPLES / name / "verify.toml", names, device="isa:gfx950", quick=True)
    kernels = recording.Recording(golden.device, golden.header, tuple(c for c in golden.cases if c.kind == "kernel"))
    done = diffed(kernels, got)
    assert [(one.name, one.verdict().text) for one in done.judged if one.kind is not Kind.SAME] == []
    assert len(done.judged) == len(names) >= 3


@pytest.mark.amd
@pytest.mark.usefixtures("amd")
def test_recordings_are_compared_and_refused_where_inputs_differ(tmp_path, capsys) -> None:
    place = EXAMPLES / "warp_scan/verify.toml"
    for name, points in (("a", FEW.points[:2]), ("b", FEW.points[:2])):
        api.record(place, ("warp_scan",), device="isa:gfx950", out=tmp_path / name, settings=Settings(points=points))
    assert command("diff", str(tmp_path / "a"), str(tmp_path / "b")) == 0
    one = recording.read(tmp_path / "b")
    (case,) = one.cases
    y = case.points[1].outputs.forward["sums"]
    y.data[40:] = 0
    recording.write(one, tmp_path / "wrong")
    assert command("diff", str(tmp_path / "a"), str(tmp_path / "wrong"), "--json") == 4
    row = json.loads(capsys.readouterr().out.partition("\n{")[2].join(["{", ""]))
    assert row["cases"][0]["points"][1]["differences"][0]["first"] == [40]
    other = replace(one, cases=(replace(case, points=(replace(case.points[0], inputs="0" * 64),)),))
    recording.write(other, tmp_path / "other")
    assert command("diff", str(tmp_path / "other"), str(tmp_path / "a")) == 5
    (tmp_path / "none").write_bytes(b"no recording")
    assert command("diff", str(tmp_path / "a"), str(tmp_path / "none")) == 2


@pytest.mark.amd
def test_a_bundle_runs_alone_and_says_when_no_gpu_is_here(tmp_path, amd: Compiler) -> None:
    bundle = tmp_path / "b.tar.gz"
    api.pack(EXAMPLES / "row_softmax/verify.toml", bundle, ("forward_warp", "backward_block"), quick=True)
    first = bundle.read_bytes()
    api.pack(EXAMPLES / "row_softmax/verify.toml", bundle, ("forward_warp", "backward_block"), quick=True)
    assert bundle.read_bytes() == first
    with tarfile.open(bundle) as packed:
        packed.extractall(tmp_path, filter="data")
    folder = tmp_path / "b"
    plain = [sys.executable, "-I", "-S", str(folder / "run.py")]  # no packages: it must not need any
    if not gpu.amd_gpus():
        ran = subprocess.run(
            [*plain, "-o", str(tmp_path / "r")], capture_output=True, text=True, check=False, cwd=tmp_path
        )
        assert ran.returncode == 5
        assert "no AMD GPU is here" in ran.stderr
        assert not (tmp_path / "r").exists()
    built = amd.compile(
        folder / "drivers/forward_warp.hip",
        "gfx942",
        kind="object",
        output=tmp_path / "driver.o",
        options=[f"-I{folder}/device"],
    )
    assert built.ok, built.log
    words = [sys.executable, str(folder / "run.py"), "--device", "isa:gfx950", "-o", str(tmp_path / "r")]
    ran = subprocess.run(
        words, capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert ran.returncode == 0, ran.stderr
    done = api.diff(GOLDEN / "row_softmax.safetensors", tmp_path / "r")
    by_name = {one.name: one.kind for one in done.judged}
    assert by_name["forward_warp"] is by_name["backward_block"] is Kind.SAME
    assert by_name["forward_block"] is Kind.UNPROVEN  # it was not packed


def test_a_bundle_s_recording_is_written_without_numpy(tmp_path) -> None:
    """The script's own writer, read by the safetensors package; the GPU is a driver that copies its input."""
    sys.path.insert(0, str(ROOT / "templates"))
    try:
        import bundle_run
    finally:
        sys.path.pop(0)
    data = np.arange(6, dtype=np.float32)
    bundle_run.write(str(tmp_path / "r"), {"a": ("U8", [24], data.tobytes()), "b": ("U8", [0], b"")}, {"hipport": "{}"})
    with safetensors.safe_open(str(tmp_path / "r"), framework="numpy") as stored:
        assert stored.metadata() == {"hipport": "{}"}
        assert (stored.get_tensor("a").view(np.float32) == data).all()


@pytest.mark.amd
@pytest.mark.usefixtures("amd")
def test_a_port_s_report_tells_what_was_verified_of_it(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HIPPORT_CACHE", str(tmp_path / "cache"))
    place = EXAMPLES / "warp_scan/verify.toml"
    api.verify(place, ("warp_scan",), original="wave:32", ports=("isa:gfx950",), settings=FEW)
    answer = api.port(EXAMPLES / "warp_scan", tmp_path / "port")
    notes = [note for note in answer.report.notes if note.startswith("evidence")]
    assert notes == ["evidence: warp_scan.cu: warp_scan same on isa:gfx950 (compiled, executed, compared)"]
    naive = api.port(EXAMPLES / "warp_scan", tmp_path / "naive", config=Config(only=(Stage.RENAME,)))
    assert not [note for note in naive.report.notes if note.startswith("evidence")]  # another port: nothing is known


def test_what_is_not_here_could_not_be_tested(tmp_path, capsys) -> None:
    if gpu.amd_gpus() or gpu.nvidia_gpus():
        pytest.skip("a GPU is here")
    folder = str(EXAMPLES / "warp_scan")
    assert command("verify", folder, "--case", "warp_scan", "--original", "cuda", "--port", "isa:gfx950", "-q") == 5
    assert "no NVIDIA GPU is here" in capsys.readouterr().out
    assert command("record", folder, "--device", "hip", "-o", str(tmp_path / "r"), "-q") == 5
    assert command("verify", folder, "--case", "none") == 2
    assert command("verify", folder, "--port", "gpu:1", "--case", "warp_scan", "-q") == 2
    assert command("verify", str(tmp_path)) == 2
    assert "verify init" in capsys.readouterr().err


def test_devices_are_listed_with_what_they_are_worth(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hipport.toml").write_text('[[device]]\nname = "mi300"\ndevice = "hip"\nhost = "mi300.invalid"\n')
    with pytest.raises(SystemExit) as ended:
        main(["devices", "--json"])
    assert not ended.value.code
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["devices"]}
    assert set(rows) == {"isa:gfx942", "isa:gfx950", "wave:32", "wave:64", "cuda", "hip", "hip-on-nvidia", "mi300"}
    assert rows["mi300"]["asked"] is False
    assert all(row["fidelity"] for row in rows.values())
    assert all(row["here"] or row["problem"] for row in rows.values())


def test_init_proposes_and_writes_over_nothing(tmp_path, capsys) -> None:
    shutil.copy(EXAMPLES / "warp_scan/warp_scan.cu", tmp_path)
    assert command("verify", "init", str(tmp_path)) == 0
    found = read(tmp_path / "verify.toml")
    assert [case.name for case in found] == ["warp_scan", "pack_positive", "spread_maximum", "program"]
    assert found[0].sizes[:8] == tuple({"n": n} for n in (1, 31, 32, 33, 63, 64, 65, 127))
    assert [arg.role.value for arg in found[1].args] == ["in", "out", "out", "value"]
    assert command("verify", "init", str(tmp_path)) == 2
    assert "exists" in capsys.readouterr().err


@pytest.mark.amd
@pytest.mark.usefixtures("amd")
def test_a_port_that_does_not_build_or_faults_has_failed(tmp_path) -> None:
    text = (EXAMPLES / "warp_scan/warp_scan.cu").read_text()
    shutil.copytree(EXAMPLES / "warp_scan", tmp_path / "case")
    for broken, said in (("sums[i] = sum;", "undeclared"), ("sums[i] = sum;", "bounds")):
        new = "sums[i] = undeclared;" if said == "undeclared" else "sums[i + 4096] = sum;"
        (tmp_path / "case/port.hip").write_text(
            text.replace("<cuda_runtime.h>", "<hip/hip_runtime.h>").replace(broken, new).partition("int main")[0]
        )
        case = (tmp_path / "case/verify.toml").read_text().partition('\n[[case]]\nname = "pack')[0]
        if "port =" not in case:
            case = case.replace('kernel = "warp_scan"', 'kernel = "warp_scan"\nport = "port.hip"')
        (tmp_path / "case/verify.toml").write_text(case)
        done = api.verify(tmp_path / "case/verify.toml", original="wave:32", ports=("isa:gfx950",), settings=FEW)
        assert done.exit_code == 3
        assert said in done.judged[0].verdict().reason


def test_the_headers_for_hip_on_nvidia_name_each_thing_once() -> None:
    names = dict(hip_on_nvidia.names())
    for hip, cuda in {
        "hipMalloc": "cudaMalloc",
        "hipSuccess": "cudaSuccess",
        "hipDeviceptr_t": "CUdeviceptr",
        "HIPBLAS_OP_C": "CUBLAS_OP_C",
        "hipblasSgemm": "cublasSgemm",
        "__hip_bfloat16": "__nv_bfloat16",
    }.items():
        assert names[hip] == cuda
    text = hip_on_nvidia.master()
    assert text.count("#define hipMalloc cudaMalloc\n") == 1
    assert "namespace hipcub = cub;" in text
    assert "cublas_v2.h" in hip_on_nvidia.includes()["hipblas/hipblas.h"]
    words = ["-Wall", "-O3", "-DX=1", "-Wl,-rpath,x", "--offload-arch=gfx942", "-fgpu-rdc"]
    assert hip_on_nvidia.translated(words) == [
        "-Xcompiler", "-Wall", "-O3", "-DX=1", "-Xlinker", "-rpath,x",
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not here")
def test_a_port_compiles_for_an_nvidia_gpu(tmp_path) -> None:
    nvcc = shutil.which("nvcc") or ""
    port = api.ported_folder(EXAMPLES / "warp_scan", Config())
    words = [*hip_on_nvidia.nvcc_words(nvcc, "sm_90"), "-x", "cu", "-ptx", str(port.folder / "warp_scan.hip")]
    ran = subprocess.run([*words, "-o", str(tmp_path / "k.ptx")], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "warp_scan" in (tmp_path / "k.ptx").read_text()


def test_a_failed_file_of_a_port_is_no_port(tmp_path, monkeypatch) -> None:
    report = Report((FileReport("k.cu", "k.hip", Outcome(OutcomeKind.FAILED, "it broke")),))
    monkeypatch.setattr(api.porting, "port", lambda *_a, **_k: api.PortAnswer(report, Config()))
    (tmp_path / "k.cu").write_text("__global__ void k() {}\n")
    with pytest.raises(HipportError, match="it broke"):
        api.ported_folder(tmp_path, Config())
