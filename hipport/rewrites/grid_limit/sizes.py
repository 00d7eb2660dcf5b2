"""Where a launch's grid comes from: local definitions put in, 64-bit sizes and caps told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.text import CodeText

_WORD = re.compile(r"(?<![\w.>:])([A-Za-z_]\w*)(?!\w|\s*\(|::)")
_WIDE = rb"(?:(?:std::)?(?:u?int64_t|size_t|ptrdiff_t)|(?:unsigned\s+)?long(?:\s+long)?(?:\s+int)?|index_t|c10::SymInt)"
_CALLED = re.compile(
    r"[.>]\s*(?:numel|size|nbytes)\s*\(|\bsize_t\s*\(|\(\s*(?:u?int64_t|size_t)\s*\)|<\s*(?:u?int64_t|size_t)\s*>"
)
_CAP = re.compile(
    r"\bf?min\s*[<(]|[cC]ap_|_cap\b|[cC]lamp|\b65535\b|0x[fF]{4}\b|multiProcessor|num_?[sS][mM]|\bSM|[oO]ccupancy"
    r"|[mM]ax_?(?:[gG]rid_?)?[bB]locks?\b|MAX_\w*(?:GRID|BLOCKS)|GET_BLOCKS|get_max_\w*block|\?[^:]*:\s*\d{6,}"
)
_DIVIDED = re.compile(r"/|>>|[dD]iv|[cC]eil|[bB]locks|[gG]rid|dim3")
_DEPTH = 4


def expanded(text: CodeText, expression: str, within: tuple[int, int], *, narrow: bool = True) -> str:
    """An expression with the local variables that are defined in a range replaced by what they are defined as.

    Without `narrow` a 32-bit variable stays that is set to a size as it is: no value of it is beyond 32 bits.
    """
    start, at = within
    for _ in range(_DEPTH):
        before = expression
        for name in dict.fromkeys(_WORD.findall(expression)):
            value = _definition(text, name, start, at)
            if value and not narrow and not _DIVIDED.search(value) and _is_narrow(text, name, start, at):
                continue
            if value and name not in _WORD.findall(value):
                put = f"({value})".replace("\\", "\\\\")
                expression = re.sub(rf"(?<![\w.>:]){name}(?!\w)", put, expression)
        if expression == before or len(expression) > 2000:
            break
    return expression


def _is_narrow(text: CodeText, name: str, start: int, at: int) -> bool:
    declared = re.compile(
        rb"(?<![\w:])(?:(?:unsigned|signed)(?:\s+int)?|int|uint|u?int32_t)\s+(?:const\s+)?"
        rb"(?:\w+(?:\s*=[^;,()]*)?\s*,\s*)*" + re.escape(name.encode()) + rb"(?!\w)"
    )
    return declared.search(text.code, start, at) is not None


def _definition(text: CodeText, name: str, start: int, at: int) -> str:
    """What a local variable is set to last before `at`; empty where it is no local of one definition."""
    word = re.escape(name.encode())
    set_ = re.compile(rb"(?<![\w.>])" + word + rb"\s*(?:=(?!=)\s*([^;]*);|(\(|\{))")
    found = None
    for match in set_.finditer(text.code, start, at):
        if match.group(1) is not None:
            found = match.group(1).decode("utf-8", "replace")
        elif re.search(rb"\bdim3\b[^;{}]*\Z", text.code[max(start, match.start() - 300) : match.start()]):
            close = text.close(match.start(2))
            found = text.word(match.start(2) + 1, close) if close > 0 else found
    return (found or "").strip()


def wide_size(text: CodeText, expression: str, within: tuple[int, int]) -> str:
    """The 64-bit size that an expression (with locals put in) takes its value from; empty where none shows."""
    called = _CALLED.search(expression)
    if called:
        return re.sub(r"[\s.()<>-]+", " ", called.group()).strip()
    start, at = within
    for name in dict.fromkeys(_WORD.findall(expression)):
        declared = re.compile(
            rb"(?<![\w<])"
            + _WIDE
            + rb"\s+(?:const\s+)?(?:\w+(?:\s*=[^;,()]*)?\s*,\s*)*"
            + re.escape(name.encode())
            + rb"(?!\w)"
        )
        if declared.search(text.code, start, at):
            return str(name)
    return ""


def capped(text: CodeText, expression: str) -> bool:
    """Whether something in an expression, or in what it calls in this file, looks like a bound on the grid."""
    called = dict.fromkeys(re.findall(r"([A-Za-z_]\w*)\s*(?:<[^<>()]*>)?\s*\(", expression))
    return any(_CAP.search(part) for part in (expression, *(_body(text, name) for name in called)))


def _body(text: CodeText, name: str) -> str:
    """What a function or macro of the file with that name is made of."""
    word = re.escape(name.encode())
    macro = re.search(rb"#[ \t]*define[ \t]+" + word + rb"\([^)]*\)((?:[^\n\\]|\\\r?\n|\\.)*)", text.code)
    if macro:
        return macro.group(1).decode("utf-8", "replace")
    function = re.search(rb"[\w>&]\s+" + word + rb"\s*\([^;{}]*\)\s*\{", text.code)
    close = text.close(function.end() - 1) if function else -1
    return text.word(function.end(), close) if function and close > 0 else ""
