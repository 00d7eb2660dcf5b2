import numpy as np


def warp_scan(given):
    """In float64: running sums that start anew with each warp of 32."""
    values = given["values"]
    sums = np.empty_like(values)
    for start in range(0, len(values), 32):
        sums[start : start + 32] = np.cumsum(values[start : start + 32])
    return {"sums": sums}
