"""Sizes of structures whose constructors have initialisers in braces."""

from __future__ import annotations

import pytest

from hipport.frontend import macros
from hipport.frontend.text import CodeText


@pytest.mark.parametrize(
    ("members", "size"),
    [
        ("V() : x{0} {} V(const float* p) : x{p[0]} {} V(const V&) = default; float x;", 4),
        ("V() : x{0}, y{1} {} float x; double y;", 16),
        ("V(int a) : x{a} { y = a; } int x, y; int sum() const { return x + y; }", 8),
        ("float x{1}; float y = 2;", 8),
    ],
)
def test_initialisers_are_no_members(members: str, size: int) -> None:
    text = CodeText.of("v.h", f"struct V {{ {members} }};\n".encode())
    assert macros.read([text]).size("V") == size
