"""Compiles many files for many targets: which compiler, which outputs, and where a message belongs."""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.errors import UsageError
from hipport.targets import target, targets
from hipport.toolchain import find
from hipport.toolchain.compiler import Compiled, Kind, Level
from hipport.toolchain.ldsfinding import dynamic_lds_findings, lds_findings
from hipport.toolchain.missing import missing_headers
from hipport.toolchain.origins import with_origins
from hipport.toolchain.resources import with_occupancy
from hipport.toolchain.torchheaders import torch_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.toolchain.compiler import Compiler
    from hipport.toolchain.resources import KernelResources

_SUFFIX = {
    "hip": {Kind.ASSEMBLY: "s", Kind.LLVM: "ll", Kind.OBJECT: "o", Kind.CODE_OBJECT: "co"},
    "cuda": {Kind.ASSEMBLY: "ptx", Kind.OBJECT: "o", Kind.CODE_OBJECT: "cubin"},
}


def kind_named(name: str) -> Kind:
    """The kind of that name.

    Raises:
        UsageError: no such kind.
    """
    try:
        return Kind(name)
    except ValueError:
        raise UsageError(
            f"unknown kind `{name}`", next_step=f"one of {', '.join(kind.value for kind in Kind)}"
        ) from None


@dataclass(frozen=True, slots=True)
class Request:
    """What `hipport compile` is asked for.

    `out` is a folder (or one file's path), None where only numbers are wanted; `block_size` is that of the occupancy,
    0 for each kernel's own bound; `dynamic_lds` is bytes of LDS that the launches add; `jobs` 0 is one a processor.
    """

    files: tuple[Path, ...]
    targets: tuple[str, ...]
    kind: Kind = Kind.CODE_OBJECT
    out: Path | None = None
    options: tuple[str, ...] = ()
    block_size: int = 0
    dynamic_lds: int = 0
    torch: bool = False
    limit: float = 600.0
    jobs: int = 0
    prefix: Path | None = None


@dataclass(frozen=True, slots=True)
class _Step:
    source: Path
    compiler: Compiler
    targets: tuple[str, ...]
    output: Path | None


def compile_all(request: Request) -> tuple[Compiled, ...]:
    """One Compiled for each file and target (for an object: each file), in that order.

    Raises:
        UsageError: a file or target that is not there, or outputs that would overwrite each other.
        UntestedError: no compiler for a target.
    """
    for path in request.files:
        if not path.is_file():
            raise UsageError("no such file", where=str(path))
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        steps = _steps(request, Path(scratch))
        workers = request.jobs or os.cpu_count() or 1
        with ThreadPoolExecutor(max_workers=workers) as pool:
            done = list(pool.map(lambda step: _compile(request, step), steps))
    return tuple(value if request.out else replace(value, output=None) for value in done)


def _compile(request: Request, step: _Step) -> Compiled:
    log = step.output.with_name(f"{step.output.name}.log") if request.out and step.output else None
    built = step.compiler.compile(
        step.source,
        step.targets,
        kind=request.kind,
        output=step.output,
        options=_options(request, step),
        limit=request.limit,
        log=log,
    )
    if request.block_size or request.dynamic_lds:
        built = replace(built, kernels=tuple(_launched(request, kernel) for kernel in built.kernels))
    if built.ok:
        findings = dynamic_lds_findings(built.kernels)
    else:
        findings = lds_findings(step.compiler, built, step.source, _options(request, step))
        findings = (*findings, *missing_headers(built.diagnostics))
    return replace(built, diagnostics=with_origins((*findings, *built.diagnostics)))


def _options(request: Request, step: _Step) -> tuple[str, ...]:
    if not request.torch:
        return request.options
    return (*torch_words(step.compiler.language, step.source.stem), *request.options)


def _launched(request: Request, kernel: KernelResources) -> KernelResources:
    size = request.block_size or kernel.block_size
    return with_occupancy(replace(kernel, block_size=size, dynamic_lds=request.dynamic_lds, occupancy=None))


def _steps(request: Request, scratch: Path) -> list[_Step]:
    wanted = targets(request.targets)
    spelled = {target(name).name: name for name in request.targets}
    level = Level.TYPE_CHECKED if request.kind is Kind.CHECK else Level.COMPILED
    groups: dict[tuple[str, ...], tuple[Compiler, tuple[str, ...]]] = {}
    for gpu in wanted:
        name = spelled[gpu.name]
        compiler = find(name, level=level, prefix=request.prefix)
        whole = request.kind in {Kind.OBJECT, Kind.CHECK} and compiler.language == "hip"
        whole = whole or (request.kind is Kind.OBJECT and compiler.language == "cuda")
        key = (compiler.language, compiler.name, "" if whole else name)
        groups[key] = (compiler, (*groups.get(key, (compiler, ()))[1], name))
    both = len({compiler.language for compiler, _ in groups.values()}) > 1
    steps = [
        _Step(path, compiler, names, _output(request, scratch / str(i), path, _Naming(compiler.language, names, both)))
        for i, path in enumerate(request.files)
        for compiler, names in groups.values()
    ]
    _refuse_clashes(steps)
    return steps


@dataclass(frozen=True, slots=True)
class _Naming:
    """What an output's name is made of; `both` where objects of two languages lie side by side."""

    language: str
    targets: tuple[str, ...]
    both: bool


def _output(request: Request, scratch: Path, path: Path, naming: _Naming) -> Path | None:
    if request.kind is Kind.CHECK:
        return None
    suffix = _SUFFIX[naming.language][request.kind]
    if request.kind is Kind.OBJECT:
        name = f"{path.stem}.{naming.language}.{suffix}" if naming.both else f"{path.stem}.{suffix}"
    else:
        name = f"{path.stem}.{naming.targets[0].replace(':', '.')}.{suffix}"
    if request.out is None:
        return scratch / name
    one = len(request.files) == 1 and (request.kind is Kind.OBJECT or len(request.targets) == 1) and not naming.both
    if one and request.out.suffix and not request.out.is_dir():
        return request.out
    return request.out / name


def _refuse_clashes(steps: Sequence[_Step]) -> None:
    seen: dict[Path, Path] = {}
    for step in steps:
        if step.output is None:
            continue
        other = seen.setdefault(step.output, step.source)
        if other != step.source:
            raise UsageError(
                f"{other} and {step.source} would both be written to {step.output.name}",
                next_step="compile them in two calls with another -o",
            )
