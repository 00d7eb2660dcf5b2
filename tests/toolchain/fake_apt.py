"""Stands in for apt and dpkg in tests: an archive of tar files, described by $FAKE_ARCHIVE; each fetch is logged."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tarfile
from pathlib import Path

FILTER = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
ARCHIVE = Path(os.environ["FAKE_ARCHIVE"])


def main(program: str, words: list[str]) -> int:
    if program == "dpkg-deb":
        with tarfile.open(words[1]) as tar:
            for member in tar.getmembers():
                tar.extract(member, words[2], **FILTER)
        return 0
    if program == "apt-config":
        print('Acquire::http::Proxy "keep";\nDir "/";\nAPT::Update::Post-Invoke:: "never";')
        return 0
    packages = offered()
    names = [word for word in words if not word.startswith("-")]
    if program == "apt-cache" and names[0] == "pkgnames":
        print("\n".join(name for name in packages if name.startswith(names[1])))
    elif program == "apt-cache":
        for name in names[1:]:
            if name in packages:
                print(f"{name}:\n  Installed: (none)\n  Candidate: {packages[name]['version']}\n  Version table:")
    elif names[0] == "update":
        return update()
    elif names[0] == "install":
        print("\n".join(f"Inst {name} (1 Debian)" for name in closure(packages, names[1:])))
    else:
        return download(packages, names[1:], show="--print-uris" in words)
    return 0


def offered() -> dict[str, dict[str, object]]:
    """The packages of the suites that the private configuration names."""
    config = Path(os.environ["APT_CONFIG"]).read_text(encoding="utf-8")
    folder = re.search(r'Dir::Etc::SourceParts "([^"]+)"', config)[1]
    assert 'Acquire::http::Proxy "keep"' in config
    assert "Post-Invoke" not in config
    text = (Path(folder) / "hipport.sources").read_text(encoding="utf-8")
    suites = " ".join(re.findall(r"^Suites: (.*)$", text, re.MULTILINE)).split()
    listed = json.loads((ARCHIVE / "archive.json").read_text(encoding="utf-8"))
    return {name: row for suite in suites for name, row in listed.get(suite, {}).items()}


def update() -> int:
    if (ARCHIVE / "offline").exists():
        print("E: Temporary failure resolving the archive")
        return 100
    return 0


def closure(packages: dict[str, dict[str, object]], names: list[str]) -> list[str]:
    found: list[str] = []
    todo = list(names)
    while todo:
        name = todo.pop(0)
        if name not in found and name in packages:
            found.append(name)
            todo += packages[name].get("depends", [])
    return found


def download(packages: dict[str, dict[str, object]], names: list[str], *, show: bool) -> int:
    for word in names:
        name, _, version = word.partition("=")
        row = packages[name]
        assert version == row["version"]
        file = f"{name}_{version}_amd64.deb"
        source = ARCHIVE / f"{name}.tar"
        if show:
            print(f"'http://archive.example/{file}' {file} {source.stat().st_size} SHA256:{row['sha256']}")
            continue
        if (ARCHIVE / f"{name}.broken").exists():
            print(f"E: Failed to fetch {name}")
            return 100
        shutil.copyfile(source, file)
        with (ARCHIVE / "fetched.log").open("a", encoding="utf-8") as log:
            log.write(f"{name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[0]).name, sys.argv[1:]))
