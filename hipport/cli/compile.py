"""`hipport compile`: objects or code objects, and what each kernel takes."""

from __future__ import annotations

from pathlib import Path

import typer

from hipport import api
from hipport.errors import ExitCode
from hipport.report.compilation import FINDINGS, compilation_json, compilation_text

app = typer.Typer()


@app.command()
def compile_(
    files: list[Path] = typer.Argument(..., metavar="FILE...", help="HIP or CUDA sources."),
    target: str = typer.Option("gfx942,gfx950", "--target", help="GPUs: gfx950, sm_90, ..."),
    output: Path | None = typer.Option(None, "-o", help="A folder for what is built, or one file."),
    kind: str = typer.Option("codeobject", "--kind", help="codeobject, object (with host code), asm or llvm."),
    check: bool = typer.Option(False, "--check", help="Check types only, in process where no compiler is."),
    include: list[str] = typer.Option([], "-I", help="A folder of headers."),
    define: list[str] = typer.Option([], "-D", help="A macro."),
    flag: list[str] = typer.Option([], "--flag", help="One more word for the compiler, as it stands."),
    block_size: int = typer.Option(0, "--block-size", help="Threads of a block for the occupancy."),
    dynamic_lds: int = typer.Option(0, "--dynamic-lds", help="Bytes of LDS that the launches add."),
    torch_headers: bool = typer.Option(
        False, "--torch-headers", help="Add PyTorch's headers, as a HIP build has them."
    ),
    limit: float = typer.Option(600.0, "--limit", help="Seconds for each compilation."),
    jobs: int = typer.Option(0, "--jobs", "-j", help="Compilations at once; 0: one a processor."),
    prefix: Path | None = typer.Option(None, "--prefix", help="The toolchain's prefix."),
    as_json: bool = typer.Option(False, "--json", help="As JSON (docs/compile.md)."),
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Warnings too."),
) -> None:
    """Compile HIP or CUDA files with no GPU, and tell what each kernel takes."""
    options = [*(f"-I{name}" for name in include), *(f"-D{name}" for name in define), *flag]
    rows = api.compile_files(
        files,
        target,
        kind="check" if check else kind,
        output=output,
        options=options,
        block_size=block_size,
        dynamic_lds=dynamic_lds,
        torch=torch_headers,
        limit=limit,
        jobs=jobs,
        prefix=prefix,
    )
    print(compilation_json(rows) if as_json else compilation_text(rows, warnings=verbose), end="")
    if not all(built.ok for built in rows):
        raise typer.Exit(ExitCode.FAILED)
    if any(item.flag in FINDINGS for built in rows for item in built.diagnostics):
        raise typer.Exit(ExitCode.LEFT)
