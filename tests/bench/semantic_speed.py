"""Files per CPU second of semantic reading: `python -m tests.bench.semantic_speed HECBENCH/src`.

Every .cu of the X-cuda programs is read as its own translation unit, without the cache of parses: text, sites,
functions, launches, the parse by libclang, the tree, the waits. The precompiled prelude is made once before.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from hipport.frontend import parse, units
from hipport.model import SourceFile


def measure(source: Path) -> str:
    paths = sorted(source.glob("*-cuda/**/*.cu"))
    files = [SourceFile(str(path.relative_to(source)), path.read_bytes()) for path in paths]
    parse.cache_folder()
    parse.parse(b"int warm;", {})
    parse.cache_folder.cache_clear()
    parse.cache_folder = lambda: None  # type: ignore[assignment]
    start = time.process_time()
    whole = functions = 0
    for file in files:
        one = units.read([file]).get(file.path)
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
    sys.stdout.write(measure(Path(sys.argv[1])) + "\n")
