"""The judge and its detectors on sides that are Python functions: each fault is named, and no right port is accused."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from hipport.device.executor import Fault, FaultError, InconclusiveError
from hipport.diffing.cases import Point
from hipport.diffing.contract import Contract
from hipport.diffing.formats import Tensor
from hipport.diffing.judge import judge
from hipport.diffing.sides import Outputs
from hipport.diffing.verdict import Kind, What
from hipport.errors import ExitCode, HipportError, UntestedError

BLANK = np.float32(np.nan)


@dataclass
class Given:
    x: np.ndarray
    w: np.ndarray
    before: np.ndarray
    grad: np.ndarray

    @property
    def digest(self) -> str:
        return str(hash(self.x.tobytes() + self.w.tobytes()))


@dataclass
class Numbers:
    """A case with the inputs x and w and the output y of 64 elements; backward where `grad` is asked for."""

    name: str = "numbers"
    inputs: tuple = ("x", "w")
    unordered: frozenset = frozenset()
    terms: int = 1
    told: Contract = field(default_factory=lambda: Contract.named("strict-f32"))

    def points(self):
        return tuple(Point({"n": 64}, seed=seed) for seed in (1, 2, 3))

    def made(self, point, *, stale=False, other=""):
        x, w, grad = (
            np.random.default_rng([point.seed, number, other in (name, "*")]).standard_normal(64).astype(np.float32)
            for number, name in enumerate(("x", "w", "grad"))
        )
        return Given(x, w, np.full(64, 7.0 if stale else BLANK, dtype=np.float32), grad)

    def oracle(self, inputs):  # noqa: ARG002 - the judge's interface
        return None

    def contract(self, inputs):  # noqa: ARG002 - the judge's interface
        return self.told.with_length(self.terms)


@dataclass
class Function:
    """A side: `body(given, y)` fills y."""

    body: object
    spec: str = "python"
    reorders: bool = False
    backward: object = None

    def run(self, inputs, *, order="in"):  # noqa: ARG002 - the judge's interface
        x, y = inputs.x.copy(), inputs.before.copy()
        given = Given(x, inputs.w.copy(), inputs.before, inputs.grad)
        self.body(given, y)
        wrong = ("x",) if (x != inputs.x).any() else ()
        copies = (("y", "x"),) if y.tobytes() == inputs.x.tobytes() else ()
        back = {"x": Tensor.of(self.backward(inputs))} if self.backward else {}
        blank = y.view(np.uint32) == inputs.before.view(np.uint32)
        blank &= np.isnan(inputs.before)
        return Outputs({"y": Tensor.of(y)}, back, {"y": blank}, wrong, copies, seconds=(1.0, 2.0))


def right(given, y):
    y[:] = given.x * given.w


def wrong_lanes(given, y):
    right(given, y)
    y[32:] = 0


def unwritten(given, y):
    y[:63] = given.x[:63] * given.w[:63]


def stale(given, y):
    right(given, y)
    y[5] += 0 if np.isnan(given.before[5]) else given.before[5]


def ignores(given, y):
    y[:] = given.x


def overwrites(given, y):
    right(given, y)
    given.x[0] += 1


def faults(_given, _y):
    raise FaultError(Fault("lds_bounds", "out of bounds", file="k.hip", line=3))


def unknown(_given, _y):
    raise InconclusiveError(Fault("opcode", "v_new is not modelled"))


def does_not_build(_given, _y):
    raise HipportError("it does not compile")


def nobody_here(_given, _y):
    raise UntestedError("no GPU is here")


def what(found):
    return {d.what for row in found.results for d in row.verdict.differences}


def test_a_right_port_is_the_same_and_its_time_is_told() -> None:
    found = judge(Numbers(), Function(right), Function(right))
    assert found.kind is Kind.SAME
    assert found.seconds == (9.0, 9.0)
    assert found.kind.exit_code is ExitCode.DONE


@pytest.mark.parametrize(
    ("port", "expected"),
    [
        (wrong_lanes, What.MAGNITUDE),
        (unwritten, What.UNWRITTEN),
        (overwrites, What.OVERWRITTEN),
        (ignores, What.IDENTITY),
        (stale, What.STALE),
    ],
)
def test_a_wrong_port_differs_and_the_fault_is_named(port, expected) -> None:
    found = judge(Numbers(), Function(right), Function(port))
    assert found.kind is Kind.DIFFERS
    assert expected in what(found)
    assert found.seconds == (0.0, 0.0)
    assert found.kind.exit_code is ExitCode.DIFFERS


def test_an_input_that_the_port_ignores_is_named_where_every_point_agrees() -> None:
    class OneW(Numbers):  # a case whose points never change w: the gate must
        def made(self, point, *, stale=False, other=""):
            given = super().made(point, stale=stale, other=other)
            if other not in ("w", "*"):
                given.w[:] = 2.0
            return given

    def assumes(given, y):
        y[:] = given.x * 2.0

    found = judge(OneW(), Function(right), Function(assumes))
    assert found.kind is Kind.DIFFERS
    assert What.IGNORES in what(found)
    assert found.results[-1].gate


@pytest.mark.parametrize(
    ("port", "kind", "code"),
    [
        (faults, Kind.FAILED, ExitCode.FAILED),
        (does_not_build, Kind.FAILED, ExitCode.FAILED),
        (unknown, Kind.UNPROVEN, ExitCode.UNTESTED),
        (nobody_here, Kind.UNPROVEN, ExitCode.UNTESTED),
    ],
)
def test_failed_and_could_not_be_tested_are_other_answers(port, kind, code) -> None:
    found = judge(Numbers(), Function(right), Function(port))
    assert (found.kind, found.kind.exit_code) == (kind, code)
    assert found.verdict().reason


def test_an_original_that_cannot_be_judged_proves_nothing() -> None:
    for original in (faults, does_not_build, unknown):
        found = judge(Numbers(), Function(original), Function(right))
        assert found.kind is Kind.UNPROVEN


def test_degenerate_cases_are_refused() -> None:
    def constant(_given, y):
        y[:] = 1.0

    def nothing(_given, _y):
        pass

    def after(given, y):
        y[:] = given.x * given.w + (0 if np.isnan(given.before[0]) else 1)

    for body, said in ((constant, "constant"), (nothing, "never writes"), (after, "held before")):
        found = judge(Numbers(), Function(body), Function(body))
        assert found.kind is Kind.UNPROVEN
        assert said in found.verdict().reason


def test_the_original_s_own_spread_is_measured_and_said() -> None:
    runs = iter(range(10_000))

    def jumps(given, y):
        y[:] = given.x * given.w * np.float32(1 + 1e-4 * (next(runs) % 2))

    found = judge(Numbers(), Function(jumps), Function(right))
    assert found.floor > 5e-5
    assert found.kind is Kind.SAME
    assert any("between runs" in note for note in found.notes)


def test_forward_and_backward_are_judged_apart() -> None:
    def gradient(given):
        return given.grad * given.w

    def of_one(given):
        return given.w

    good = Function(right, backward=gradient)
    found = judge(Numbers(), good, Function(right, backward=of_one))
    assert found.verdict("forward").kind is Kind.SAME
    assert found.verdict("backward").kind is Kind.DIFFERS
    assert found.seconds == (0.0, 0.0)
    found = judge(Numbers(), good, Function(wrong_lanes, backward=gradient))
    assert found.verdict("forward").kind is Kind.DIFFERS
    assert found.verdict("backward").kind is Kind.SAME
    assert judge(Numbers(), good, good).kind is Kind.SAME


def test_stop_ends_at_the_first_difference() -> None:
    assert len(judge(Numbers(), Function(right), Function(wrong_lanes), stop=True).results) == 1
    assert len(judge(Numbers(), Function(right), Function(wrong_lanes)).results) == 3
