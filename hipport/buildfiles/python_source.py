"""A Python file with the places of its nodes, what is said under a condition on HIP, and where torch is imported."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper, ParentNodeProvider

from hipport.buildfiles.python_hip import HIP_WORDS
from hipport.model import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_KINDS = (
    *(cst.List, cst.Tuple, cst.Call, cst.SimpleString, cst.FormattedString, cst.FormattedStringText, cst.Name),
    *(cst.DictElement, cst.Arg, cst.Assign, cst.AugAssign),
)
_BOM = b"\xef\xbb\xbf"


class PythonSource:
    """A parsed file. `text` is its Latin-1 view, so that places are bytes.

    Raises:
        libcst.ParserSyntaxError: the file is no Python that libcst reads.
    """

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.text = data.decode("latin-1")
        body = data.removeprefix(_BOM)
        self._shift = len(data) - len(body)
        try:
            decoded = body.decode("utf-8")
        except UnicodeDecodeError:
            decoded = bytes(b if b < 0x80 else 0x3F for b in body).decode("ascii")
        wrapper = MetadataWrapper(cst.parse_module(decoded), unsafe_skip_copy=True)
        self.module = wrapper.module
        self._spans = wrapper.resolve(ByteSpanPositionProvider)
        self._parents = wrapper.resolve(ParentNodeProvider)
        kept = [(p.start, -p.length, i, n) for i, (n, p) in enumerate(self._spans.items()) if isinstance(n, _KINDS)]
        self._nodes = [n for *_, n in sorted(kept, key=lambda k: (k[0], k[1], -k[2]))]

    def span(self, node: cst.CSTNode) -> Span:
        """The node's bytes, without the blanks around it."""
        place = self._spans[node]
        return Span(self.path, place.start + self._shift, place.start + place.length + self._shift)

    def source(self, node: cst.CSTNode) -> str:
        """The node as it is written."""
        span = self.span(node)
        return self.text[span.start : span.end]

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that holds this one."""
        return self._parents.get(node)

    def parents(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes that hold this one, from the inside out."""
        at = self.parent(node)
        while at is not None:
            yield at
            at = self.parent(at)

    def nodes(self) -> Sequence[cst.CSTNode]:
        """The nodes that build files are about, in the order of the text, outer ones first."""
        return self._nodes

    def inside(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """Those of `nodes` that a node holds."""
        outer = self._spans[node]
        stop = outer.start + outer.length
        first = bisect_left(self._nodes, outer.start, key=lambda n: self._spans[n].start)
        for at in self._nodes[first:]:
            place = self._spans[at]
            if place.start >= stop:
                return
            if at is not node and place.start + place.length <= stop and place.length <= outer.length:
                yield at

    def statement(self, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
        """The line of simple statements that holds a node, if it holds nothing else."""
        for parent in self.parents(node):
            if isinstance(parent, cst.SimpleStatementLine):
                return parent if len(parent.body) == 1 else None
            if isinstance(parent, cst.BaseCompoundStatement):
                return None
        return None

    def guarded(self, node: cst.CSTNode) -> bool:
        """Whether a condition on HIP decides about the node already: an if, a conditional expression, and, or."""
        below: cst.CSTNode = node
        for parent in self.parents(node):
            if self._asks_hip(parent, below):
                return True
            if isinstance(parent, cst.IndentedBlock) and self._returned_before(parent, below):
                return True
            below = parent
        return False

    def _asks_hip(self, parent: cst.CSTNode, below: cst.CSTNode) -> bool:
        """Whether a node's parent is a condition on HIP that the node itself is not part of."""
        if isinstance(parent, (cst.If, cst.IfExp)):
            return below is not parent.test and HIP_WORDS.search(self.source(parent.test)) is not None
        if isinstance(parent, cst.BooleanOperation):
            return HIP_WORDS.search(self.source(parent)) is not None
        return isinstance(parent, cst.Else) and HIP_WORDS.search(self._conditions(parent)) is not None

    def _conditions(self, node: cst.Else) -> str:
        above = self.parent(node)
        return self.source(above.test) if isinstance(above, (cst.If, cst.While)) else ""

    def _returned_before(self, block: cst.IndentedBlock, below: cst.CSTNode) -> bool:
        """Whether `if <HIP>: return` (or raise, continue) stands before the statement in its block."""
        for statement in block.body:
            if statement is below:
                return False
            if isinstance(statement, cst.If) and HIP_WORDS.search(self.source(statement.test)):
                last = statement.body.body[-1]
                if isinstance(last, cst.SimpleStatementLine) and isinstance(
                    last.body[-1], (cst.Return, cst.Raise, cst.Continue)
                ):
                    return True
        return False

    def indent(self, node: cst.CSTNode) -> str:
        """The blanks before the line that a node starts on."""
        start = self.span(node).start
        line = self.text.rfind("\n", 0, start) + 1
        return re.match(r"[ \t]*", self.text[line:start])[0]  # type: ignore[index]  # an empty match is a match

    def newline(self) -> str:
        """The file's line end."""
        return "\r\n" if "\r\n" in self.text[:4096] else "\n"

    def torch_import(self, node: cst.CSTNode) -> tuple[bool, Span | None]:
        """Whether `torch` is bound where a node stands, and if not the place for `import torch`, if there is one."""
        here = self.span(node).start
        for scope in self.parents(node):
            if not isinstance(scope, (cst.FunctionDef, cst.Module)):
                continue
            body = scope.body.body if isinstance(scope, cst.FunctionDef) else scope.body
            smalls = [(s, small) for s in body if isinstance(s, cst.SimpleStatementLine) for small in s.body]
            if any(binds_torch(small) for s, small in smalls if self.span(s).start <= here):
                return True, None
            place = next((s for s, small in smalls if _from_torch(small) and self.span(s).start <= here), None)
            if place is None and isinstance(scope, cst.FunctionDef) and self._binds_later(scope):
                place = next((s for s, small in smalls if not _is_docstring(small)), None)
                if place is None or self.span(place).start > here:
                    return False, None
            if place is not None:
                start = self.span(place).start
                return False, Span(self.path, start, start)
        return False, None

    def _binds_later(self, scope: cst.FunctionDef) -> bool:
        """Whether a function imports torch somewhere, which makes the name its own from its first line on."""
        return re.search(r"^\s*import torch\b(?!\s+as)", self.source(scope), re.MULTILINE) is not None


def _is_docstring(small: cst.CSTNode) -> bool:
    return isinstance(small, cst.Expr) and isinstance(small.value, (cst.SimpleString, cst.ConcatenatedString))


def binds_torch(small: cst.CSTNode) -> bool:
    """`import torch` or `import torch.x`."""
    if not isinstance(small, cst.Import):
        return False
    return any(dotted(alias.name).split(".")[0] == "torch" and alias.asname is None for alias in small.names) or any(
        dotted(alias.name) == "torch" and alias.asname and dotted(alias.asname.name) == "torch" for alias in small.names
    )


def _from_torch(small: cst.CSTNode) -> bool:
    if isinstance(small, cst.ImportFrom) and small.module is not None and not small.relative:
        return dotted(small.module).split(".")[0] == "torch"
    return isinstance(small, cst.Import) and any(dotted(a.name).split(".")[0] == "torch" for a in small.names)


def dotted(node: cst.CSTNode | None) -> str:
    """`a.b.c` of names and attributes; empty for anything else."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        left = dotted(node.value)
        return f"{left}.{node.attr.value}" if left else ""
    return ""


def string_value(node: cst.CSTNode) -> str | None:
    """A string's value; each expression of an f-string and each other operand counts as `$x`. None for no string."""
    if isinstance(node, cst.SimpleString):
        value = node.evaluated_value
        return value if isinstance(value, str) else None
    if isinstance(node, cst.FormattedString):
        return "".join(p.value if isinstance(p, cst.FormattedStringText) else "$x" for p in node.parts)
    if isinstance(node, cst.ConcatenatedString):
        left, right = string_value(node.left), string_value(node.right)
        return None if left is None or right is None else left + right
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Add, cst.Modulo)):
        left = string_value(node.left)
        if left is not None and isinstance(node.operator, cst.Modulo):
            return re.sub(r"%[sdr]|%\(\w+\)[sd]", "$x", left)
        right = string_value(node.right)
        if left is None and right is None:
            return None
        return (left or "$x") + (right or "$x")
    return None


def call_name(node: cst.CSTNode | None) -> str:
    """The last name of what a call calls."""
    if not isinstance(node, cst.Call):
        return ""
    return dotted(node.func).rsplit(".", 1)[-1] or (
        node.func.attr.value if isinstance(node.func, cst.Attribute) else ""
    )
