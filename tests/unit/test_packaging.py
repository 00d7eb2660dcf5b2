"""The wheel holds what the port needs, and ports an example from an empty environment with a read-only installation."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_", "HIPPORT"))}
    return subprocess.run(
        [str(word) for word in words], cwd=cwd, env=clean | environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the checkout, built without a network."""
    pytest.importorskip("hatchling", reason="hatchling builds the wheel")
    source = tmp_path_factory.mktemp("source") / "hipport"
    skip = shutil.ignore_patterns(".git", ".venv", ".cache", "out", "build", "dist", "__pycache__", ".*_cache", "tests")
    shutil.copytree(ROOT, source, ignore=skip, symlinks=True)
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.builders.wheel import WheelBuilder as W; [*W(sys.argv[1]).build(directory='.')]"
    made = run(sys.executable, "-c", build, source, cwd=folder)
    assert made.returncode == 0, made.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an empty environment with the wheel in it; what the wheel depends on comes from this one."""
    folder = tmp_path_factory.mktemp("env")
    made = run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder)
    assert made.returncode == 0, made.stderr
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).stdout.strip()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    ours = {"hipport", "__editable__"}
    dependencies = folder / "dependencies"
    dependencies.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(tuple(ours)) and path.suffix != ".pth" and "hipport" not in path.name:
            (dependencies / path.name).symlink_to(path)
    Path(site, "dependencies.pth").write_text(f"{dependencies}\n")
    for path in [*Path(site, "hipport").rglob("*"), Path(site, "hipport")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield python
    for path in [Path(site, "hipport"), *Path(site, "hipport").rglob("*")]:
        path.chmod(0o755)


def test_the_wheel_holds_its_data_and_no_tests(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for kind in ("rules", "shims", "templates", "examples"):
        wanted = {p.relative_to(ROOT).as_posix() for p in (ROOT / kind).rglob("*") if p.is_file() and _ships(p)}
        assert wanted, f"{kind}/ is empty"
        missing = {name for name in wanted if f"hipport/_data/{name}" not in names}
        assert not missing, sorted(missing)[:5]
    assert "hipport/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "docs/", "hipport/tests"))]
    assert any(name.endswith("entry_points.txt") for name in names)


def _ships(path: Path) -> bool:
    return "__pycache__" not in path.parts and path.name != ".gitkeep"


def test_an_installed_hipport_ports_an_example(installed: Path, tmp_path: Path) -> None:
    code = "import hipport, hipport.resources as r; print(hipport.__file__); print(r.data_dir('examples'))"
    place, data = run(installed, "-c", code, cwd=tmp_path).stdout.split()
    assert str(ROOT) not in place
    assert data.endswith("_data/examples")
    port = run(installed, "-m", "hipport", "port", Path(data) / "reduce_histogram", "-o", "out", cwd=tmp_path)
    assert port.returncode in {0, 1}, port.stderr
    assert port.stderr == ""
    ported = (tmp_path / "out/reduce.hip").read_text()
    assert "hipGetDevice" in ported
    assert "cuda" not in ported.replace("CHECK_CUDA", "")


def test_nothing_is_written_into_the_installation(installed: Path, tmp_path: Path) -> None:
    code = "import hipport, pathlib; print(pathlib.Path(hipport.__file__).parent)"
    place = Path(run(installed, "-c", code, cwd=tmp_path, PYTHONDONTWRITEBYTECODE="1").stdout.strip())
    before = {p: p.stat().st_mtime_ns for p in place.rglob("*")}
    example = place / "_data/examples/kmeans"
    port = run(installed, "-m", "hipport", "port", example, "--json", cwd=tmp_path, PYTHONDONTWRITEBYTECODE="1")
    assert port.returncode in {0, 1}, port.stderr
    assert {p: p.stat().st_mtime_ns for p in place.rglob("*")} == before


def test_the_core_dependencies_are_light(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [n for n in archive.namelist() if n.endswith("METADATA")]
        lines = archive.read(name).decode().splitlines()
    core = {line.split()[1] for line in lines if line.startswith("Requires-Dist:") and "extra ==" not in line}
    names = {"".join(c if c.isalnum() or c in "-_" else " " for c in item).split()[0].lower() for item in core}
    assert names == {"typer", "rich", "pyyaml", "pathspec", "jinja2", "libcst", "tomli", "libclang-ng"}
