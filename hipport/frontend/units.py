"""Files -> Units: what the rewrites look at, one for each file, linked by the kernel closures that the set shows."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from hipport.frontend import branches, calls, functions, launches, linking, macros, reading, sides, waits
from hipport.frontend.branches import Side
from hipport.frontend.closure import Mode
from hipport.frontend.inclusion import edges, visible
from hipport.frontend.text import CodeText
from hipport.frontend.unit import Unit, wanted
from hipport.source.filetypes import is_header

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hipport.frontend.calls import CallSite
    from hipport.frontend.macros import Macros
    from hipport.frontend.tree import Tree
    from hipport.frontend.waits import Wait
    from hipport.model import SourceFile

# What moves values between the lanes of a warp, or asks which of them take part.
CROSSING = (
    rb"__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)(?:_sync)?|__match_(?:any|all)_sync|__activemask|__syncwarp"
    rb"|__reduce_(?:add|min|max|and|or|xor)_sync|__uni_sync"
)
_SITES = re.compile(rb"(?<![\w#])(?:" + CROSSING + rb")(?!\w)")
_DECLARED = re.compile(_SITES.pattern + rb"|(?<![\w#])(?:umin|umax|u?ll(?:min|max))(?!\w)")
_MAY_WAIT = re.compile(rb"while|\bdo\b|__syncthreads|bar\.sync|\bsync\s*\(")
_HIP_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"]hip/hip_runtime", re.MULTILINE)
_DEVICE = re.compile(
    rb"(?<!\w)(?:__global__|__device__|\w*HOST_?DEVICE\w*|\w*_DEVICE)(?!\w)|<<<|(?<!\w)(?:thrust|cub)\s*::"
)
_OWN_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_CUT = re.compile(rb"(?:\b(?:unsigned(?:\s+int)?|uint32_t|int|uint)\s+\w+\s*=\s*|__(?:popc|ffs|clz|brev)\s*\(\s*)\Z")


def _type_before(text: CodeText, name: str, at: int) -> str:
    """The type word before the last declaration of a name above an offset; empty if there is none near."""
    if not name.isidentifier():
        return ""
    declared = re.compile(rb"(\w+)\s+" + re.escape(name.encode()) + rb"\s*[,)=;{]")
    found = list(declared.finditer(text.code, max(0, at - 600), at))
    return found[-1].group(1).decode("utf-8", "replace") if found else ""


def _is_ported(text: CodeText, site: CallSite, known: Macros) -> bool:
    """Whether a call has a mask that the author defines for AMD apart, and its result is not cut to 32 bits."""
    if not site.name.endswith("_sync") or not site.arguments:
        return False
    mask = text.word(*site.arguments[0]).rsplit("::", 1)[-1].strip()
    if mask not in known.amd and _type_before(text, mask, site.start) not in known.amd:
        return False
    cut = _CUT.search(text.code, max(0, site.start - 80), site.start) is not None
    return not (site.name == "__ballot_sync" and cut)


def _calls(text: CodeText, known: Macros) -> Iterator[CallSite]:
    """The calls of warp functions, by their names and by macros that are nothing but another name for one."""
    other = {
        name: body for name, body in known.objects.items() if body.startswith("__") and _SITES.fullmatch(body.encode())
    }
    other = {name: body for name, body in other.items() if name not in known.functions | known.amd}
    if not other:
        return calls.find(text, _SITES)
    names = b"|".join(sorted(name.encode() for name in other))
    aliased = re.compile(_SITES.pattern + rb"|(?<![\w#])(?:" + names + rb")(?!\w)")
    return (replace(site, name=other.get(site.name, site.name)) for site in calls.find(text, aliased))


def _part(text: CodeText, known: Macros, own: frozenset[str], mode: Mode) -> Unit:
    branch = branches.read(text)
    devices = tuple(functions.device_functions(text, known))
    shots = tuple(launches.find(text, known))
    uses = [shot.start for shot in shots]
    if known.wave or known.fixed:
        names = sorted(name.encode() for name in known.wave | known.fixed.keys())
        wave = re.compile(rb"(?<!\w)(?:" + b"|".join(names) + rb")(?!\w)")
        uses += [m.start() for m in wave.finditer(text.code)]
    hosts = tuple(functions.host_functions(text, devices, uses))
    ported = text.path.endswith(".hip") or any(
        branch.at(m.start()) is Side.BOTH for m in _HIP_INCLUDE.finditer(text.data)
    )
    sites: tuple[CallSite, ...] = ()
    if not ported:
        every = (s for s in _calls(text, known) if branch.at(s.start) is Side.BOTH)
        hidden = known.functions - known.older
        sites = tuple(s for s in every if s.name not in hidden and not _is_ported(text, s, known))
    return Unit(text, branch, known, sites, devices, hosts, shots, (), own, mode, ported)


def around(files: Sequence[SourceFile], path: str) -> list[SourceFile]:
    """Of a file set the file at `path` with what it includes, what includes it, and what that includes."""
    texts = [CodeText.of(file.path, file.data) for file in files]
    seen_from = visible(edges(texts))
    near = {path, *seen_from.get(path, ())}
    for other in [p for p, seen in seen_from.items() if path in seen]:
        near |= {other, *seen_from[other]}
    return [file for file in files if file.path in near]


def read(
    files: Iterable[SourceFile],
    mode: Mode = Mode.SUBWARP,
    *,
    parse: bool = True,
    commands: Mapping[str, tuple[str, ...]] | None = None,
    system_headers: bool = False,
) -> dict[str, Unit]:
    """The units of a file set by path; files without device code, launches and warp words are left out.

    `commands` are the words that files are compiled with, by path (compiledb.read). `system_headers`: the system's C++
    headers are read in place of stubs.

    Without `parse`, or without libclang, only what text tells is there.
    """
    texts = {file.path: CodeText.of(file.path, file.data) for file in files}
    included = edges(list(texts.values()), commands)
    seen_from = visible(included)
    parts: list[Unit] = []
    for text in texts.values():
        if not wanted(text.data):
            continue
        seen = [text, *(texts[p] for p in sorted(seen_from[text.path]))]
        own = frozenset[str]().union(*(calls.declared(t, _DECLARED) for t in seen))
        parts.append(_part(text, macros.read(seen), own, mode))
    if parse:
        parts = [_seen(unit, texts, included, commands or {}, system_headers=system_headers) for unit in parts]
    host = _host_alone(texts, included)
    parts = [replace(unit, host_alone=unit.path in host) for unit in parts]
    grouped = linking.closures(parts, seen_from, mode)
    return {unit.path: unit.linked(grouped.get(unit.path, ())) for unit in parts}


def _host_alone(texts: Mapping[str, CodeText], included: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
    """The files of sources without device code in them and in their headers, all of which are in the set."""
    seen_from = visible(included)
    device = {
        path
        for path, text in texts.items()
        if _DEVICE.search(text.code)
        or any(m.group(1).decode("utf-8", "replace") not in included[path] for m in _OWN_INCLUDE.finditer(text.data))
    }
    sets = [{path, *seen_from[path]} for path in texts if not is_header(path)]
    mixed = set[str]().union(*(one for one in sets if one & device))
    return frozenset(set[str]().union(*sets) - mixed)


def _seen(
    unit: Unit,
    texts: Mapping[str, CodeText],
    included: Mapping[str, Mapping[str, str]],
    commands: Mapping[str, tuple[str, ...]],
    *,
    system_headers: bool,
) -> Unit:
    """The unit with what clang sees of it: on its own, or where that is not whole, through a file that includes it."""
    if not unit.functions or unit.native:
        return unit
    see = functools.partial(reading.read, system_headers=system_headers)
    through, words = None, commands.get(unit.path, ())
    tree = see(unit.text, texts, included, words=words)
    bodies = [(f.body, f.end) for f in unit.functions]
    if not all(body in tree.bodies and tree.whole(body, end) for body, end in bodies):
        for path in sorted(p for p, found in included.items() if unit.path in found.values())[:2]:
            other = see(unit.text, texts, included, texts[path], commands.get(path, ()))
            if _whole(other, bodies) > _whole(tree, bodies):
                tree, through, words = other, texts[path], commands.get(path, ())
    for data, differing in sides.variants(unit.text, unit.branches, unit.functions, tree):
        variant = CodeText.of(unit.path, data)
        tree = sides.joined(tree, see(variant, {**texts, unit.path: variant}, included, through, words), differing)
    found: list[Wait] = []
    for function in unit.functions:
        body = tree.bodies.get(function.body)
        if body is not None and _MAY_WAIT.search(unit.text.code, function.body, function.end):
            found += waits.find(body, tree.parameters[function.body], unit.macros, unit.text.data)
    return replace(unit, tree=tree, waits=tuple(sorted(dict.fromkeys(found), key=attrgetter("start"))))


def _whole(tree: Tree, bodies: list[tuple[int, int]]) -> int:
    return sum(body in tree.bodies and tree.whole(body, end) for body, end in bodies)
