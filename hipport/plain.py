"""Names and texts of a repository made fit to print: a hostile file name must not steer a terminal or a parser."""

from __future__ import annotations


def unicode(path: str) -> str:
    """A path that is valid Unicode: bytes that are not UTF-8 show as their hex codes."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def printable(text: str) -> str:
    """`unicode`, with control characters shown escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in unicode(text))
