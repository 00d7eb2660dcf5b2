"""apt with a state of its own: nothing of the system's is read for writing, no root is needed."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.errors import HipportError
from hipport.toolchain.process import Ran, run
from hipport.toolchain.recipe import file_sha256

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

APT_SECONDS = 900.0
_SHA256_DIGITS = 64
_NEEDED = ("apt-get", "apt-cache", "apt-config", "dpkg-deb")
_URI = re.compile(r"^'(?P<uri>[^']+)' (?P<file>\S+) (?P<size>\d+)(?: (?P<digest>\S*))?$", re.MULTILINE)


def missing_tools() -> tuple[str, ...]:
    """The programs that the Debian route needs and that are not here."""
    return tuple(name for name in _NEEDED if shutil.which(name) is None)


@dataclass(frozen=True, slots=True)
class Download:
    """A file as the archive announces it."""

    package: str
    version: str
    file: str
    size: int
    digest: str


@dataclass(frozen=True, slots=True)
class Apt:
    """A private apt below `folder`."""

    folder: Path
    logs: Path

    def env(self) -> dict[str, str]:
        """The environment that makes apt use it."""
        return {"APT_CONFIG": str(self.folder / "apt.conf"), "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}

    def call(self, *words: str, cwd: Path | None = None) -> Ran:
        """Run an apt program; the log is kept."""
        verb = next((word for word in words[1:] if not word.startswith("-")), "run")
        log = self.logs / f"{self.folder.name}-{verb}.log"
        return run(words, limit=APT_SECONDS, log=log, env=self.env(), cwd=cwd)

    def prepare(self, stanzas: Sequence[str], status: Path | None = None) -> None:
        """Write its configuration: these sources, the machine's proxy and fetch settings, and no hooks."""
        for place in ("state/lists/partial", "cache/archives/partial", "sources.d"):
            (self.folder / place).mkdir(parents=True, exist_ok=True)
        (self.folder / "sources.d" / "hipport.sources").write_text("\n".join(stanzas), encoding="utf-8")
        quoted = _quoted(self.folder)
        lines = [
            *_fetch_settings(),
            'Dir::Etc::Parts "/dev/null"; Dir::Etc::Main "/dev/null"; Dir::Etc::SourceList "/dev/null";',
            f'Dir::Etc::SourceParts "{quoted}/sources.d";',
            'Dir::Etc::Preferences "/dev/null"; Dir::Etc::PreferencesParts "/dev/null";',
            f'Dir::State "{quoted}/state"; Dir::Cache "{quoted}/cache";',
            f'Dir::State::status "{_quoted(status or Path("/dev/null"))}";',
            f'Dir::State::extended_states "{quoted}/state/extended_states"; Dir::Log "{quoted}/state";',
            f'APT::Sandbox::User "{"root" if os.geteuid() == 0 else ""}";',
            'APT::Get::AllowUnauthenticated "false"; APT::Install-Recommends "false"; Acquire::Languages "none";',
        ]
        (self.folder / "apt.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def update(self) -> None:
        """Read the archives' lists."""
        ran = self.call("apt-get", "-q", "update", "-o", "APT::Update::Error-Mode=any")
        if not ran.ok:
            raise HipportError(f"the package lists could not be read: {_reason(ran)}", where=str(ran.log))

    def find(self, names: Iterable[str]) -> dict[str, Download]:
        """What the archives offer of these names, by name; a name that they lack is left out."""
        versions = self.versions(names)
        if not versions:
            return {}
        words = [f"{name}={version}" for name, version in versions.items()]
        ran = self.call("apt-get", "-q", "--print-uris", "download", *words)
        if not ran.ok:
            raise HipportError(f"apt cannot say where its packages are: {_reason(ran)}", where=str(ran.log))
        found = {}
        for match in _URI.finditer(ran.output):
            name = match["file"].partition("_")[0]
            if name in versions:
                digest = (match["digest"] or "").partition(":")[2]
                found[name] = Download(name, versions[name], match["file"], int(match["size"]), digest)
        return found

    def versions(self, names: Iterable[str]) -> dict[str, str]:
        """The version of each name that apt would take."""
        wanted = list(names)
        ran = self.call("apt-cache", "policy", *wanted)
        found, name = {}, ""
        for line in ran.output.splitlines():
            if line and not line.startswith(" ") and line.endswith(":"):
                name = line[:-1]
            elif line.startswith("  Candidate: ") and "(none)" not in line:
                found[name] = line.split(": ", 1)[1].strip()
        return found

    def closure(self, names: Iterable[str]) -> tuple[str, ...]:
        """Everything that installing these names on an empty system would unpack; empty where apt finds no way."""
        ran = self.call("apt-get", "-q", "-s", "--no-install-recommends", "install", *names)
        return tuple(re.findall(r"^Inst (\S+) ", ran.output, re.MULTILINE)) if ran.ok else ()

    def majors(self, stem: str) -> list[int]:
        """The NN of the packages `<stem>NN` that the archives have, the highest first."""
        ran = self.call("apt-cache", "pkgnames", stem)
        ends = [name.removeprefix(stem) for name in ran.output.split() if name.startswith(stem)]
        return sorted((int(end) for end in ends if end.isdigit()), reverse=True)

    def download(self, items: Sequence[Download], folder: Path) -> None:
        """Fetch files into `folder`, but for those that lie there whole; apt verifies what it fetches."""
        folder.mkdir(parents=True, exist_ok=True)
        wanted = [item for item in items if not _whole(folder / item.file, item)]
        if not wanted:
            return
        words = [f"{item.package}={item.version}" for item in wanted]
        ran = self.call("apt-get", "-q", "download", *words, cwd=folder)
        missing = [item for item in wanted if not (folder / item.file).is_file()]
        if not ran.ok or missing:
            names = ", ".join(item.package for item in missing or wanted)
            raise HipportError(
                f"{names} could not be fetched: {_reason(ran)}",
                where=str(ran.log),
                next_step="run the command again: what has arrived is kept",
            )


def _whole(path: Path, item: Download) -> bool:
    """Whether the file is there as the archive announces it."""
    if not path.is_file() or path.stat().st_size != item.size:
        return False
    return len(item.digest) != _SHA256_DIGITS or file_sha256(path) == item.digest


def _quoted(path: Path) -> str:
    text = str(path.absolute())
    if '"' in text or "\n" in text:
        raise HipportError("a prefix whose path holds a quote cannot be used with apt", where=text)
    return text


def _reason(ran: Ran) -> str:
    if ran.code is None:
        return "the time limit was reached"
    lines = ran.output.strip().splitlines() or ["no message"]
    errors = [line for line in lines if line.startswith(("E:", "Err:"))]
    return (errors or lines)[-1]


def _fetch_settings() -> list[str]:
    """The machine's Acquire and architecture settings (proxies, timeouts), as configuration lines."""
    ran = run(["apt-config", "dump"], limit=60, env={"LC_ALL": "C"})
    lines = [line for line in ran.output.splitlines() if line.startswith(("Acquire::", "APT::Arch"))]
    return [line for line in lines if not line.startswith("Acquire::IndexTargets")]


def os_release(path: Path = Path("/etc/os-release")) -> Mapping[str, str]:
    """The machine's distribution, by os-release's keys."""
    rows = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    pairs = (row.partition("=") for row in rows if "=" in row)
    return {key: value.strip("\"'") for key, _, value in pairs}
