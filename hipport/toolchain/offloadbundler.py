"""The part of clang-offload-bundler that a HIP compilation calls, for a clang that comes without it."""

from __future__ import annotations

import sys
from pathlib import Path

from hipport.toolchain.codeobject import bundled


def main(words: list[str]) -> int:
    """Bundle device objects: `-type=o -targets=T,... -input=FILE... -output=FILE [-bundle-align=N]`; else 1."""
    values: dict[str, list[str]] = {}
    for word in words:
        key, _, value = word.lstrip("-").partition("=")
        values.setdefault(key, []).append(value)
    if "unbundle" in values or values.get("type") != ["o"]:
        sys.stderr.write("only bundling of objects is supported\n")
        return 1
    names = values["targets"][0].split(",")
    inputs = [part for value in values.get("input", values.get("inputs", [])) for part in value.split(",")]
    align = int(values.get("bundle-align", ["4096"])[0])
    entries = [
        (name, b"" if name.startswith("host-") else Path(path).read_bytes())
        for name, path in zip(names, inputs, strict=True)
    ]
    Path(values["output"][0]).write_bytes(bundled(entries, align))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
