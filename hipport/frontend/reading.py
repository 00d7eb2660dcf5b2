"""Trees for a set of units: which headers go into memory for which file, and parses kept by content."""

from __future__ import annotations

import hashlib
import marshal
import os
import tempfile
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport import cachedir
from hipport.frontend import libclang, parse
from hipport.frontend.inclusion import FORCED
from hipport.frontend.tree import EMPTY, Instance, Node, Tree, Variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipport.frontend.text import CodeText

_FORMAT = "8"  # of what the cache holds


def read(
    text: CodeText,
    texts: Mapping[str, CodeText],
    edges: Mapping[str, Mapping[str, str]],
    includer: CodeText | None = None,
    words: tuple[str, ...] = (),
    *,
    system_headers: bool = False,
) -> Tree:
    """The tree of one file; with `includer` as that file's translation unit shows it.

    `edges` maps a file to its include operands and the files of the set that they mean (`FORCED` operands stand in no
    line of it); `words` are those that the main file is compiled with.
    """
    main = includer or text
    reached = _reached(main.path, edges)
    names = dict(zip(reached, parse.short_names(len(reached)), strict=False))
    headers: dict[str, bytes] = {}
    for path, name in names.items():
        answer = {operand: names[target] for operand, target in edges.get(path, {}).items() if target in names}
        headers[name] = parse.prepared(texts[path].data, answer, system_headers=system_headers)
    answer = {operand: names[target] for operand, target in edges.get(main.path, {}).items() if target in names}
    data = parse.prepared(main.data, answer, system_headers=system_headers)
    words = (*words, *(f"-include{name}" for operand, name in answer.items() if operand.startswith(FORCED)))
    focus = names.get(text.path, "") if includer else ""
    if includer and not focus:
        return EMPTY
    return _kept(data, headers, focus, words, system_headers=system_headers)


def _reached(path: str, edges: Mapping[str, Mapping[str, str]]) -> list[str]:
    seen: dict[str, None] = {}
    todo = [path]
    while todo:
        for other in edges.get(todo.pop(), {}).values():
            if other not in seen and other != path:
                seen[other] = None
                todo.append(other)
    return sorted(seen)


def _kept(
    data: bytes, headers: Mapping[str, bytes], focus: str, words: tuple[str, ...], *, system_headers: bool
) -> Tree:
    folder = cachedir.writable()
    if folder is None or libclang.load() is None:
        return parse.parse(data, headers, focus, words, system_headers=system_headers)
    digest = hashlib.sha256(parse.fingerprint(system_headers=system_headers))
    for part in (
        data,
        focus.encode(),
        "\n".join(words).encode(),
        *(piece for n, t in sorted(headers.items()) for piece in (n.encode(), t)),
    ):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    name = digest.hexdigest()
    place = folder / "parses" / name[:2] / name[2:]
    try:
        return _loaded(marshal.loads(place.read_bytes()))  # noqa: S302  plain tuples, from the user's own cache folder
    except (OSError, ValueError, EOFError, TypeError, IndexError):
        tree = parse.parse(data, headers, focus, words, system_headers=system_headers)
        _store(place, tree)
        return tree


def _store(place: Path, tree: Tree) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=".parse-")
        with os.fdopen(handle, "wb") as file:
            file.write(marshal.dumps(_plain(tree)))
        Path(temporary).replace(place)
    except OSError:
        return


def _plain(tree: Tree) -> tuple[Any, ...]:
    bodies = tuple((at, _flat(node)) for at, node in tree.bodies.items())
    parameters = tuple((at, tuple(_flat(n) for n in nodes)) for at, nodes in tree.parameters.items())
    instances = tuple(
        (at, tuple((i.label, tuple(astuple(v) for v in i.variables)) for i in found))
        for at, found in tree.instances.items()
    )
    return _FORMAT, bodies, parameters, tree.problems, tree.shared, instances


def _flat(node: Node) -> tuple[Any, ...]:
    kids = tuple(_flat(kid) for kid in node.kids)
    return node.kind, node.name, node.start, node.end, node.macro, node.type, node.refers, kids


def _loaded(plain: Any) -> Tree:
    form, bodies, parameters, problems, shared, instances = plain
    if form != _FORMAT:
        raise ValueError(form)
    return Tree(
        {at: _node(flat) for at, flat in bodies},
        {at: tuple(_node(flat) for flat in flats) for at, flats in parameters},
        problems,
        shared,
        {
            at: tuple(Instance(label, tuple(Variable(*v) for v in variables)) for label, variables in found)
            for at, found in instances
        },
    )


def _node(flat: Any) -> Node:
    kind, name, start, end, macro, shown, refers, kids = flat
    return Node(kind, name, start, end, macro, shown, refers, tuple([_node(kid) for kid in kids]))
