"""The examples on a real NVIDIA GPU: CUDA build against the port built for it, PTX side by side, times, recordings.

    python tests/bench/hip_on_nvidia.py PORTS OUT [EXAMPLE...]

PORTS holds the ports of the examples (`hipport port examples/X -o PORTS/X`); OUT gets recordings and a transcript.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from hipport import api
from hipport.device.executor import Limits
from hipport.device.gpu import toolchain
from hipport.diffing.casefile import read
from hipport.diffing.cases import CaseKind
from hipport.diffing.verify import Ported, Settings
from hipport.diffing.wrapper import device_code, include_options
from hipport.report import verification

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ("warp_scan", "reduce_histogram", "kmeans", "row_softmax")
ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\((.*?)\)(.*?)^\}", re.DOTALL | re.MULTILINE)
REPEATS = 200


def main(words: list[str]) -> None:
    ports, out = Path(words[0]), Path(words[1])
    out.mkdir(parents=True, exist_ok=True)
    lines = [subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False).stdout.strip()]
    for name in words[2:] or EXAMPLES:
        lines.append(f"\n# {name}")
        one(name, ports / name, out, lines)
        print("\n".join(lines), flush=True)
        (out / "transcript.txt").write_text("\n".join(lines) + "\n")


def one(name: str, port: Path, out: Path, lines: list[str]) -> None:
    folder = ROOT / "examples" / name
    place = folder / "verify.toml"
    ported = Ported.existing(port, folder)
    settings = Settings(limits=Limits(seconds=120, repeats=REPEATS))
    done = api.verify(place, original="cuda", ports=("hip-on-nvidia",), port=ported, settings=settings)
    lines.append(verification.text(done))
    kept = [case for case in read(place) if case.kind is CaseKind.KERNEL and not case.instantiate]
    lines += [f"{case.kernel}: PTX {compared(case, folder, port, ported)}" for case in kept]
    api.record(place, device="cuda", out=out / f"{name}.safetensors", port=ported, settings=settings, quick=True)


def compared(case, folder: Path, port: Path, ported: Ported) -> str:
    sides = []
    for spec, root, source in (("cuda", folder, folder / case.source), ("hip-on-nvidia", port, ported.source_of(case))):
        sides.append(kernels(spec, device_code(source, root) if case.kernels_only else source, root))
    name = case.kernel.rpartition("::")[2]
    mangled = f"{len(name)}{name}"
    first, second = (
        next((re.sub(rf"_GLOBAL_\w*?{mangled}", mangled, body) for key, body in side.items() if mangled in key), "")
        for side in sides
    )
    if not first or not second:
        return "not found"
    return "identical" if first == second else f"differs ({first.count(chr(10))} and {second.count(chr(10))} lines)"


def kernels(spec: str, source: Path, root: Path) -> dict[str, str]:
    """Mangled name -> its PTX without what names the file."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "k.ptx"
        words = [*toolchain(spec).words, *include_options(root), "-ptx", str(source), "-o", str(out)]
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        if ran.returncode:
            return {}
        text = re.sub(r"\d+_GLOBAL__N__[0-9a-f]{8}_\d+_\w+?_(cu|hip)_[0-9a-f]{8}", "_GLOBAL_", out.read_text())
    return {m[1]: plain(m[1], m[0]) for m in ENTRY.finditer(text)}


def plain(name: str, body: str) -> str:
    body = re.sub(r"\$L__BB\d+_", "$L__BB_", body.replace(name, "KERNEL"))
    lines = [line for line in body.splitlines() if not re.match(r"\s*(\.loc|//|$)", line)]
    return "\n".join(lines)


if __name__ == "__main__":
    main(sys.argv[1:])
