"""Small inputs, made from fixed seeds, for HeCBench programs whose own data are large or not in its repository.

    python -m tests.corpus.hecbench_inputs TREE      # writes into TREE/cc-cuda and so on, where the folder is there

The formats are those that the programs read: ECL graphs (cc, gc, mis), edges as CSV (graphB+), doubles (mpc), nets of
the ISPD 2008 contest (rsmt), FASTA (bsw).
"""

# ruff: noqa: S311 - inputs of fixed seeds, no secrets
from __future__ import annotations

import math
import random
import struct
import sys
from pathlib import Path

_AMINO = "ARNDCQEGHILKMFPSTWYV"


def edges(nodes: int, seed: int, hubs: int = 4) -> set[tuple[int, int]]:
    """Undirected edges: chains, random ones, and hubs of some hundred neighbours; the last tenth stays apart."""
    chance = random.Random(seed)
    found = {(at, at + 1) for at in range(nodes - 1) if at % 37}
    joined = nodes * 9 // 10
    for _ in range(2 * nodes):
        found.add((chance.randrange(joined), chance.randrange(joined)))
    for hub in range(hubs):
        found |= {(hub * 17, chance.randrange(joined)) for _ in range(100 + 150 * hub)}
    return {(min(a, b), max(a, b)) for a, b in found if a != b}


def ecl_graph(nodes: int, seed: int) -> bytes:
    """Nodes, directed edges, the CSR index and the neighbours, as 32-bit integers."""
    neighbours: list[list[int]] = [[] for _ in range(nodes)]
    for a, b in sorted(edges(nodes, seed)):
        neighbours[a].append(b)
        neighbours[b].append(a)
    index = [0]
    for row in neighbours:
        index.append(index[-1] + len(row))
    flat = [node for row in neighbours for node in sorted(row)]
    values = [nodes, len(flat), *index, *flat]
    return struct.pack(f"<{len(values)}i", *values)


def signed_graph(nodes: int, seed: int) -> bytes:
    """A header, then `source,destination,sign`; one part, as the program keeps the largest only."""
    chance = random.Random(seed + 1)
    rows = sorted(edges(nodes, seed) | {(at, at + 1) for at in range(nodes - 1)})
    return "".join(["src,dst,weight\n", *(f"{a},{b},{chance.choice((-1, 1, 1))}\n" for a, b in rows)]).encode()


def doubles(count: int) -> bytes:
    """A smooth signal with some noise."""
    chance = random.Random(5)
    return struct.pack(f"<{count}d", *(math.sin(at / 50) + 1e-6 * chance.random() for at in range(count)))


def nets(count: int) -> bytes:
    """A grid of one layer, and nets of 2 to 60 pins on it."""
    chance = random.Random(6)
    rows = ["grid 200 200 1", "vertical capacity 10", "horizontal capacity 10", "minimum width 1"]
    rows += ["minimum spacing 1", "via spacing 1", "0 0 10 10", "", f"num net {count}"]
    for net in range(count):
        pins = chance.choice((2, 2, 3, 4, 5, 9, 17, 33, 60))
        rows.append(f"n{net} {net} {pins} 1")
        rows += [f"{chance.randrange(2000)} {chance.randrange(2000)} 1" for _ in range(pins)]
    return ("\n".join(rows) + "\n").encode()


def proteins(count: int, lengths: tuple[int, int], seed: int) -> bytes:
    """Protein sequences; those of one seed begin alike, so that they align."""
    chance = random.Random(seed)
    common = "".join(random.Random(7).choices(_AMINO, k=lengths[1]))
    rows = []
    for at in range(count):
        size = chance.randint(*lengths)
        rows += [f">{at}", "".join(c if chance.random() < 0.8 else chance.choice(_AMINO) for c in common[:size])]
    return ("\n".join(rows) + "\n").encode()


def inputs() -> dict[str, bytes]:
    """Path below the tree -> content."""
    return {
        "cc-cuda/small.egr": ecl_graph(1500, 1),
        "gc-cuda/small.egr": ecl_graph(200, 2),
        "mis-cuda/small.egr": ecl_graph(1500, 3),
        "graphB+-cuda/small.csv": signed_graph(600, 4),
        "mpc-cuda/small.trace": doubles(20000),
        "rsmt-cuda/small.gr": nets(300),
        "bsw-cuda/reference.fasta": proteins(24, (130, 200), 8),
        "bsw-cuda/query.fasta": proteins(24, (80, 120), 9),
    }


def main() -> None:
    for name, data in inputs().items():
        path = Path(sys.argv[1]) / name
        if path.parent.is_dir():
            path.write_bytes(data)


if __name__ == "__main__":
    main()
