"""Two sets of outputs -> a Verdict: presence, dtype and shape first, then NaN and infinity, then magnitude."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hipport.diffing.contract import Grade
from hipport.diffing.formats import Tensor, ulps
from hipport.diffing.verdict import Difference, Kind, Margin, Spread, Verdict, What

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from hipport.diffing.contract import Contract
    from hipport.diffing.owners import Owners

    Flat = np.ndarray[Any, Any]


def compare(
    got: Mapping[str, Tensor],
    want: Mapping[str, Tensor],
    contract: Contract,
    *,
    oracle: Mapping[str, Tensor] | None = None,
    owners: Mapping[str, Owners] | None = None,
    unordered: frozenset[str] = frozenset(),
) -> Verdict:
    """The port's outputs against the original's.

    Args:
        got: the port's, by name.
        want: the original's.
        contract: how close they must be.
        oracle: float64 truth, by name: an element that is closer to it than the original's is no difference.
        owners: which thread wrote which element, by name.
        unordered: outputs whose elements may come in any order (along their first axis).
    """
    differences: list[Difference] = []
    margins: list[Margin] = []
    for name, wanted in want.items():
        if name not in got:
            differences.append(Difference(name, What.MISSING, f"{name}: the port has no such output"))
            continue
        first, second = (got[name], wanted) if name not in unordered else (_sorted(got[name]), _sorted(wanted))
        truth = oracle.get(name) if oracle else None
        found = compare_one(name, first, second, contract, truth, (owners or {}).get(name))
        if isinstance(found, Margin):
            margins.append(found)
        else:
            differences.append(found)
    if differences:
        return Verdict(Kind.DIFFERS, "", tuple(differences), tuple(margins))
    if not margins:
        return Verdict(Kind.UNPROVEN, "there is no output to compare")
    return Verdict(Kind.SAME, "", (), tuple(margins))


def compare_one(
    name: str, got: Tensor, want: Tensor, contract: Contract, truth: Tensor | None = None, owners: Owners | None = None
) -> Difference | Margin:
    """One output."""
    if got.dtype != want.dtype:
        return Difference(name, What.DTYPE, f"{name}: {got.dtype}, not {want.dtype}")
    if got.shape != want.shape:
        return Difference(name, What.SHAPE, f"{name}: shape {list(got.shape)}, not {list(want.shape)}")
    if truth is not None and truth.shape != want.shape:
        return Difference(
            name, What.SHAPE, f"{name}: the oracle's shape is {list(truth.shape)}, not {list(want.shape)}"
        )
    if want.form is None:
        return _whole(name, got, want, owners)
    return _floating(_Pair(name, got, want, owners), contract, truth)


@dataclass(frozen=True, slots=True)
class _Pair:
    """One output of both sides, of one dtype and shape."""

    name: str
    got: Tensor
    want: Tensor
    owners: Owners | None

    def difference(self, what: What, wrong: Flat, *, steps: Flat | None = None, relative: float = 0.0) -> Difference:
        """With the first wrong element, the worst and their lanes."""
        import numpy as np

        at = int(np.argmax(wrong))
        first = tuple(int(i) for i in np.unravel_index(at, self.got.shape)) if self.got.shape else ()
        got, want = (shown(side.values().reshape(-1)[at]) for side in (self.got, self.want))
        spread = self.owners.spread(wrong, self.got.shape) if self.owners else Spread()
        count = int(wrong.sum())
        worst = float(steps[wrong].max()) if steps is not None and steps.size else 0.0
        text = f"{self.name}: {count} of {wrong.size} wrong"
        text += f", {spread.text}" if spread.text else ""
        text += f"; first at {list(first)}: {got}, not {want}"
        text += {What.CLASS: " (NaN or infinity on one side)", What.MAGNITUDE: ""}.get(what, f" ({what.value})")
        text += f"; worst {worst:.4g} ulp" if worst else ""
        return Difference(
            self.name, what, text, count, wrong.size, first, got, want, worst, relative, spread
        )  # fmt: skip


def shown(value: Any) -> str:
    """A number as a message says it."""
    plain = value.item() if hasattr(value, "item") else value
    return f"{plain:.9g}" if isinstance(plain, float) else str(plain)


def _whole(name: str, got: Tensor, want: Tensor, owners: Owners | None) -> Difference | Margin:
    wrong = got.data.reshape(-1) != want.data.reshape(-1)
    if not wrong.any():
        return Margin(name)
    return _Pair(name, got, want, owners).difference(What.MAGNITUDE, wrong)


def _floating(pair: _Pair, contract: Contract, truth: Tensor | None) -> Difference | Margin:
    import numpy as np

    got, want = pair.got.values().reshape(-1), pair.want.values().reshape(-1)
    odd = ~np.isfinite(want) | ~np.isfinite(got)
    classes = odd & ~((np.isnan(got) & np.isnan(want)) | (got == want))
    if classes.any():
        return pair.difference(What.CLASS, classes)
    steps = np.where(odd, 0.0, ulps(pair.got, pair.want))
    if contract.grade is Grade.EXACT:
        wrong = steps > 0
        wrong |= ~odd & (np.signbit(got) != np.signbit(want))
        return pair.difference(What.MAGNITUDE, wrong, steps=steps) if wrong.any() else Margin(pair.name)
    return _close(pair, contract, truth, steps, odd)


def _close(pair: _Pair, contract: Contract, truth: Tensor | None, steps: Flat, odd: Flat) -> Difference | Margin:
    import numpy as np

    form = pair.want.form
    if form is None:
        raise ValueError(pair.want.dtype)
    got, want = pair.got.values(), pair.want.values()
    scale = np.maximum(scales(want), contract.scale)
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.where(odd, 0.0, np.abs(got - want).reshape(-1))
    allowed = contract.relative(form) * scale
    wrong = (error > allowed) & (steps > contract.steps(form)) & ~odd
    settled = 0
    if truth is not None and wrong.any():
        real = truth.values().astype(np.float64).reshape(-1)
        with np.errstate(invalid="ignore", over="ignore"):
            ours, theirs = np.abs(got.reshape(-1) - real), np.abs(want.reshape(-1) - real)
        closer = wrong & (ours <= theirs)
        settled, wrong = int(closer.sum()), wrong & ~closer
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.where(error > 0, error / scale, 0.0)
    if wrong.any():
        return pair.difference(What.MAGNITUDE, wrong, steps=steps, relative=float(part[wrong].max()))
    finite = part[np.isfinite(part)]
    return Margin(
        pair.name,
        float(steps.max(initial=0.0)),
        float(finite.max(initial=0.0)),
        contract.relative(form),
        settled,
    )


def scales(want: Flat) -> Flat:
    """The scale of each element, flat: the root mean square of its row's finite values.

    A row is the last axis where there are two or more and it has at least 8 elements, else everything.
    """
    import numpy as np

    rows = want.reshape(-1, want.shape[-1]) if want.ndim > 1 and want.shape[-1] >= 8 else want.reshape(1, -1)
    if not rows.size:
        return np.zeros(0)
    finite = np.isfinite(rows)
    peak = np.abs(np.where(finite, rows, 0.0)).max(axis=1, keepdims=True)  # squares of it stay in range
    part = np.where(finite, rows, 0.0) / np.where(peak > 0, peak, 1.0)
    mean = np.sqrt((part * part).sum(axis=1, keepdims=True) / np.maximum(finite.sum(axis=1, keepdims=True), 1))
    return np.broadcast_to(mean * peak, rows.shape).reshape(-1)


def spread_of(runs: list[Mapping[str, Tensor]]) -> tuple[float, bool]:
    """How far runs of one side differ: the worst error as a part of the scale, and whether whole numbers differ."""
    import numpy as np

    floor, whole = 0.0, False
    for name, first in runs[0].items():
        for other in (run[name] for run in runs[1:]):
            if first.form is None:
                whole |= bool((first.data != other.data).any())
                continue
            one, two = first.values(), other.values()
            with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
                part = np.abs(one - two).reshape(-1) / scales(one)
            floor = max(floor, float(part[np.isfinite(part)].max(initial=0.0)))
    return floor, whole


def _sorted(tensor: Tensor) -> Tensor:
    """Its rows in the order of their bytes."""
    import numpy as np

    data = np.ascontiguousarray(tensor.data)
    if data.ndim == 0 or not data.size:
        return tensor
    rows = data.reshape(data.shape[0], -1)
    order = np.lexsort(rows.T[::-1])
    return replace(tensor, data=data[order])
