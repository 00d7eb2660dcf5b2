"""Sizes in a case file: whole-number arithmetic over the case's own names, such as `ceil(n / 256)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from hipport.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

_LARGEST = 1 << 62


def evaluate(text: str | int, names: Mapping[str, int | float]) -> int | float:
    """The value of an expression: + - * / // % **, `ceil`, `min`, `max`, `abs`, `int`, and the names.

    Raises:
        UsageError: it is no such expression, or a name in it is not known.
    """
    if isinstance(text, (int, float)):
        return text
    try:
        value = _value(ast.parse(text.strip(), mode="eval").body, names)
    except (SyntaxError, ValueError, RecursionError):
        raise UsageError(
            f"`{text}` is no expression", next_step="such as `n`, `ceil(n / 256)` or `rows * columns`"
        ) from None
    except ZeroDivisionError:
        raise UsageError(f"`{text}` divides by zero") from None
    return int(value) if isinstance(value, bool) else value


def whole(text: str | int, names: Mapping[str, int | float]) -> int:
    """The same, as a whole number that is not negative."""
    value = evaluate(text, names)
    if int(value) != value or value < 0:
        raise UsageError(f"`{text}` is {value}, no whole number from 0")
    return int(value)


def _value(node: ast.expr, names: Mapping[str, int | float]) -> int | float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.Name):
        if node.id not in names:
            raise UsageError(f"nothing is named `{node.id}`", next_step=f"known are {', '.join(names) or 'no names'}")
        return names[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, names)
    if isinstance(node, ast.BinOp):
        return _binary(node.op, _value(node.left, names), _value(node.right, names))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _call(node.func.id, [_value(one, names) for one in node.args])
    raise ValueError(ast.dump(node))


def _binary(operator: ast.operator, left: float, right: float) -> float:
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        return left * right
    if isinstance(operator, ast.Div):
        return left // right if left % right == 0 else left / right
    if isinstance(operator, ast.FloorDiv):
        return left // right
    if isinstance(operator, ast.Mod):
        return left % right
    if isinstance(operator, ast.Pow) and abs(right) <= 64 and abs(left) < 1 << 32:
        return float(left**right) if isinstance(left**right, float) else int(min(left**right, _LARGEST))
    raise ValueError(type(operator).__name__)


def _call(name: str, values: list[int | float]) -> int | float:
    if name in {"min", "max"} and values:
        return min(values) if name == "min" else max(values)
    if len(values) != 1:
        raise ValueError(name)
    if name == "ceil":
        return -int(-values[0] // 1)
    if name == "abs":
        return abs(values[0])
    if name == "int":
        return int(values[0])
    raise ValueError(name)
