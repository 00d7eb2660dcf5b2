import numpy as np


def forward(given):
    """In float64, by rows."""
    x = given["x"]
    shifted = np.exp(x - x.max(axis=1, keepdims=True))
    return {"y": shifted / shifted.sum(axis=1, keepdims=True)}
