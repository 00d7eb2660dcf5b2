"""What is code and what is not: comments, literals, splices, encodings; offsets always hold."""

from __future__ import annotations

import pytest

from hipport.source.lexer import lex


def code(text: bytes, *, jinja: bool = False) -> bytes:
    lexed = lex(text, jinja=jinja)
    assert len(lexed.code) == len(text)
    return lexed.code


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        (b"a // x\nb", b"a     \nb"),
        (b"a // x \\\n y\nb", b"a           \nb"),
        (b"a // x \\\r\n y\r\nb", b"a            \nb"),
        (b"a // x \\  \n y\nb", b"a              \nb"),
        (b"a /* x\n// y */ b", b"a              b"),
        (b"a /* x ** / */ b", b"a              b"),
        (b"a /* open", b"a        "),
        (b"a // ends in \\", b"a             "),
        (b'f("x // y") z', b'f("      ") z'),
        (b'f("a\\"b") z', b'f("    ") z'),
        (b'f("open\nz', b'f("   "\nz'),
        (b"c = 'x'; z", b"c = ' '; z"),
        (b"c = '\"'; z", b"c = ' '; z"),
        (b"c = '\\''; z", b"c = '  '; z"),
        (b"n = 1'000'000; z", b"n = 1_000_000; z"),
        (b"n = 0xdead'beef; z", b"n = 0xdead_beef; z"),
        (b"c = u8'a'; z", b"c = u8' '; z"),
        (b"case'a': z", b"case' ': z"),
        (b'R"x(a)" b)x" z', b'R"         " z'),
        (b'u8R"(a"b)" z', b'u8R"     " z'),
        (b'PR"(a" z', b'PR"  " z'),
        (b"a\\\nb", b"a  b"),
        (b"a\\\r\nb", b"a   b"),
        (b"#include <a//b.h> // c\nz", b"#include <      >     \nz"),
        (b"%:define a", b"# define a"),
    ],
)
def test_only_code_is_left_and_offsets_hold(text: bytes, visible: bytes) -> None:
    assert code(text).split() == visible.split()


def test_a_bom_and_a_nul_are_no_part_of_a_word() -> None:
    lexed = lex(b"\xef\xbb\xbfcudaMalloc\0cudaFree")
    assert lexed.words() == {b"cudaMalloc", b"cudaFree"}


def test_letters_beyond_ascii_belong_to_the_word() -> None:
    assert lex("écudaMalloc cudaMallocé".encode()).words() == {"écudaMalloc".encode(), "cudaMallocé".encode()}
    assert lex(b"cudaMalloc\xe9 x").words() == {b"cudaMalloc\xe9", b"x"}


def test_lines_that_end_in_cr_alone_are_lines() -> None:
    assert lex(b"a // b\rc").words() == {b"a", b"c"}


def test_jinja_placeholders_are_letters_and_tags_blanks() -> None:
    result = code(b"{% if x %}{{ name }}_kernel{# it's #}<<<1, 2>>>", jinja=True)
    assert result.split() == [b"_" * 10 + b"_kernel", b"<<<1,", b"2>>>"]
    assert code(b'f("{{ "a" }}") z', jinja=True).split() == [b'f("', b'")', b"z"]
