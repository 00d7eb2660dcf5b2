"""Findings -> bytes: all or none, overlaps named, and a source map that leads back."""

from __future__ import annotations

import random

import pytest

from hipport.model import Basis, Edit, Finding, Safety, Span, Status
from hipport.source import edits, sourcemap
from hipport.source.guard import cmake_fault, lexical_faults, untouched
from hipport.source.sourcemap import MappedFile, origin


def finding(*changes: tuple[int, int, bytes], rule: str = "r", basis: Basis = Basis.LEXICAL) -> Finding:
    made = tuple(Edit(Span("k.cu", start, end), text) for start, end, text in changes)
    return Finding(rule, made[0].span, "m", Safety.SAFE, Status.RENAMED, "runtime", basis=basis, edits=made)


def test_edits_are_applied_in_the_order_of_their_places() -> None:
    done = edits.apply(b"one two three", [finding((8, 13, b"3")), finding((0, 3, b"1"), (4, 7, b"2"))])
    assert done.result == b"1 2 3"
    assert not done.skipped


def test_a_finding_whose_second_edit_overlaps_is_left_out_whole_and_named() -> None:
    first = finding((0, 3, b"A"), rule="first")
    second = finding((2, 4, b"B"), (6, 7, b"C"), rule="second")
    done = edits.apply(b"abcdefgh", [second, first])
    assert done.result == b"Adefgh"
    assert [s.finding.rule for s in done.skipped] == ["second"]
    assert done.skipped[0].reason == "overlaps `first` at byte 0"


def test_what_the_syntax_tree_decided_goes_first() -> None:
    lexical = finding((0, 3, b"L"), rule="lexical")
    tree = finding((2, 5, b"T"), rule="tree", basis=Basis.AST)
    done = edits.apply(b"abcdefgh", [lexical, tree])
    assert done.result == b"abTfgh"
    assert [s.finding.rule for s in done.skipped] == ["lexical"]


def test_edits_that_touch_do_not_clash() -> None:
    done = edits.apply(b"abcd", [finding((0, 2, b"x")), finding((2, 4, b"y")), finding((2, 2, b"+"))])
    assert done.result == b"x+y"
    assert not done.skipped


def test_an_insertion_inside_a_replaced_range_clashes() -> None:
    done = edits.apply(b"abcd", [finding((0, 4, b"x"), rule="a"), finding((2, 2, b"+"), rule="b")])
    assert done.result == b"x"
    assert [s.finding.rule for s in done.skipped] == ["b"]


def test_a_replacement_over_an_insertion_clashes_even_past_other_insertions() -> None:
    early = [finding((3, 3, b"+"), rule="i", basis=Basis.AST), finding((1, 1, b"-"), rule="j", basis=Basis.AST)]
    done = edits.apply(b"abcdef", [*early, finding((2, 5, b"x"), rule="r")])
    assert [s.finding.rule for s in done.skipped] == ["r"]


def test_the_same_line_inserted_twice_is_one_line_but_the_same_bracket_is_two() -> None:
    include = b"#include <hip/hip_runtime.h>\n"
    done = edits.apply(b"int a;", [finding((0, 0, include), rule="a"), finding((0, 0, include), rule="b")])
    assert done.result == include + b"int a;"
    assert {f.rule for f in done.applied} == {"a", "b"}
    done = edits.apply(b"f(g)", [finding((2, 2, b"("), (3, 3, b")")), finding((2, 2, b"("), (3, 3, b")"))])
    assert done.result == b"f(((g)))"


@pytest.mark.parametrize("seed", range(40))
def test_random_edits_against_the_plain_definition(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  made-up edits
    data = bytes(chance.choice(b"ab\ncd\r") for _ in range(200))
    made = []
    for number in range(30):
        start = chance.randrange(len(data))
        end = min(len(data), start + chance.randrange(6))
        made.append(finding((start, end, chance.choice((b"", b"X", b"Y\n", b"ZZ\n\n"))), rule=f"r{number}"))
    done = edits.apply(data, made)
    assert untouched(data, done.result, done.placed)
    assert len(done.applied) + len(done.skipped) == 30
    taken = [False] * (len(data) + 1)
    for edit in {edit for applied in done.applied for edit in applied.edits}:
        assert not any(taken[edit.span.start : edit.span.end])
        taken[edit.span.start : edit.span.end] = [True] * (edit.span.end - edit.span.start)
    rebuilt = bytearray()
    at = 0
    for place in done.placed:
        rebuilt += data[at : place.start] + done.result[place.out_start : place.out_end]
        at = place.end
    assert bytes(rebuilt + data[at:]) == done.result
    _check_origins(data, done)


def _check_origins(data: bytes, done: edits.Applied) -> None:
    """Every byte outside of edits leads to its own line and column."""
    mapped = MappedFile("k.cu", "", "", sourcemap.mapped_edits(data, done.placed))
    inside = [False] * (len(done.result) + 1)
    for place in done.placed:
        inside[place.out_start : place.out_end] = [True] * (place.out_end - place.out_start)
    line, column = 1, 1
    for offset, byte in enumerate(done.result):
        found = origin(mapped, done.result, line, column)
        source = _offset(done, offset)
        if not inside[offset]:
            assert source is not None
            assert found.exact
            assert found.line == data.count(b"\n", 0, source) + 1
            assert found.column == source - data.rfind(b"\n", 0, source)
        else:
            assert not found.exact
        line, column = (line + 1, 1) if byte == 10 else (line, column + 1)


def _offset(done: edits.Applied, offset: int) -> int | None:
    at = out = 0
    for place in done.placed:
        if offset < place.out_start:
            break
        if offset < place.out_end:
            return None
        at, out = place.end, place.out_end
    return at + offset - out


def test_columns_lead_back_past_an_edit_on_the_same_line() -> None:
    data = b"int a;\n  cudaFree(p); cudaFree(q);\n"
    done = edits.apply(data, [finding((9, 17, b"hipFree")), finding((22, 30, b"hipFree"))])
    mapped = MappedFile("k.cu", "", "", sourcemap.mapped_edits(data, done.placed))
    column = done.result.split(b"\n")[1].index(b"q") + 1
    assert origin(mapped, done.result, 2, column) == sourcemap.Origin("k.cu", 2, 25, exact=True)
    assert origin(mapped, done.result, 2, 4) == sourcemap.Origin("k.cu", 2, 3, exact=False)


def test_an_inserted_include_moves_lines_and_the_map_moves_them_back() -> None:
    data = b"#include <a>\nint f();\n"
    done = edits.apply(data, [finding((0, 0, b"#include <hip/hip_runtime.h>\n"))])
    mapped = MappedFile("k.cu", "", "", sourcemap.mapped_edits(data, done.placed))
    assert origin(mapped, done.result, 3, 5) == sourcemap.Origin("k.cu", 2, 5, exact=True)
    assert origin(mapped, done.result, 1).line == 1


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (b"int f() { return a[0]; }", 0),
        (b"int f() { return a[0; }", 3),
        (b'const char* s = "({["; // )]}', 0),
        (b'auto s = R"x(")" )x"; char c = \'(\';', 0),
        (b"/* ( */ )", 1),
        (b"long a = 1'000'000; f(a);", 0),
        (b'"open', 1),
        (b"#define OPEN {\n", 1),
    ],
)
def test_lexical_faults(text: bytes, faults: int) -> None:
    assert lexical_faults(text) == faults


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b'set(A "b) #" # ")\n)', ""),
        (b'set(A [=[ "( ]] ]=] b\\")', ""),
        (b'#[[ " ( ]]\nset(A)', ""),
        (b'set(A")', "a quote without a partner"),
        (b"set(A", "a parenthesis without a partner"),
        (b"set(A))", "a parenthesis without a partner"),
    ],
)
def test_cmake_that_does_not_read(text: bytes, fault: str) -> None:
    assert cmake_fault(text) == fault
