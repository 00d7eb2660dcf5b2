"""Both vendors in one source: each compiler sees its own text, whatever the edits touch."""

from __future__ import annotations

import random
import re

import pytest

from hipport.config import Style
from hipport.model import Edit, Finding, Safety, Span, Status
from hipport.porting.dual import AMD
from hipport.porting.render import renderer
from hipport.source import edits


def dual(data: bytes, changes: list[tuple[bytes, bytes]]) -> tuple[bytes, bytes]:
    """The file in both styles after replacing each (unique) old text by the new one."""
    made = []
    for old, new in changes:
        assert data.count(old) == 1, old
        span = Span("k.cu", data.index(old), data.index(old) + len(old))
        made.append(Finding("r", span, "m", Safety.SAFE, Status.REWRITTEN, "warp", edits=(Edit(span, new),)))
    return edits.apply(data, made, renderer(Style.DUAL)).result, edits.apply(data, made).result


def seen(data: bytes, *, amd: bool) -> bytes:
    """What a compiler of one vendor sees, our own guards resolved and nothing else."""
    out: list[bytes] = []
    stack: list[bool | None] = []
    for line in data.splitlines(keepends=True):
        word = re.match(rb"\s*#\s*(if|ifdef|ifndef|else|elif|endif)\b", line)
        ours = line.startswith(b"#if defined(__HIP_PLATFORM_AMD__)")
        if word is None:
            if all(state is not False for state in stack):
                out.append(line)
            continue
        if word[1].startswith(b"if"):
            stack.append(amd if ours else None)
        elif word[1] == b"endif" and stack.pop() is not None:
            continue
        elif word[1] == b"else" and stack[-1] is not None:
            stack[-1] = not stack[-1]
            continue
        if not ours and all(state is not False for state in stack):
            out.append(line)
    assert not stack
    return b"".join(out)


def test_a_line_stands_twice() -> None:
    data = b"int a;\nm = __ballot_sync(f, p);\nint b;\n"
    both, hip = dual(data, [(b"__ballot_sync(f, p)", b"__ballot(p)")])
    lines = (b"int a;", AMD, b"m = __ballot(p);", b"#else", b"m = __ballot_sync(f, p);", b"#endif", b"int b;", b"")
    assert both == b"\n".join(lines)
    assert seen(both, amd=True) == hip
    assert seen(both, amd=False) == data


@pytest.mark.parametrize(
    "data",
    [
        b"f(a,\n  OLD,\n  b);\nint x;\n",
        b"#define M(x) \\\n  g(x); \\\n  OLD(x)\nint x;\n",
        b"#if A\nf(OLD,\n#else\nf(b,\n#endif\n  c);\nint x;\n",
        b"/* (( */ f(OLD); /* two\nlines */ int y;\nint x;\n",
        b"int a; // OL\\\nD\nf(OLD)\n",
        b"x[OLD\n] = 1;",
        b"OLD",
        b"int a;\r\nf(OLD);\r\nint b;\r\n",
        b"#ifdef X\nOLD\n#endif\n",
    ],
)
def test_each_side_sees_its_own(data: bytes) -> None:
    both, hip = dual(data, [(b"OLD", b"NEW(1)")])
    ended = data if data.endswith(b"\n") else data + b"\n"
    assert seen(both, amd=False) == ended
    assert seen(both, amd=True) == (hip if hip.endswith(b"\n") else hip + b"\n")


def test_an_inserted_line_has_no_other_side() -> None:
    data = b"#pragma once\nint a;\n"
    span = Span("k.h", 13, 13)
    finding = Finding("r", span, "m", Safety.SAFE, Status.SHIMMED, "warp", edits=(Edit(span, b"#include <x>\n"),))
    both = edits.apply(data, [finding], renderer(Style.DUAL)).result
    assert both == b"#pragma once\n#if defined(__HIP_PLATFORM_AMD__)\n#include <x>\n#endif\nint a;\n"


def test_neighbours_share_one_block() -> None:
    both, _ = dual(b"a(OLD1);\nb(OLD2);\nc;\nd(OLD3);\n", [(b"OLD1", b"1"), (b"OLD2", b"2"), (b"OLD3", b"3")])
    assert both.count(b"#if defined(__HIP_PLATFORM_AMD__)") == 2


@pytest.mark.parametrize("seed", range(60))
def test_random_code(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  made-up code
    pieces = (
        b"f(",
        b")",
        b"\n",
        b"\n",
        b"// c\n",
        b"/* \n */",
        b"#if X\n",
        b"#else\n",
        b"#endif\n",
        b"x;\n",
        b"[",
        b"]",
    )
    text, depth, number = b"", 0, 0
    for _ in range(60):
        piece = chance.choice(pieces)
        if piece.startswith(b"#"):
            text += b"" if text.endswith(b"\n") or not text else b"\n"
            if piece != b"#if X\n" and depth == 0:
                continue
            depth += {b"#if X\n": 1, b"#endif\n": -1}.get(piece, 0)
        text += piece
        if chance.random() < 0.2:
            text += b" N%d_ " % number
            number += 1
    text += b"\n" + b"#endif\n" * depth
    chosen = [n for n in range(number) if chance.random() < 0.4 and b"N%d_" % n in text]
    both, hip = dual(text, [(b"N%d_" % n, b"H%d" % n) for n in chosen])
    assert seen(both, amd=False) == text
    assert seen(both, amd=True) == hip
