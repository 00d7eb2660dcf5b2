"""Which part may use which: design rules that a reader relies on, checked on the syntax trees."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "hipport"

# layer -> the layers of ours that it may import (at any depth, also lazily)
BASE = {"model", "errors", "resources", "plain", "patterns", "cachedir"}
ALLOWED = {
    "__init__": set(),
    "__main__": {"cli"},
    "model": set(),
    "errors": set(),
    "plain": set(),
    "patterns": set(),
    "cachedir": set(),
    "resources": {"errors"},
    "config": BASE,
    "target_table": BASE,
    "targets": BASE | {"target_table"},
    "source": BASE | {"config"},
    # targets: what does not compile for one of them
    "renames": BASE | {"source", "config", "targets"},
    "frontend": BASE | {"source"},
    "perfmodel": BASE | {"targets"},
    # resources, errors: rules/ptx.yaml and rules/shimmed.yaml are data of rewrites
    "rewrites": {"model", "frontend", "perfmodel", "targets", "resources", "errors"},
    "buildfiles": BASE | {"source", "renames", "config"},
    "porting": BASE | {"config", "targets", "source", "renames", "frontend", "rewrites", "buildfiles", "perfmodel"},
    "checking": BASE | {"config", "targets", "source", "renames", "buildfiles", "porting"},
    "batch": BASE | {"__init__", "config", "source", "checking", "porting", "renames"},
    # frontend: the in-process type check is one of the compilers
    "toolchain": BASE | {"config", "targets", "perfmodel", "source", "frontend", "__init__"},
    # renames: HIP on an NVIDIA GPU is a header made of the rules
    # source: the build copy of a PyTorch extension is edited as tokens
    "device": BASE | {"config", "targets", "toolchain", "perfmodel", "renames", "source", "__init__"},
    # source: kernels are cut out of sources whose host code cannot be built
    "diffing": BASE | {"__init__", "config", "targets", "toolchain", "device", "perfmodel", "source"},
    "report": BASE | {"targets", "checking", "batch", "diffing", "__init__"},
    "api": {"*"},
    "cli": {"api", "checking", "device", "diffing", "model", "errors", "report", "config", "__init__"},
}
# batch/run.py starts none: it waits for the executor that porting or Dask gives it
MAY_START_PROCESSES = ("batch/run.py", "source/git.py", "porting/", "toolchain/", "device/", "diffing/")
PROCESS_MODULES = {"subprocess", "multiprocessing", "concurrent"}


def modules() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*.py") if "_data" not in p.parts)


def relative(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def is_module(name: str) -> bool:
    place = PACKAGE.parent.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


def imports(path: Path) -> set[str]:
    """Every module that the file imports, lazily too, but for type checking alone; a part of a package alone is no use
    of the package itself.
    """
    names: set[str] = set()
    todo: list[ast.AST] = [ast.parse(path.read_bytes())]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            todo += node.orelse
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= found if all(map(is_module, found)) else {*found, node.module or ""}
        todo += ast.iter_child_nodes(node)
    return names


def layer(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


@pytest.mark.parametrize("path", modules(), ids=relative)
def test_a_layer_imports_only_what_it_may(path: Path) -> None:
    own = relative(path).split("/")[0].removesuffix(".py")
    allowed = ALLOWED[own]
    if allowed == {"*"}:
        return
    used = {layer(name) for name in imports(path) if name.split(".")[0] == "hipport"}
    used = {u for u in used if (PACKAGE / u).is_dir() or (PACKAGE / f"{u}.py").is_file()} - {own}
    assert used <= allowed | {"__init__"}, f"{relative(path)} imports {sorted(used - allowed)}"


@pytest.mark.parametrize("path", modules(), ids=relative)
def test_processes_clang_torch_and_print_stay_in_their_places(path: Path) -> None:
    name = relative(path)
    used = {module.split(".")[0] for module in imports(path)}
    if not name.startswith(MAY_START_PROCESSES):
        assert not used & PROCESS_MODULES, f"{name} starts processes"
    if not name.startswith("frontend/"):
        assert "clang" not in used, f"{name} imports clang"
    if not name.startswith("cli/"):
        calls = [n for n in ast.walk(ast.parse(path.read_bytes())) if isinstance(n, ast.Call)]
        assert not any(isinstance(c.func, ast.Name) and c.func.id == "print" for c in calls), f"{name} prints"


def test_no_two_modules_import_each_other_in_a_circle() -> None:
    known = {
        "hipport." + relative(p).removesuffix(".py").replace("/", ".").removesuffix(".__init__"): p for p in modules()
    }
    graph = {name: {i for i in imports(path) if i in known and i != name} for name, path in known.items()}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, f"import circle: {' -> '.join((*trail[trail.index(name) :], name))}"
        if name in done:
            return
        for other in sorted(graph[name]):
            visit(other, (*trail, name))
        done.add(name)

    for name in sorted(graph):
        visit(name, ())


def test_the_command_line_starts_without_heavy_modules() -> None:
    code = "import sys, hipport.cli; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"clang", "torch", "jinja2", "libcst", "numpy", "rich", "yaml"} & set(out)
