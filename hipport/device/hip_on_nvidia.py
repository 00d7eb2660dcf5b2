"""HIP sources for an NVIDIA GPU: headers made of the rename rules, and a hipcc that is nvcc.

`python -m hipport.device.hip_on_nvidia WORDS` stands where hipcc would in a program's own build.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hipport import cachedir
from hipport.device.program.commandline import parse
from hipport.renames.compiled import compiled_rules
from hipport.renames.table import load
from hipport.resources import data_dir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.model import RenameRule

MASTER = "hipport_hip_on_nvidia.h"
NVCC = "HIPPORT_NVCC"
ARCH = "HIPPORT_NVIDIA_ARCH"
_OWN = re.compile(r"_*(hip|HIP|roc|ROC|rccl|miopen|MIOPEN)")
_ALWAYS = ("cuda_runtime.h", "cuda.h", "cuda_fp16.h", "cuda_bf16.h")
_RUNTIME = {"runtime", "driver", "device", "guards"}
_PUBLIC = {"cooperative_groups.h", "cuComplex.h", "math_constants.h", "library_types.h", "cuda_profiler_api.h"}
# parts of other headers, and the first interface of cuBLAS, which no one can include beside the second
_INNER = re.compile(
    r"cub/(config|util_(arch|debug|macro|namespace|cpp_dialect))|curand_(?!kernel|mtgp32)|cublas(_api)?\.h|.*\.hpp|.*LOWLEVEL"
)
_NOT_CUDA = {"__trap", "__brkpt"}  # said in the template
# families whose names other families' rules also write: the first that has a name gives it
_ORDER = ("runtime", "driver")


def names() -> list[tuple[str, str]]:
    """(HIP name, CUDA name), each HIP name once; the CUDA name that is spelled most like it."""
    table = load()
    found: dict[str, list[RenameRule]] = {}
    for key in table.names:
        rule = table.names[key]
        if rule.status == "mapped" and _OWN.match(rule.hip) and rule.hip.isidentifier() and rule.cuda not in _NOT_CUDA:
            found.setdefault(rule.hip, []).append(rule)
    return sorted((hip, min(rules, key=lambda rule: _distance(hip, rule)).cuda) for hip, rules in found.items())


def _distance(hip: str, rule: RenameRule) -> tuple[int, int, int, str]:
    """0 first for cudaMalloc of hipMalloc; then the runtime's; then the shortest, and the first by name."""
    alike = {hip.replace("hip", new).replace("HIP", new.upper()) for new in ("cuda", "cu", "cu_", "nv")}
    rank = _ORDER.index(rule.family) if rule.family in _ORDER else len(_ORDER)
    return rule.cuda not in alike, rank, len(rule.cuda), rule.cuda


def includes() -> dict[str, list[str]]:
    """HIP header -> the CUDA headers that it stands for. Those of the runtime are in the header that all include."""
    table = load()
    found: dict[str, list[str]] = {}
    for key in table.includes:
        rule = table.includes[key]
        if rule.status == "mapped" and rule.hip and rule.family != "torch" and "*" not in rule.hip:
            here = found.setdefault(rule.hip, [])
            own = rule.cuda in _PUBLIC if rule.family in _RUNTIME else not _INNER.match(rule.cuda)
            here += [rule.cuda] if own else []
    for extra in ("hip/hip_runtime.h", "hip/hip_runtime_api.h", "hip/hip_fp16.h", "hip/hip_bf16.h"):
        found.setdefault(extra, [])
    return found


def master() -> str:
    """The header that every other includes."""
    import jinja2

    table = load()
    spaces = [(rule.hip, rule.cuda) for rule in (table.namespaces[key] for key in table.namespaces)]
    plain = [(hip, cuda) for hip, cuda in spaces if "::" not in hip + cuda]
    text = (data_dir("templates") / "hip_on_nvidia.h.j2").read_text(encoding="utf-8")
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False)  # noqa: S701 - C++, not HTML
    return environment.from_string(text).render(headers=_ALWAYS, names=names(), namespaces=plain)


def headers() -> Path:
    """The folder of the headers, made once for each content of the rules and the template."""
    template = (data_dir("templates") / "hip_on_nvidia.h.j2").read_bytes()
    key = hashlib.sha256(compiled_rules() + template + Path(__file__).read_bytes()).hexdigest()[:24]
    folder = cachedir.root() / "hip-on-nvidia" / key
    if (folder / "include" / MASTER).is_file():
        return folder / "include"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="headers-", dir=folder) as scratch:
        top = Path(scratch) / "include"
        write(top)
        if not (folder / "include").exists():
            top.rename(folder / "include")
    return folder / "include"


def write(top: Path) -> None:
    """Write the headers below `top`."""
    top.mkdir(parents=True)
    (top / MASTER).write_text(master(), encoding="utf-8")
    for name, cuda in includes().items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = ["#pragma once", *(f"#if __has_include(<{c}>)\n#include <{c}>\n#endif" for c in cuda)]
        path.write_text("\n".join([*lines, f"#include <{MASTER}>", ""]), encoding="utf-8")


def nvcc_words(nvcc: str, arch: str) -> list[str]:
    """The start of a compilation of HIP sources by nvcc."""
    return [nvcc, "-O3", "-std=c++17", f"-arch={arch}", "-diag-suppress=20208", f"-I{headers()}"]


def main(words: Sequence[str]) -> int:
    """What hipcc would do for these words, by nvcc: each source to an object, then a link where one is asked for."""
    line = parse(words)
    start = nvcc_words(os.environ[NVCC], os.environ[ARCH])
    options = translated(line.compile_options)
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        objects = []
        for at, (source, _) in enumerate(line.sources):
            out = str(Path(scratch) / f"{at}.o")
            if line.mode == "compile":
                out = line.output or f"{Path(source).stem}.o"
            code = subprocess.run([*start, *options, "-x", "cu", "-c", source, "-o", out], check=False).returncode
            if code:
                return code
            objects.append(out)
        if line.mode != "link":
            return 0
        linking = [*start, *objects, *line.objects, *translated(line.link_options), "-o", line.output or "a.out"]
        return subprocess.run(linking, check=False).returncode


def translated(options: Sequence[str]) -> list[str]:
    """Words of clang as nvcc takes them: what it does not know goes to the host compiler."""
    found: list[str] = []
    for word in options:
        if re.match(r"-(O[0-3]$|g$|std=|D|I|U|l|L|isystem|include|Xlinker|shared)", word) or not word.startswith("-"):
            found.append(word)
        elif word.startswith("-Wl,"):
            found += ["-Xlinker", word[4:]]
        elif re.match(r"-(W|f|m|pthread|pipe|w$)", word) and "gpu" not in word and "offload" not in word:
            found += ["-Xcompiler", word]
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
