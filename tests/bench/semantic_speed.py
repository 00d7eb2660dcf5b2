"""Files per CPU second of semantic reading: `python -m tests.bench.semantic_speed HECBENCH/src [--system-headers] [N]`.

Every .cu of the X-cuda programs is read as its own translation unit, without the cache of parses: text, sites,
functions, launches, the parse by libclang, the tree, the waits. The precompiled prelude is made once before. N: every
so many files are taken. With `--system-headers` the system's C++ headers stand in place of the prelude's stubs.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path

from hipport import cachedir
from hipport.frontend import parse, units
from hipport.model import SourceFile


def measure(source: Path, *, system_headers: bool, step: int) -> str:
    paths = sorted(source.glob("*-cuda/**/*.cu"))[::step]
    files = [SourceFile(str(path.relative_to(source)), path.read_bytes()) for path in paths]
    parse.parse(b"int warm;", {}, system_headers=system_headers)
    os.environ[cachedir.VARIABLE] = "off"
    start = time.process_time()
    whole = functions = 0
    for file in files:
        one = units.read([file], system_headers=system_headers).get(file.path)
        if one is not None:
            functions += len(one.functions)
            whole += sum(one.read_whole(f.body) for f in one.functions)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"{len(files)} files, {seconds:.1f} CPU s: {len(files) / seconds:.1f} files/CPU s; "
        f"{whole} of {functions} device functions read whole; peak {peak:.0f} MiB"
    )


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[2:] if word.isdigit()]
    wanted = "--system-headers" in sys.argv
    sys.stdout.write(measure(Path(sys.argv[1]), system_headers=wanted, step=numbers[0] if numbers else 1) + "\n")
