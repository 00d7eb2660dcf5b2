"""Every shim: described, compiled for five targets, run on AMD machine code against what CUDA says it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from hipport.cli import app
from hipport.errors import UntestedError, UsageError
from hipport.model import Edit, Finding, Safety, SourceFile, Span, Status
from hipport.porting import shims
from hipport.resources import data_dir

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
EXECUTED = ("gfx942", "gfx950")
MASKS = (0xFFFFFFFF, 0x0000FFFF, 0x80000001, 0x5555AAAA)


def body_of_test(name: str) -> str:
    kind = "templates" if shims.shim(name).parameters else "shims"
    return (data_dir(kind) / f"{name}.test.hip").read_text()


def everything() -> str:
    """All shims and their tests as one source."""
    parts = [shims.header(name, {"widths": [32, 64]}).replace("#pragma once\n", "") for name in shims.names()]
    alias = "namespace cg = cooperative_groups;\n"
    return "".join(parts) + alias + "".join(body_of_test(name).replace(alias, "") for name in shims.names())


@pytest.mark.parametrize("name", shims.names())
def test_a_shim_is_described_and_has_a_test_beside_it(name: str) -> None:
    one = shims.shim(name)
    assert one.source
    assert one.why
    assert f"void {name}(" in body_of_test(name)
    text = shims.header(name, {"widths": [32, 64]})
    assert one.source.split(",")[0] in text
    assert text.count("#ifndef HIPPORT_SHIM_") == text.count("#endif  // HIPPORT_SHIM_")


@pytest.mark.amd
@pytest.mark.parametrize("target", TARGETS)
def test_all_shims_compile_together(target: str, tmp_path: Path, amd: Compiler) -> None:
    path = tmp_path / "all.hip"
    path.write_text(everything())
    quiet = ["-Wno-unused-const-variable", "-Wno-unused-function"]
    done = amd.compile(path, target, kind="asm", options=["-O0", "-Wall", "-Werror", *quiet])
    assert done.ok, done.log


@pytest.fixture(scope="module", params=EXECUTED)
def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, amd: Compiler) -> Any:
    """All kernels of the shims' tests, ready to run."""
    del amd
    import hipport

    path = tmp_path_factory.mktemp("shims") / "all.hip"
    path.write_text(everything())
    try:
        return hipport.device(f"isa:{request.param}").build(path)
    except UntestedError as error:
        pytest.skip(str(error))


def launched(module: Any, name: str, block: Any, *arguments: Any) -> None:
    module[name](grid=1, block=block, args=list(arguments))


@pytest.mark.amd
@pytest.mark.parametrize("mask", MASKS)
def test_half_wave_functions_do_what_those_of_a_warp_do(module: Any, mask: int) -> None:
    import numpy as np

    x = ((np.arange(128) * 37) % 101 - (np.arange(128) % 7 == 0) * 200).astype(np.int32)
    out = np.full((128, 12), 0xDEAD, np.uint32)
    launched(module, "half_wave", 128, x, out, mask)
    for t in range(128):
        lane, warp = t % 32, range(t // 32 * 32, t // 32 * 32 + 32)
        assert out[t, 0] == lane
        assert out[t, 1] == (1 << lane) - 1
        assert out[t, 2] == (0xFFFFFFFF << lane) & 0xFFFFFFFF
        assert out[t, 3] == 0xFFFFFFFF ^ (1 << lane)
        members = [o for o in warp if x[o] >= 0 and mask >> o % 32 & 1]
        if t not in members:
            assert set(out[t, 4:]) == {0xDEAD}
            continue
        bits = lambda lanes: sum(1 << o % 32 for o in lanes)  # noqa: E731
        assert out[t, 4] == bits(members)
        assert out[t, 5] == bits(o for o in members if x[o] & 1)
        assert out[t, 6] == any(x[o] > 90 for o in members)
        assert out[t, 7] == all(x[o] > 3 for o in members)
        assert out[t, 8] == bits(o for o in members if x[o] % 5 == x[t] % 5)
        same = len({x[o] // 64 for o in members}) == 1
        assert out[t, 10] == same
        assert out[t, 9] == (bits(members) if same else 0)


@pytest.mark.amd
@pytest.mark.parametrize("mask", MASKS)
def test_reduce_sync_reduces_over_the_lanes_of_the_mask(module: Any, mask: int) -> None:
    import numpy as np

    x = ((np.arange(128) * 29) % 83 - 20 - (np.arange(128) == 70) * 500).astype(np.int32)
    out = np.zeros((128, 6), np.int32)
    launched(module, "reduce_sync", 128, x, out, mask)
    for t in range(128):
        members = [x[o] for o in range(t // 32 * 32, t // 32 * 32 + 32) if x[o] > -100 and mask >> o % 32 & 1]
        if x[t] > -100 and mask >> t % 32 & 1:
            want = [
                sum(members),
                min(members),
                max(members),
                *(f.reduce(members) for f in (np.bitwise_and, np.bitwise_or, np.bitwise_xor)),
            ]
            assert list(out[t]) == want, t


@pytest.mark.amd
@pytest.mark.parametrize("block", [(64, 1, 1), (8, 8, 2), (96, 1, 1), (5, 7, 1), (1024, 1, 1)])
def test_wave_and_block_reductions(module: Any, block: tuple[int, int, int]) -> None:
    import numpy as np

    threads = block[0] * block[1] * block[2]
    x = ((np.arange(threads) * 13) % 97 - 11).astype(np.int32)
    out, total = np.zeros((threads, 6), np.int32), np.zeros(1, np.int32)
    launched(module, "wave_reduce", block, x, out, total)
    assert total[0] == x.sum()
    if block[0] * block[1] % 64 == 0:
        for column, width in enumerate((1, 2, 4, 8, 16, 32)):
            assert (out[:, column] == np.repeat(x.reshape(-1, width).sum(1), width)).all(), width


@pytest.mark.amd
def test_group_reductions_and_partitions(module: Any) -> None:
    import numpy as np

    x = ((np.arange(128) * 31) % 89).astype(np.int32)
    out = np.zeros((128, 8), np.int32)
    launched(module, "cg_reduce", 128, x, out)
    for column, width in enumerate((1, 2, 8, 32)):
        assert (out[:, column] == np.repeat(x.reshape(-1, width).sum(1), width)).all(), width
    tiles = x.reshape(-1, 16)
    assert (out[:, 4] == np.repeat(tiles.max(1), 16)).all()
    assert (x[out[:, 5]] == np.repeat(tiles.max(1), 16)).all()
    assert (out[:, 7] == np.repeat(np.bitwise_xor.reduce(tiles, 1), 16)).all()
    odd = x % 2 == 1
    for wave in (slice(0, 64), slice(64, 128)):
        assert set(out[wave, 6][odd[wave]]) == {x[wave][odd[wave]].min()}
    parts = np.zeros((128, 4), np.int32)
    launched(module, "labeled_partition", 128, x, parts)
    for t in range(128):
        same = [o for o in range(t // 32 * 32, t // 32 * 32 + 32) if x[o] % 5 == x[t] % 5]
        assert list(parts[t, :3]) == [len(same), same.index(t), same[0]]


@pytest.mark.amd
def test_the_wave_is_as_wide_as_the_device_says(module: Any) -> None:
    import numpy as np

    for name in ("wave_width", "width_dispatch"):
        out = np.zeros(64, np.int32)
        launched(module, name, 64, out)
        assert set(out) == {64}
    x, out = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
    launched(module, "syncwarp", 128, x, out)
    assert (out == x ^ 1).all()


def finding(at: int, *names: str) -> Finding:
    span = Span("a.cu", at, at + 1)
    return Finding("r", span, "m", Safety.SAFE, Status.SHIMMED, "warp", edits=(Edit(span, b"x"),), shims=names)


@pytest.mark.parametrize(
    ("text", "before"),
    [
        (b"#include <a.h>\n#if X\n#include <b.h>\n#endif\nint y;\n", b"#if X"),
        (b"#ifndef G\n#define G\n#include <a.h>\nint y;\n#endif\n", b"int y"),
        (b"#pragma once\nint y;\n", b"int y"),
        (b"/* #include <no.h> */\nint y;\n", b"/* #include"),
        (b"#include <a.h>\r\nint y;\r\n", b"int y"),
    ],
)
def test_a_shim_goes_after_the_includes_and_only_once(text: bytes, before: bytes) -> None:
    (added,) = shims.supplied(text, "a.cu", [finding(text.index(b"y"), "reduce_sync")], "7.2")
    assert added.span.start == text.index(before)
    written = added.edits[0].text
    assert (b"\r\n" in text) == (b"\r\n" in written)
    done = text[: added.span.start] + written + text[added.span.start :]
    assert not shims.supplied(done, "a.cu", [finding(done.index(b" y"), "reduce_sync")], "7.2")


def test_a_shim_is_written_only_until_rocm_has_the_thing() -> None:
    assert shims.needed("syncwarp", "6.4")
    assert not shims.needed("syncwarp", "7.0")
    assert shims.needed("reduce_sync", "7.2")


def test_the_command_lists_shows_and_writes(tmp_path: Path) -> None:
    run = CliRunner()
    assert all(name in run.invoke(app, ["shim", "list"]).stdout for name in shims.names())
    target = tmp_path / "r.h"
    assert run.invoke(app, ["shim", "write", "reduce_sync", "-o", str(target)]).exit_code == 0
    assert target.read_text() == shims.header("reduce_sync") == run.invoke(app, ["shim", "show", "reduce_sync"]).stdout
    with pytest.raises(UsageError, match="no shim"):
        shims.shim("nothing")


def test_a_port_carries_a_shim_that_the_emulated_source_can_use() -> None:
    data = b"#include <cuda_runtime.h>\n__global__ void k(unsigned* x) { x[0] = __reduce_add_sync(~0u, x[0]); }\n"
    from hipport.config import Config
    from hipport.porting import semantic

    one = SourceFile("a.cu", data)
    found = semantic.with_shims(one, list(semantic.find(one, Config(), None, ())), Config())
    assert [f.rule for f in found if f.edits] == ["reduce-sync", "shim"]


@pytest.mark.parametrize(("rocm", "count"), [("6.4", 1), ("7.2", 0)])
def test_syncwarp_gets_its_shim_before_rocm_7(rocm: str, count: int) -> None:
    from dataclasses import replace

    from hipport.config import Config
    from hipport.porting import semantic

    data = b"#include <cuda_runtime.h>\n__global__ void k(int* x) { x[0] = 1; __syncwarp(); x[1] = x[0]; }\n"
    one, config = SourceFile("a.cu", data), replace(Config(), rocm=rocm)
    found = semantic.with_shims(one, list(semantic.find(one, config, None, ())), config)
    assert [f.rule for f in found if f.edits] == ["shim"] * count


@pytest.mark.amd
@pytest.mark.parametrize("name", ["atomic_half", "atomic_bf16"])
def test_sixteen_bit_atomics_add_and_leave_the_neighbour(module: Any, name: str) -> None:
    import numpy as np

    dtype = np.float16 if name == "atomic_half" else np.uint16
    decoded = lambda a: a if dtype == np.float16 else (a.astype(np.uint32) << 16).view(np.float32)  # noqa: E731
    x = (np.arange(64) % 4 - 1).astype(np.float32)
    one, pair, before = np.zeros(4, dtype), np.zeros(2, dtype), np.zeros(64, np.float32)
    one.view(np.uint16)[3] = 0x8000  # -0.0 beside what is added to
    launched(module, name, 64, x, one, pair, before)
    assert list(decoded(one)[:3]) == [x[::2].sum(), x[1::2].sum(), 64]
    assert one.view(np.uint16)[3] == 0x8000
    assert list(decoded(pair)) == [x.sum(), -x.sum()]
    assert min(before[::2]) == min(0, np.cumsum(x[::2])[:-1].min())


@pytest.mark.amd
def test_vector_atomics_add_each_element(module: Any) -> None:
    import numpy as np

    x = np.arange(96, dtype=np.float32)
    two, four, before = np.zeros(2, np.float32), np.zeros(4, np.float32), np.zeros(96, np.float32)
    launched(module, "atomic_vector", 96, x, two, four, before)
    assert list(two) == [x.sum(), 96]
    assert list(four) == [x.sum(), 192, -x.sum(), 288]
    assert before.min() == 0
    assert before.max() < x.sum()


@pytest.mark.amd
@pytest.mark.parametrize("block", [(1, 1, 1), (33, 1, 1), (5, 7, 3), (96, 1, 1), (1000, 1, 1), (32, 32, 1)])
def test_a_block_adds_up_before_its_one_atomic(module: Any, block: tuple[int, int, int]) -> None:
    import numpy as np

    threads = block[0] * block[1] * block[2]
    x = (np.arange(threads) * 2654435761 % 1021 - 17).astype(np.int32)
    out, wide, real = np.array([5, 9, 0, 0, -1], np.int32), np.zeros(1, np.uint64), np.zeros(1, np.float32)
    launched(module, "block_tree", block, x, out, wide, real)
    bits = np.bitwise_or.reduce(x), np.bitwise_and.reduce(x)
    assert list(out) == [5 + x.sum(), min(9, x.min()), max(0, x.max()), *bits]
    assert int(wide[0]) == int(x.astype(np.int64).sum() << 20) % (1 << 64)
    assert real[0] == x.sum()


@pytest.mark.amd
@pytest.mark.parametrize("block", [(1, 1, 1), (33, 1, 1), (5, 7, 3), (96, 1, 1), (1000, 1, 1), (32, 32, 1)])
def test_a_block_counts_in_lds(module: Any, block: tuple[int, int, int]) -> None:
    import numpy as np

    threads = block[0] * block[1] * block[2]
    x = (np.arange(threads) * 2654435761 % 1021 - 17).astype(np.int32)
    out, wide, real = np.arange(64, dtype=np.int32), np.zeros(16, np.uint64), np.ones(8, np.float32)
    launched(module, "block_bins", block, x, out, wide, real)
    assert list(out) == list(np.arange(64) + np.bincount(x & 63, minlength=64))
    assert list(wide) == list(np.bincount(x & 15, minlength=16).astype(np.uint64) << np.uint64(40))
    assert list(real) == list(1 + 0.5 * np.bincount(x & 7, minlength=8))


@pytest.mark.amd
@pytest.mark.parametrize("block", [1, 33, 64, 96, 1000, 1024])
def test_scoped_atomics_count_as_those_of_cuda_do(module: Any, block: int) -> None:
    import numpy as np

    x = (np.arange(2 * block) * 2654435761 % 1021 - 17).astype(np.int32)
    out, real = np.array([5, 9, 0, 0, 0, 0, *[-1] * 6], np.int32), np.zeros(2, np.float32)
    wide, small = np.zeros(2, np.uint64), np.array([7, 65530, 7], np.uint16)
    module["scoped_atomic"](grid=2, block=block, args=[x, out, real, wide, small])
    bits, odd = np.bitwise_or.reduce(1 << (x & 7)), np.bitwise_xor.reduce(x)
    assert list(out[:5]) == [5 + x.sum(), min(9, x.min()), max(0, x.max()), bits, odd]
    assert list(out[5:6].view(np.int16)) == [2 * block, -2 * block]
    assert list(out[6:]) == [block, block, -1] * 2
    assert list(real) == [0.5 * x[:block].sum(), 0.5 * x[block:].sum()]
    assert int(wide[0]) == 2**64 - 2 * block
    assert wide[1:].view(np.float64)[0] == x.sum()
    assert list(small) == [7, (65530 + 2 * block) % 65536, 7]


@pytest.mark.amd
@pytest.mark.parametrize("start", [0, 3, 6, 9])
def test_counters_of_the_whole_system_wrap_at_their_limit(module: Any, start: int) -> None:
    import numpy as np

    n, before = np.full(2, start, np.uint32), np.zeros((96, 2), np.uint32)
    launched(module, "atomic_system", 96, n, before)
    up, down = [start], [start]
    for _ in range(96):
        up.append(0 if up[-1] >= 6 else up[-1] + 1)
        down.append(6 if down[-1] == 0 or down[-1] > 6 else down[-1] - 1)
    assert list(n) == [up[-1], down[-1]]
    assert sorted(before[:, 0]) == sorted(up[:-1])
    assert sorted(before[:, 1]) == sorted(down[:-1])


@pytest.mark.amd
def test_neutral_elements_are_the_ends_of_a_types_range(module: Any) -> None:
    import numpy as np

    whole, natural, real = np.zeros(6, np.int64), np.zeros(6, np.uint64), np.zeros(4, np.float32)
    launched(module, "neutral", 64, whole, natural, real)
    i32, i64 = np.iinfo(np.int32), np.iinfo(np.int64)
    assert list(whole) == [i32.min, i32.max, -128, 32767, i64.min, i64.max]
    assert list(natural) == [0, 2**32 - 1, 255, 2**64 - 1, 0, 1]
    assert list(real) == [-np.inf, np.inf, -np.inf, np.inf]
