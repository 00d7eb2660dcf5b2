"""The truth of a case in float64: a Python function beside the case file, called only when a case is verified."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING, Any

from hipport.diffing.formats import Tensor
from hipport.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hipport.diffing.cases import Case


def truth(case: Case, given: Mapping[str, Any]) -> Mapping[str, Tensor]:
    """What the oracle says for these inputs, by output.

    Raises:
        DataError: it cannot be called, or gives no arrays by name.
    """
    import numpy as np

    file, _, name = case.oracle.rpartition(":")
    function = loaded(case.folder / file, name, case.where)
    try:
        with np.errstate(all="ignore"):
            answer = function(dict(given))
    except Exception as error:
        raise DataError(
            f"the oracle {case.oracle} failed: {type(error).__name__}: {error}", where=case.where
        ) from error
    if not isinstance(answer, dict):
        raise DataError(f"the oracle {case.oracle} gives no dict of arrays by output", where=case.where)
    return {key: Tensor.of(np.asarray(value, dtype=np.float64)) for key, value in answer.items()}


def loaded(path: Path, name: str, where: str) -> Callable[..., Any]:
    """A function of a Python file.

    Raises:
        DataError: the file cannot be imported, or has no such function.
    """
    module = module_of(path, where)
    function = getattr(module, name, None)
    if not callable(function):
        raise DataError(f"{path.name} has no function `{name}`", where=where)
    found: Callable[..., Any] = function
    return found


def module_of(path: Path, where: str) -> Any:
    """A Python file as a module.

    Raises:
        DataError: it cannot be imported.
    """
    name = f"hipport_case_{path.stem}_{abs(hash(path.resolve()))}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise DataError(f"{path} is no Python file", where=where)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise DataError(f"{path.name} cannot be imported: {type(error).__name__}: {error}", where=where) from error
    return module
