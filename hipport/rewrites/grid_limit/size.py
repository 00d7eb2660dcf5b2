"""How large a number can be by the types that it is computed in, and which size of the data it follows."""

from __future__ import annotations

from dataclasses import dataclass, replace

INT = 2**31 - 1
UNSIGNED = 2**32 - 1
WIDE = 2**63 - 1
MOST_THREADS = 1024  # of a block, on every target


@dataclass(frozen=True, slots=True)
class Size:
    """A non-negative number: `most` is its bound (None: nothing is known), `room` the largest value of its type.

    `source` names the size of the data that it follows (empty: it is constant). `bounded`: something that is not
    understood holds it down. `over` is the text of a divisor that is no constant, `whole` the bound before.
    `per` is how much of it there is for each of `source`, `names` are the variables that it came through.
    """

    most: int | None
    room: int = INT
    source: str = ""
    bounded: bool = False
    over: str = ""
    whole: int = 0
    per: float = 1.0
    names: frozenset[str] = frozenset()

    @property
    def constant(self) -> bool:
        """Whether it is one known number."""
        return self.most is not None and not self.source and not self.bounded and not self.over


UNKNOWN = Size(None)
HELD = Size(None, bounded=True)


def number(value: int) -> Size:
    """A constant."""
    return Size(value, INT if value <= INT else WIDE, per=float(value))


def data(name: str, room: int) -> Size:
    """A size of the data, of a type with so much room."""
    return Size(room, room, name)


def cast(size: Size, room: int) -> Size:
    """A size put into a type."""
    if room >= WIDE or size.most is None:
        return replace(size, room=room)
    return replace(size, most=min(size.most, room), room=room)


def _joined(a: Size, b: Size, most: int | None, per: float) -> Size:
    room = max(a.room, b.room)
    source = " * ".join(dict.fromkeys(s for s in (a.source, b.source) if s))
    if most is not None and room < WIDE:
        most = min(most, room)
    return Size(most, room, source, a.bounded or b.bounded, per=per, names=a.names | b.names)


def plus(a: Size, b: Size) -> Size:
    """A sum; what is not known beside a known size counts as little: it is what rounds a quotient up."""
    if a.most is None or b.most is None:
        return a if a.most is not None else b
    per = max((s.per for s in (a, b) if s.source), default=a.per + b.per)
    joined = _joined(a, b, a.most + b.most, per)
    held = (a if a.most >= b.most else b).bounded
    return replace(joined, source=a.source or b.source, over=a.over or b.over, whole=a.whole, bounded=held)


def minus(a: Size, b: Size) -> Size:
    """A difference."""
    return replace(a, most=max(0, a.most - b.most)) if a.most is not None and b.constant and b.most is not None else a


def times(a: Size, b: Size) -> Size:
    """A product."""
    if a.most is None or b.most is None:
        known = a if a.most is not None else b
        held = a.bounded or b.bounded
        return replace(known, bounded=held) if known.room == WIDE and known.source else Size(None, bounded=held)
    return _joined(a, b, a.most * b.most, a.per * b.per)


def quotient(a: Size, b: Size, divisor: str) -> Size:
    """A quotient, rounded up; `divisor` is its text."""
    if a.most is None:
        return a
    if a.source and a.source == divisor:  # only what rounds it up is known
        return UNKNOWN
    if b.constant:
        by = max(1, b.most or 1)
        return replace(a, most=-(-a.most // by), over="", whole=0, per=a.per / by)
    most = a.most if a.room == WIDE else None
    return replace(a, most=most, over=divisor, whole=a.most, bounded=a.bounded)


def least(sizes: list[Size]) -> Size:
    """The smallest of some."""
    known = [s for s in sizes if s.most is not None]
    if not known:
        return HELD
    found = min(known, key=lambda s: s.most or 0)
    held = len(known) < len(sizes) or (any(s.constant for s in known) and any(s.source for s in known))
    return replace(found, bounded=True) if held else found


def greatest(sizes: list[Size]) -> Size:
    """The largest of some; one that is not known counts for nothing."""
    known = [s for s in sizes if s.most is not None]
    return max(known, key=lambda s: s.most or 0) if known else next((s for s in sizes if s.bounded), UNKNOWN)
