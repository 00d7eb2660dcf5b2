"""Extension builds in Python (setup.py, load, load_inline): the CUDA path stays, a branch on HIP gets its own lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from hipport.buildfiles import flags, python_cuda_home, python_lists
from hipport.buildfiles.findings import edited, left
from hipport.buildfiles.locations import Sources
from hipport.buildfiles.python_source import PythonSource, call_name, string_value
from hipport.config import Config, Style
from hipport.model import Edit, Finding, Safety, SourceFile, Span, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_HIP = "torch.version.hip"
_WIDTH = 100


def find(source: SourceFile, config: Config, renamed: Mapping[str, str]) -> Iterator[Finding]:
    """The findings of a file that builds an extension."""
    try:
        py = PythonSource(source.path, source.data)
    except cst.ParserSyntaxError as error:
        yield _unparsed(source, f"line {error.raw_line} is no Python 3")
        return
    except RecursionError:
        yield _unparsed(source, "its expressions nest too deep")
        return
    yield from _Extension(py, config, Sources(renamed, source.path)).findings()


def _unparsed(source: SourceFile, why: str) -> Finding:
    return Finding(
        rule="build-unparsed",
        span=Span(source.path, 0, 0),
        message=f"this build file was not read: {why}",
        safety=Safety.MANUAL,
        status=Status.UNPARSED,
        family="build",
        next_step="port its options and libraries by hand",
    )


class _Extension:
    """The findings of one file."""

    def __init__(self, py: PythonSource, config: Config, sources: Sources) -> None:
        self.py = py
        self.sources = sources
        self.renames = config.style is Style.HIP
        self.names = python_lists.nvcc_names(py)
        self._done: list[Span] = []  # what an edit covers already

    def findings(self) -> Iterator[Finding]:
        yield from python_cuda_home.find(self.py)
        for node in self.py.nodes():
            if isinstance(node, (cst.List, cst.Tuple)):
                yield from self._list(node)
            elif isinstance(node, cst.Call):
                yield from self._call(node)
            elif isinstance(node, (cst.SimpleString, cst.FormattedString)):
                yield from self._string(node)

    def _covered(self, node: cst.CSTNode) -> bool:
        span = self.py.span(node)
        return any(d.start <= span.start and span.end <= d.end for d in self._done)

    def _list(self, node: cst.List | cst.Tuple) -> Iterator[Finding]:
        if self._covered(node):
            return
        if isinstance(node, cst.Tuple) and not isinstance(self.py.parent(node), (cst.Arg, cst.AugAssign)):
            return
        new = python_lists.new_flags(self.py, node, mine=python_lists.owned(self.py, node, self.names))
        if new is None and self._is_libraries(node):
            new = python_lists.new_libraries(self.py, node)
        plain = new is None and self.renames and python_lists.is_plain(self.py, node)
        edits = list(python_lists.source_edits(self.py, node, self.sources)) if plain else []
        if (new is None and not edits) or self._left_alone(node):
            return
        if new is None:
            yield from self._branch(node, self._renamed(node, edits), "its `.cu` sources are ported to `.hip`", None)
            return
        for message, step in new.left:
            yield left(new.rule, self.py.span(node), message, step)
        if new.changed:
            yield from self._branch(node, self._rebuilt(node, new.elements), "; ".join(new.messages), new)

    def _left_alone(self, node: cst.CSTNode) -> bool:
        """Whether a condition on HIP decides about the list already, here or in the statement after it."""
        if self._followed(node):
            self._done.append(self.py.span(node))
            return True
        return self.py.guarded(node) or self._only_for_cuda(node)

    def _is_libraries(self, node: cst.CSTNode) -> bool:
        parent = self.py.parent(node)
        if isinstance(parent, cst.Arg) and parent.keyword is not None:
            return parent.keyword.value in {"libraries", "dlink_libraries"}
        if isinstance(parent, (cst.Assign, cst.AugAssign)):
            text = self.py.source(parent).split("=")[0]
            return re.search(r"\blibrar|\blibs\b|_libs\b", text) is not None
        return False

    def _followed(self, node: cst.CSTNode) -> bool:
        """Whether the next statement is a branch on HIP that sets the same variable (a second run finds its own)."""
        statement = self.py.statement(node)
        block = self.py.parent(statement) if statement else None
        if statement is None or not isinstance(block, (cst.Module, cst.IndentedBlock)):
            return False
        small = statement.body[0]
        if not isinstance(small, cst.Assign):
            return False
        target = self.py.source(small.targets[0].target)
        body = list(block.body)
        index = body.index(statement)
        after = body[index + 1] if index + 1 < len(body) else None
        if not isinstance(after, cst.If) or _HIP not in self.py.source(after.test):
            return False
        return any(re.match(rf"\s*{re.escape(target)}\s*=", self.py.source(s)) for s in after.body.body)

    def _only_for_cuda(self, node: cst.CSTNode) -> bool:
        """Whether a list's variable is read under conditions on HIP alone, which keep it from ROCm already."""
        statement = self.py.statement(node)
        small = statement.body[0] if statement else None
        if not isinstance(small, cst.Assign) or not isinstance(small.targets[0].target, cst.Name):
            return False
        target = small.targets[0].target
        uses = [n for n in self.py.nodes() if isinstance(n, cst.Name) and n.value == target.value and n is not target]
        return bool(uses) and all(self.py.guarded(use) for use in uses)

    def _rebuilt(self, node: cst.List | cst.Tuple, parts: Sequence[str]) -> str:
        line = ", ".join(parts)
        start = self.py.span(node).start
        column = start - self.py.text.rfind("\n", 0, start)
        if len(line) + column < _WIDTH and "\n" not in line:
            return f"[{line}]"
        pad, end = self.py.indent(node), self.py.newline()
        return f"[{end}" + "".join(f"{pad}    {part},{end}" for part in parts) + f"{pad}]"

    def _renamed(self, node: cst.CSTNode, edits: Sequence[tuple[int, int, str]]) -> str:
        span = self.py.span(node)
        out, at = [], span.start
        for start, end, text in edits:
            out += [self.py.text[at:start], text]
            at = end
        return "".join((*out, self.py.text[at : span.end]))

    def _branch(
        self, node: cst.BaseExpression, new: str, message: str, about: python_lists.NewList | None
    ) -> Iterator[Finding]:
        """The old expression for CUDA, the new one for HIP: after an assignment as a statement, else in place."""
        span = self.py.span(node)
        rule = about.rule if about else "build-source"
        review = about is not None and about.safety is Safety.REVIEW
        bound, place = self.py.torch_import(node)
        self._done.append(span)
        if not bound and place is None:
            step = f"import torch there and branch on {_HIP}: {' '.join(new.split())}"
            yield left(rule, span, f"needs another value on ROCm, and torch is not imported here: {message}", step)
            return
        statement = self.py.statement(node)
        small = statement.body[0] if statement else None
        if isinstance(small, cst.Assign) and small.value is node and len(small.targets) == 1:
            target = self.py.source(small.targets[0].target)
            finding = edited(rule, *self._after(small, target, new), message, review=review)._replace(span=span)
        else:
            text = f"{new} if {_HIP} else {self.py.source(node)}"
            finding = edited(rule, span, text if self._open(node) else f"({text})", message, review=review)
        yield self._with_import(finding, place)

    def _after(self, small: cst.Assign, target: str, new: str) -> tuple[Span, str]:
        """The line after an assignment, and the statement that sets the variable again on HIP."""
        end, pad = self.py.newline(), self.py.indent(small)
        stop = self.py.text.find("\n", self.py.span(small).end) + 1 or len(self.py.text)
        lead = "" if self.py.text[stop - 1] == "\n" else end
        deeper = new.replace("\n", "\n    ")
        body = f"{lead}{pad}if {_HIP}:{end}{pad}    {target} = {deeper}{end}"
        return Span(self.py.path, stop, stop), body

    def _open(self, node: cst.CSTNode) -> bool:
        """Whether a conditional expression may stand there without parentheses."""
        parent = self.py.parent(node)
        if isinstance(parent, cst.Arg):
            return parent.star == ""
        return isinstance(parent, (cst.DictElement, cst.AugAssign, cst.Return, cst.Assign))

    def _with_import(self, finding: Finding, place: Span | None) -> Finding:
        if place is None:
            return finding
        start = self.py.text.rfind("\n", 0, place.start) + 1
        pad = self.py.text[start : place.start]
        text = f"{pad}import torch{self.py.newline()}".encode("latin-1")
        return finding._replace(edits=(Edit(Span(self.py.path, start, start), text), *finding.edits))

    def _call(self, node: cst.Call) -> Iterator[Finding]:
        name = call_name(node)
        if name == "append" and len(node.args) == 1:
            yield from self._append(node)
        if name == "load_inline" and not self.py.guarded(node):
            for arg in node.args:
                if arg.keyword is not None and arg.keyword.value == "cuda_sources":
                    message = "kernel source in a Python string: torch's hipify renames it at run time, nothing more"
                    step = "move it to a .cu file, so that its warp code is ported too"
                    yield left("torch-inline-source", self.py.span(arg), message, step)

    def _append(self, node: cst.Call) -> Iterator[Finding]:
        """`flags.append("--use_fast_math")`: nothing of it, or other words, on ROCm."""
        value = node.args[0].value
        text = string_value(value)
        statement = self.py.statement(node)
        if text is None or statement is None or not isinstance(statement.body[0], cst.Expr):
            return
        mine = python_lists.owned(self.py, value, self.names)
        words = text.split() if text.startswith("-") else [text]
        changes = list(flags.translate(words, targets=(), owned=mine, keep_arch=False))
        bare = re.match(r"arch=(?:compute|sm)", text) is not None  # the value of a -gencode appended before
        if not (changes or bare) or self.py.guarded(node):
            return
        for change in changes:
            if change.safety is Safety.MANUAL:
                yield left("build-flag", self.py.span(value), change.message, change.next_step)
                return
        message = "; ".join(c.message for c in changes) or f"`{text}` names NVIDIA architectures"
        bound, place = self.py.torch_import(node)
        if not bound and place is None:
            yield left("build-flag", self.py.span(node), message, f"import torch there and branch on {_HIP}")
            return
        new = [] if bare else flags.replaced(words, changes)
        review = any(c.safety is Safety.REVIEW for c in changes)
        finding = edited("build-flag", *self._two_ways(statement, node, new), message, review=review)
        yield self._with_import(finding, place)

    def _two_ways(self, statement: cst.SimpleStatementLine, node: cst.Call, new: Sequence[str]) -> tuple[Span, str]:
        """A statement that appends, behind a condition on HIP."""
        span = self.py.span(statement.body[0])
        self._done.append(span)
        end, pad = self.py.newline(), self.py.indent(node)
        old = self.py.text[span.start : span.end].replace("\n", "\n    ")
        if not new:
            return span, f"if not {_HIP}:{end}{pad}    {old}"
        receiver = self.py.source(node.func.value) if isinstance(node.func, cst.Attribute) else ""
        words = ", ".join(f'"{word}"' for word in new)
        hip = f"if {_HIP}:{end}{pad}    {receiver}.extend([{words}]){end}"
        return span, f"{hip}{pad}else:{end}{pad}    {old}"

    def _string(self, node: cst.SimpleString | cst.FormattedString) -> Iterator[Finding]:
        text = string_value(node) or ""
        if text.endswith(".cu"):
            yield from self._source_string(node)
        elif re.fullmatch(r"(?:.*/)?nvcc", text) and self._asks(node) and not self.py.guarded(node):
            step = "ask hipcc, or leave the value out on ROCm"
            message = "this runs nvcc, which is not there on an AMD machine"
            yield left("build-compiler", self.py.span(node), message, step)
        elif " " in text and text.startswith("-") and not isinstance(self.py.parent(node), cst.Element):
            used = flags.uses(text.split(), owned=False)
            if any(u.option.action not in {"library", "define"} for u in used) and not self._spoken_for(node):
                step = "`hipport explain -- OPTION` says what each option becomes"
                yield left("build-flag", self.py.span(node), f"options of nvcc in one string: `{text[:60]}`", step)

    def _spoken_for(self, node: cst.CSTNode) -> bool:
        return self._covered(node) or self.py.guarded(node)

    def _asks(self, node: cst.CSTNode) -> bool:
        """Whether a string is (part of) a command or a path, not a key."""
        if isinstance(self.py.parent(node), cst.Element):
            return True
        arg = self.py.parent(node)
        call = self.py.parent(arg) if isinstance(arg, cst.Arg) else None
        return call_name(call) in {"join", "which", "check_output", "run", "call", "Popen", "check_call", "system"}

    def _source_string(self, node: cst.SimpleString | cst.FormattedString) -> Iterator[Finding]:
        if not self.renames or isinstance(self.py.parent(node), (cst.Expr, cst.ConcatenatedString, cst.Index)):
            return
        edits = list(python_lists.source_edits(self.py, node, self.sources))
        if edits and not self._spoken_for(node):
            yield from self._branch(node, self._renamed(node, edits), "`.cu` sources are ported to `.hip`", None)
