"""[tool.hipport] of pyproject.toml, or hipport.toml -> a frozen Config."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from hipport.errors import DataError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


class Style(str, Enum):
    """`hip`: HIP sources; `dual`: one source for both vendors."""

    HIP = "hip"
    DUAL = "dual"


class WarpMode(str, Enum):
    """`subwarp`: 32-lane logical warps on a 64-lane wave; `native`: the wave's own width."""

    SUBWARP = "subwarp"
    NATIVE = "native"


class Launch(str, Enum):
    """`keep`: `<<<>>>` stays; `ggl`: hipLaunchKernelGGL."""

    KEEP = "keep"
    GGL = "ggl"


class Stage(str, Enum):
    """What a port does: `--only` chooses."""

    RENAME = "rename"
    BUILD = "build"
    REWRITE = "rewrite"
    SHIM = "shim"


@dataclass(frozen=True, slots=True)
class Config:
    """Everything a port is told, after files and options are merged; options win."""

    targets: tuple[str, ...] = ("gfx942", "gfx950")
    rocm: str = "7.2"
    torch: str = "2.13"
    style: Style = Style.HIP
    warp: WarpMode = WarpMode.SUBWARP
    launch: Launch = Launch.KEEP
    optimize: bool = False
    only: tuple[Stage, ...] = tuple(Stage)
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    jobs: int = 0
    vendored: bool = False
    system_headers: bool = False


# Tables of [tool.hipport] that others read: the user's rules, the settings of `hipport check` and `report`, devices.
OTHER_KEYS = frozenset({"rules", "check", "report", "device"})


def load(start: Path) -> Config:
    """The settings that hold for the file or folder `start`: those of the nearest configuration file, or the defaults.

    Raises:
        DataError: the file is no TOML, or a key or value in it is unknown; with file and line.
    """
    path = find(start)
    return Config() if path is None else read(path)


def find(start: Path) -> Path | None:
    """The nearest `hipport.toml`, or `pyproject.toml` with a [tool.hipport], at or above `start` in its work tree."""
    start = start.resolve()
    folder = start if start.is_dir() else start.parent
    for candidate in (folder, *folder.parents):
        own = candidate / "hipport.toml"
        if own.is_file():
            return own
        project = candidate / "pyproject.toml"
        if project.is_file() and b"tool.hipport" in project.read_bytes():
            return project
        if (candidate / ".git").exists():
            return None
    return None


def read(path: Path) -> Config:
    """The settings of one configuration file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read: {error}", where=str(path)) from None
    table = parsed(text, path)
    if path.name == "pyproject.toml":
        table = table.get("tool", {}).get("hipport", {})
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key in OTHER_KEYS:
            continue
        if key not in OPTIONS:
            known = ", ".join(sorted(OPTIONS))
            raise DataError(f"unknown key `{key}`", where=_where(path, text, key), next_step=f"the keys are {known}")
        try:
            values.update(option(key, value))
        except UsageError as error:
            raise DataError(error.what, where=_where(path, text, key), next_step=error.next_step) from None
    return replace(Config(), **values)


def parsed(text: str, path: Path) -> dict[str, Any]:
    """TOML as a dict; a syntax error names file and line."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:  # pragma: no cover
        import tomli as tomllib  # type: ignore[import-not-found,unused-ignore]
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        where = f"{path}:{line.group(1)}" if line else str(path)
        raise DataError(f"no valid TOML: {error}", where=where) from None
    return table


def merged(config: Config, options: Mapping[str, object]) -> Config:
    """`config` with the options that were given on the command line (None: not given), which win.

    Raises:
        UsageError: a value that does not fit.
    """
    values: dict[str, Any] = {}
    for key, value in options.items():
        if value is not None:
            values.update(option(key, value))
    return replace(config, **values)


def option(key: str, value: object) -> dict[str, object]:
    """One setting by its public name -> the field of Config, checked."""
    field, check = OPTIONS[key]
    return {field: check(key, value)}


def _where(path: Path, text: str, key: str) -> str:
    """`file:line` of a key; in pyproject.toml below [tool.hipport]."""
    lines = text.splitlines()
    start = next((n for n, line in enumerate(lines) if line.strip().startswith("[tool.hipport")), 0)
    wanted = re.compile(rf"""\s*(?:\[[\w.]*\b)?["']?{re.escape(key)}["']?\s*[\].=]""")
    line = next((n for n in range(start, len(lines)) if wanted.match(lines[n])), start)
    return f"{path}:{line + 1}"


def _words(key: str, value: object) -> tuple[str, ...]:
    """A list of words, or one text of words with commas between."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, (list, tuple)) or not all(isinstance(part, str) for part in parts):
        raise UsageError(f"`{key}` is a list of words")
    words = tuple(word for part in parts if (word := part.strip()))
    return tuple(dict.fromkeys(words))


def _targets(key: str, value: object) -> tuple[str, ...]:
    words = _words(key, value)
    for word in words:
        if not re.fullmatch(r"gfx[0-9a-f]{3,4}|gfx[0-9]+(-[0-9]+)?-generic", word):
            raise UsageError(
                f"`{word}` is no AMD target", next_step="write targets like gfx942,gfx950; see `hipport targets`"
            )
    if not words:
        raise UsageError(f"`{key}` names no target")
    return words


def _torch(key: str, value: object) -> str:
    """`2.10.0`, or torch.__version__: `2.10.0+rocm7.0`; the minor number must be there, it chooses names."""
    text = value.partition("+")[0] if isinstance(value, str) else ""
    if not re.fullmatch(r"\d+(\.\d+){1,2}", text):
        raise UsageError(f"`{key}` is a version of PyTorch, not `{value}`", next_step=f'write it like {key} = "2.13"')
    return text


def _version(key: str, value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"\d+(\.\d+){0,2}", value):
        raise UsageError(f"`{key}` is a version, not `{value}`", next_step=f'write it like {key} = "7.2"')
    return value


def _flag(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise UsageError(f"`{key}` is true or false")
    return value


def _count(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise UsageError(f"`{key}` is a number of processes, or 0 for one a core")
    return value


def _choice(kind: type[Enum]) -> Callable[[str, object], Enum]:
    def check(key: str, value: object) -> Enum:
        try:
            return kind(value)
        except ValueError:
            raise UsageError(f"`{key}` is one of {', '.join(m.value for m in kind)}, not `{value}`") from None

    return check


def _stages(key: str, value: object) -> tuple[Enum, ...]:
    check = _choice(Stage)
    return tuple(check(key, word) for word in _words(key, value))


OPTIONS: Mapping[str, tuple[str, Callable[[str, Any], Any]]] = {
    "target": ("targets", _targets),
    "rocm": ("rocm", _version),
    "torch": ("torch", _torch),
    "style": ("style", _choice(Style)),
    "warp": ("warp", _choice(WarpMode)),
    "launch": ("launch", _choice(Launch)),
    "optimize": ("optimize", _flag),
    "only": ("only", _stages),
    "select": ("select", _words),
    "ignore": ("ignore", _words),
    "jobs": ("jobs", _count),
    "vendored": ("vendored", _flag),
    "system_headers": ("system_headers", _flag),
}
