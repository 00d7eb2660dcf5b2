"""Detectors: what a right answer can hide. Each works on the outputs of runs, whatever ran them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.diffing.compare import compare
from hipport.diffing.verdict import Difference, Kind, Spread, Verdict, What

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hipport.diffing.contract import Contract
    from hipport.diffing.formats import Tensor
    from hipport.diffing.sides import Outputs


def noticed(got: Outputs, want: Outputs, direction: str = "forward") -> tuple[Difference, ...]:
    """What one run shows: outputs left unwritten, inputs that were overwritten, outputs that copy an input."""
    import numpy as np

    found: list[Difference] = []
    names = getattr(want, direction)
    for name, mask in got.unwritten.items():
        if name not in names:
            continue
        theirs = want.unwritten.get(name)
        only = mask & ~theirs if theirs is not None else mask
        if only.any():
            shape = names[name].shape
            first = tuple(int(i) for i in np.unravel_index(int(np.argmax(only)), shape)) if shape else ()
            owners = want.owners.get(name)
            where = owners.spread(only, shape) if owners else None
            text = f"{name}: {int(only.sum())} of {only.size} elements are never written"
            text += f", {where.text}" if where and where.text else ""
            text += f"; first at {list(first)}"
            spread = where or Spread()
            found.append(Difference(name, What.UNWRITTEN, text, int(only.sum()), only.size, first, spread=spread))
    if direction == "forward":
        found += [
            Difference(name, What.OVERWRITTEN, f"{name}: the port writes to it, the original does not")
            for name in got.overwritten
            if name not in want.overwritten
        ]
        for pair in got.copies:
            if pair not in want.copies and pair[0] in names:
                text = f"{pair[0]}: the port's output is a copy of the input {pair[1]}"
                found.append(Difference(pair[0], What.IDENTITY, text))
    return tuple(found)


def degenerate(seen: Sequence[Outputs]) -> str:
    """Why a case can show nothing; empty where it can. `seen` are the original's outputs at every point."""
    import numpy as np

    if not seen:
        return "nothing was run"
    for name in seen[0].forward:
        masks = [run.unwritten.get(name) for run in seen]
        if all(mask is not None and mask.size and mask.all() for mask in masks):
            return f"the original never writes `{name}`"
    constant = True
    for run in seen:
        for tensor in {**run.forward, **run.backward}.values():
            bits = tensor.bits()
            constant &= bits.size == 0 or bool((bits == bits.reshape(-1)[0]).all())
    if not constant or len(seen) < 2:
        return ""
    firsts = {
        tuple(np.asarray(t.bits()).reshape(-1)[:1].tobytes() for t in run.forward.values()) for run in seen
    }  # one number a point is fine where it differs from point to point
    return "the original's output is one constant at every point" if len(firsts) == 1 else ""


@dataclass(frozen=True, slots=True)
class Rerun:
    """A further run: with outputs that hold something else before it, or with other numbers in one input."""

    name: str
    stale: bool = False
    other: str = ""


def reruns(inputs: Sequence[str]) -> Iterator[Rerun]:
    """The further runs of a case with these inputs."""
    yield Rerun("stale buffer", stale=True)
    if inputs:
        yield Rerun("all inputs", other="*")
    for name in inputs if len(inputs) > 1 else ():
        yield Rerun(f"input {name}", other=name)


def judged(
    gate: Rerun,
    base: tuple[Outputs, Outputs | Verdict],
    again: tuple[Outputs, Outputs],
    contract: Contract,
    exact: Contract,
    unordered: frozenset[str],
) -> Verdict | None:
    """What a further run of (original, port) shows beside the first; None where all is well."""
    port = base[1]
    if isinstance(port, Verdict):
        return None
    if gate.stale:
        return _stale((base[0], port), again, exact, unordered)
    want, got = ({**side.forward, **side.backward} for side in again)
    moved = _moved({**base[0].forward, **base[0].backward}, want)
    if not moved:
        if gate.other == "*":
            return Verdict(Kind.UNPROVEN, "the original's output does not depend on its inputs: the case shows nothing")
        return None
    still = [n for n in moved if n not in _moved({**port.forward, **port.backward}, got)]
    if still:
        what = "its inputs" if gate.other == "*" else f"`{gate.other}`"
        rows = tuple(
            Difference(n, What.IGNORES, f"{n}: the port's output does not depend on {what}, the original's does")
            for n in still
        )
        return Verdict(Kind.DIFFERS, "", rows)
    verdict = compare(got, want, contract, owners=again[0].owners, unordered=unordered)
    return None if verdict.kind is Kind.SAME else verdict


def _stale(
    base: tuple[Outputs, Outputs], again: tuple[Outputs, Outputs], exact: Contract, unordered: frozenset[str]
) -> Verdict | None:
    original = compare(again[0].forward, _written(base[0], again[0]), exact, unordered=unordered)
    if original.kind is Kind.DIFFERS:
        name = original.differences[0].output
        return Verdict(
            Kind.UNPROVEN, f'the original\'s `{name}` depends on what it held before: give it role = "inout"'
        )
    port = compare(again[1].forward, _written(base[1], again[1]), exact, unordered=unordered)
    if port.kind is not Kind.DIFFERS:
        return None
    rows = tuple(
        Difference(
            d.output,
            What.STALE,
            f"{d.output}: depends on what the memory held before ({d.message})",
            d.count,
            d.size,
            d.first,
        )
        for d in port.differences
    )
    return Verdict(Kind.DIFFERS, "", rows)


def _written(first: Outputs, second: Outputs) -> Mapping[str, Tensor]:
    """The first run's outputs; elements that it never wrote are taken from the second."""
    import numpy as np

    from hipport.diffing.formats import Tensor

    out = {}
    for name, tensor in first.forward.items():
        mask = first.unwritten.get(name)
        if mask is None or not mask.any() or name not in second.forward:
            out[name] = tensor
            continue
        data = np.where(mask.reshape(tensor.shape), second.forward[name].data, tensor.data)
        out[name] = Tensor(tensor.dtype, data)
    return out


def _moved(first: Mapping[str, Tensor], second: Mapping[str, Tensor]) -> set[str]:
    """The outputs whose bits differ."""
    return {
        name
        for name, tensor in first.items()
        if name in second and (tensor.shape != second[name].shape or (tensor.bits() != second[name].bits()).any())
    }
