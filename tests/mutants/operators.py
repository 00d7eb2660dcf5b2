"""Mutation operators: small faults that ports and their writers make, found on the tokens of a source."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.source.lexer import lex

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed source: `operator` names the fault, `line` is where it is, `before` and `after` what it did."""

    operator: str
    line: int
    before: str
    after: str
    text: str


@dataclass(frozen=True, slots=True)
class Operator:
    """What is looked for in code, and what may stand there instead (with the groups of the match)."""

    name: str
    pattern: str
    instead: tuple[str, ...]


OPERATORS = (
    Operator("dropped barrier", r"__syncthreads\(\);", (";",)),
    Operator("lost lanes", r"\bkWarp / 2\b", ("kWarp / 4",)),
    Operator("lost lanes", r"\boffset > 0\b", ("offset > 1",)),
    Operator("lost lanes", r"\boffset < kWarp\b", ("offset < kWarp / 2",)),
    Operator("wave width", r"(__shfl\w*\([^;]*), 32\)", (r"\1, 64)", r"\1, 16)")),
    Operator("wave width", r"\bkWarp = 32\b", ("kWarp = 64",)),
    Operator("wrong mask", r"\(1u << lane\) - 1u", ("(1u << lane)", "(2u << lane) - 1u")),
    Operator("wrong mask", r"\b__popc\((\w+)\)", (r"__popc(\1 & 0xffffu)",)),
    Operator("wrong mask", r"\.x % kWarp\b", (".x % (kWarp / 2)", ".x % (2 * kWarp)")),
    Operator("off-by-one tail", r"< (n|columns|rows)\b", (r"<= \1", r"< \1 - 1")),
    Operator("off-by-one tail", r"\b(w|k|lane|step) (<|>=|>|<=) (warp|offset|0|kTile)\b", (r"\1 \2 \3 + 1",)),
    Operator("missing check", r"\bif \([^;{]*?(?:>=|<) (?:n|rows|columns)\) (return;)?", ("{CHECK}",)),
    Operator("wrong initial value", r"= 0\.0f;", ("= 1.0f;", "= 1e-5f;")),
    Operator("wrong initial value", r"= -INFINITY;", ("= 0.0f;",)),
    Operator("wrong initial value", r": 0\.0f;", (": 1.0f;",)),
    Operator("wrong initial value", r"(?<!int [wkbc]) = 0;", (" = 1;",)),
    Operator("wrong initial value", r"\b2147483647\b", ("0",)),
    Operator("wrong stride", r"\+= gridDim\.x \* blockDim\.x", ("+= blockDim.x", "+= gridDim.x * blockDim.x + 1")),
    Operator("wrong stride", r"\+= blockDim\.x\b", ("+= blockDim.x - 1", "+= 2 * blockDim.x")),
    Operator("wrong stride", r"\* (columns|rows)\b(?=[ +;])", (r"* (\1 + 1)",)),
    Operator("wrong index", r"\[(c|i|row|at)\]", (r"[\1 + 1]", r"[\1 ^ 1]")),
    Operator("wrong index", r"\bthreadIdx\.x \+ (\w+)\]", (r"threadIdx.x + \1 + 1]",)),
    Operator("wrong index", r"\bthreadIdx\.(x|y)\]", (r"threadIdx.\1 + 1]",)),
    Operator("broadcast shape", r"\bblockIdx\.x \* columns( \+ c)?", (r"0 * columns\1",)),
    Operator("broadcast shape", r"\b(gamma|beta|means|scales)\[\S+?\]", (r"\1[0]",)),
    Operator("broadcast shape", r"\bblockIdx\.x \* blockDim\.x \+ (?=threadIdx)", ("",)),
    Operator("swapped operands", r"\((\w+\[[^]]+\]) - (\w+)\)", (r"(\2 - \1)",)),
    Operator("swapped operands", r"expf\((\w+\[\w\]) - (\w+)\)", (r"expf(\2 - \1)",)),
    Operator("swapped operands", r"\((r \+ k|r|c) ?\) \* (columns|rows) \+ (\w+)", (r"(\3) * \2 + (\1)",)),
    Operator("wrong operator", r"\bfmaxf\(", ("fminf(",)),
    Operator("wrong operator", r"(?<=\w) \+= ", (" -= ",)),
    Operator("wrong operator", r"(?<=\]) \* (?=\w)", (" + ",)),
    Operator("wrong operator", r"\(a > b\)", ("(a >= b)", "(a < b)")),
    Operator("wrong operator", r" / columns\b", ("", " / (columns - 1)")),
    Operator("wrong operator", r"\? (\w[^:;]*?) : ", (r"? -(\1) : ",)),
    Operator("wrong constant", r"\b1e-5f\b", ("1e-2f", "0.0f")),
    Operator("wrong constant", r"\b0\.[124]f\b", ("0.25f",)),
    Operator("wrong constant", r"\bkRadius = 2\b", ("kRadius = 1",)),
    Operator("wrong dtype", r"\b(sum|square|dot) \+= ([^;]+);", (r"\1 = (float)(_Float16)(\1 + (\2));",)),
    Operator("wrong dtype", r"\bint (all|before)\b(?= =)", (r"signed char \1",)),
    Operator("wrong dtype", r"\bconst int (a|b)\b(?= =)", (r"const unsigned \1", r"const short \1")),
    Operator("stale output", r"(?<=\n) *(?:if \([^;{]*\) )?(?:y|dx|out|sums|kept|count|bins)\[[^;]*\] = ", ("{ADD}",)),
    Operator("unwritten output", r"\b(y|dx|out|sums|kept|count)\[[^;]*\] = [^;]+;", ("if (blockIdx.x != 1) {ALL}",)),
    Operator("overwritten input", r"(?<=[; ])(y|dx|out|sums|kept)\[([^;]*?)\] = ([^;]+);", ("{ALSO}",)),
    Operator("grad_output is 1", r"\bdy\[[^]]+\]", ("1.0f",)),
    Operator("lost update", r"atomicAdd\(&(\w+\[[^;]*?\]), ([^;]+?)\);", (r"\1 += \2;", r"\1 = \2;")),
)
_INPUT = {"out": "in"}


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of a source, in the order of the operators and of their places; each text once."""
    code = lex(source.encode()).code.decode()
    seen = {source}
    for operator in OPERATORS:
        for match in re.finditer(operator.pattern, code):
            for instead in operator.instead:
                start, end = match.span()
                before = source[start:end]
                after = _after(match, before, instead)
                text = source[:start] + after + source[end:]
                if after == before or text in seen:
                    continue
                seen.add(text)
                yield Mutant(operator.name, source.count("\n", 0, start) + 1, before.strip(), after.strip(), text)


def _after(match: re.Match[str], before: str, instead: str) -> str:
    if instead == "{ADD}":  # what the memory held is kept
        return before[: before.rindex("= ")] + "+= "
    if instead == "{CHECK}":
        return "" if match[1] else "if (true) "
    if instead.endswith("{ALL}"):
        return instead.replace("{ALL}", before)
    if instead == "{ALSO}":
        given = _INPUT.get(match[1], "x")
        return f"{{ {before} ((decltype({match[1]}))({given}))[{match[2]}] = {match[3]}; }}"
    return match.expand(instead)
