"""Linking a program with our HIP runtime; what the platform's libraries would give becomes a stub that says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.device.program.clang import run_words
from hipport.errors import HipportError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.device.program.settings import Settings
    from hipport.toolchain.clanghip import ClangHip

# GNU ld, then lld; both with --no-demangle
_MISSING = re.compile(r"undefined (?:reference to `|symbol: )([\w.$@]+)")
_PLATFORM = re.compile(r"(__)?(hip|roc|rccl|nccl|miopen|hsa_|hiprtc)\w*|_Z\w*(hip|roc|rccl)\w*", re.IGNORECASE)


def missing_symbols(log: str) -> tuple[str, ...]:
    """The symbols that a linker says are undefined, each once."""
    return tuple(dict.fromkeys(_MISSING.findall(log)))


def stubs(names: Sequence[str]) -> str:
    """C source that defines each name as a function that ends the program with "not provided: NAME"."""
    rows = ["void hipport_not_provided(const char *name) __attribute__((noreturn));"]
    for number, name in enumerate(names):
        rows.append(f'void hipport_stub_{number}(void) __asm__("{name}");')
        rows.append(f'void hipport_stub_{number}(void) {{ hipport_not_provided("{name}"); }}')
    return "\n".join(rows) + "\n"


def link(
    objects: Sequence[str], output: Path, options: Sequence[str], using: Settings, compiler: ClangHip
) -> tuple[str, ...]:
    """Link; the names that were given a stub.

    Raises:
        HipportError: something else is missing, or the linker fails.
    """
    runtime = Path(using.runtime)
    driver = [*compiler.driver, *compiler.options]
    end = [str(runtime), f"-Wl,-rpath,{runtime.parent}", "-Wl,--no-demangle", "-lm", "-lpthread", "-ldl"]
    words = [*objects, *options, "-o", str(output), *end]
    ran = run_words([*driver, *words], compiler)
    if ran.returncode == 0:
        return ()
    missing = missing_symbols(ran.stderr)
    if not missing or not all(_PLATFORM.fullmatch(name) for name in missing):
        raise HipportError(f"it does not link:\n{ran.stderr.strip()[-3000:]}", where=str(output))
    source = Path(using.scratch) / f"{output.name}.stubs.c"
    source.write_text(stubs(missing), encoding="utf-8")
    stub = source.with_suffix(".o")
    again = run_words([*driver, "-x", "c", "-fPIC", "-c", str(source), "-o", str(stub)], compiler)
    if again.returncode == 0:
        again = run_words([*driver, str(stub), *words], compiler)
    if again.returncode:
        raise HipportError(f"it does not link:\n{again.stderr.strip()[-3000:]}", where=str(output))
    return missing
