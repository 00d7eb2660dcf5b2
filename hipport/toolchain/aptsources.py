"""The machine's own apt sources, in both formats -> the archives that they name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Source:
    """One archive. `options` are its fields but for type, address, suite and component (`Signed-By`, ...)."""

    uri: str
    suites: tuple[str, ...]
    components: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()

    def stanza(self, suites: tuple[str, ...] = ()) -> str:
        """The source as a deb822 stanza, for other suites if they are given."""
        lines = ["Types: deb", f"URIs: {self.uri}", f"Suites: {' '.join(suites or self.suites)}"]
        if self.components:
            lines.append(f"Components: {' '.join(self.components)}")
        return "\n".join([*lines, *(f"{key}: {value}" for key, value in self.options)]) + "\n"


def read_sources(etc_apt: Path) -> tuple[Source, ...]:
    """Every enabled binary source of sources.list, sources.list.d/*.list and sources.list.d/*.sources."""
    found: list[Source] = []
    one_line = [etc_apt / "sources.list", *sorted((etc_apt / "sources.list.d").glob("*.list"))]
    for path in one_line:
        if path.is_file():
            found += parse_list(path.read_text(encoding="utf-8", errors="replace"))
    for path in sorted((etc_apt / "sources.list.d").glob("*.sources")):
        found += parse_deb822(path.read_text(encoding="utf-8", errors="replace"))
    return tuple(found)


_LINE = re.compile(
    r"^deb\s+(?:\[(?P<options>[^\]]*)\]\s+)?(?P<uri>\S+)\s+(?P<suite>\S+)(?P<components>(?:\s+\S+)*)\s*$"
)
_OPTION = re.compile(r"([\w-]+)\+?=(\S+)")


def parse_list(text: str) -> list[Source]:
    """Sources of the one-line format (sources.list(5))."""
    found = []
    for line in text.splitlines():
        match = _LINE.match(line.partition("#")[0].strip())
        if not match:
            continue
        options = tuple(
            (_deb822_name(key), value.replace(",", " ")) for key, value in _OPTION.findall(match["options"] or "")
        )
        found.append(Source(match["uri"], (match["suite"],), tuple(match["components"].split()), options))
    return found


def _deb822_name(key: str) -> str:
    names = {"arch": "Architectures", "lang": "Languages", "target": "Targets"}
    return names.get(key.lower(), "-".join(word.capitalize() for word in key.split("-")))


def parse_deb822(text: str) -> list[Source]:
    """Sources of the deb822 format (sources.list(5)); a stanza with several addresses gives one source for each."""
    found = []
    for stanza in re.split(r"\n(?:[ \t]*\n)+", text):
        fields = _fields(stanza)
        if "deb" not in fields.get("types", "").split() or fields.get("enabled", "yes").lower() in {"no", "false"}:
            continue
        options = tuple(
            (key.title() if key != "signed-by" else "Signed-By", value)
            for key, value in fields.items()
            if key not in {"types", "uris", "suites", "components", "enabled"} and not key.startswith("x-")
        )
        for uri in fields.get("uris", "").split():
            suites, components = fields.get("suites", "").split(), fields.get("components", "").split()
            found.append(Source(uri, tuple(suites), tuple(components), options))
    return found


def _fields(stanza: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    key = ""
    for line in stanza.splitlines():
        if line.startswith("#"):
            continue
        if line[:1] in {" ", "\t"} and key:
            fields[key] += "\n" + line
            continue
        name, colon, value = line.partition(":")
        if colon:
            key = name.strip().lower()
            fields[key] = value.strip()
    return fields


def main_archive(sources: tuple[Source, ...], codename: str) -> Source | None:
    """The source that carries the distribution itself, whatever its address: the one whose suite is its name."""
    suites = {codename, "stable", "testing", "unstable", "sid"}
    for source in sources:
        if suites & set(source.suites) and "main" in source.components:
            return source
    return None
