"""`hipport closure`: the kernels of a file with all that they reach."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from hipport import api
from hipport.config import WarpMode
from hipport.errors import ExitCode

app = typer.Typer(help="Show kernel closures: what a kernel reaches, launches, and which numbers mean the warp.")


@app.command()
def closure(
    file: Path = typer.Argument(exists=True, dir_okay=False, help="A CUDA source; headers are looked up around it."),
    kernel: str = typer.Option("", "--kernel", help="Only the kernel of this name."),
    warp: WarpMode = typer.Option(WarpMode.SUBWARP, "--warp", help="The mode that a port would be asked for."),
    system_headers: bool = typer.Option(
        False, "--system-headers", help="Read the system's C++ headers, not built-in stubs."
    ),
    as_json: bool = typer.Option(False, "--json", help="As JSON (schema 1)."),
) -> None:
    """Show the closure of each kernel: functions, shared arrays, launches, meanings, and what blocks a rewrite."""
    found = api.closures(file, kernel, warp, system_headers=system_headers)
    if as_json:
        print(json.dumps({"schema": 1, "closures": found}, indent=2))
    else:
        for one in found:
            _show(one)
        if not found:
            print(f"{file}: no kernel" + (f" `{kernel}`" if kernel else ""))
    if any(one["blocked"] for one in found):
        raise typer.Exit(ExitCode.LEFT)


def _show(one: dict[str, Any]) -> None:
    state = f"left whole: {one['blocked']}" if one["blocked"] else one["mode"]
    print(f"{one['path']}:{one['line']}: {one['kernel']} ({state})")
    for shot in one["launches"]:
        sizes = " x ".join("?" if n is None else str(n) for n in shot["block"])
        lds = "?" if shot["dynamic_lds_bytes"] is None else shot["dynamic_lds_bytes"]
        config = ", ".join(shot["config"])
        print(f"  launched {shot['path']}:{shot['line']} <<<{config}>>> block {sizes}, dynamic LDS {lds}")
    for function in one["functions"]:
        print(f"  {function['name'] or 'lambda'} {function['path']}:{function['line']} (read {function['read']})")
        for array in function["shared"]:
            size = "?" if array["bytes"] is None else array["bytes"]
            print(f"    shared {array['name']}: {array['type']}, {size} bytes")
        for name, means in function["values"].items():
            print(f"    {name} means {', '.join(means)}")
        for width in function["widths"]:
            print(f"    line {width['line']}: {width['text']} is the warp ({width['role']})")
        for site in function["sites"]:
            print(f"    line {site['line']}: {site['name']}")
        for wait in function["waits"]:
            print(f"    line {wait['line']}: waits ({wait['kind']})")
