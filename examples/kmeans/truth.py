def squared_norms(given):
    """In float64."""
    return {"norms": (given["rows"] ** 2).sum(axis=1)}
