"""The process that runs a case of an extension: `python -m hipport.device.torch_extension.child FOLDER`.

FOLDER has request.json; answer.json and arrays are written there. A fault of a kernel ends the process from within the
device's runtime, which writes it down itself.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import inspect
import json
import os
import resource
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from hipport.device.torch_extension.as_cpu import as_cpu


def main(words: list[str]) -> int:
    """Run the request of a folder."""
    folder = Path(words[0])
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if request["memory"]:
        resource.setrlimit(resource.RLIMIT_AS, (2 * request["memory"], 2 * request["memory"]))
    try:
        answer = _answer(request, folder)
    except ImportError as error:
        answer = {"lacks": f"it cannot be imported: {error}"}
    except Exception as error:  # noqa: BLE001 whatever a case raises is its answer
        answer = {"raised": f"{type(error).__name__}: {error}".splitlines()[0], "where": _place(error, request["case"])}
        traceback.print_exc()
    (folder / "answer.json").write_text(json.dumps(answer), encoding="utf-8")
    return 0


def _place(error: BaseException, case: str) -> str:
    """The last line of the case's own file that was running."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename == case]
    return f"{case}:{frames[-1].lineno}" if frames else case


def _answer(request: dict[str, Any], folder: Path) -> dict[str, Any]:
    memory = ctypes.CDLL(os.environ["HIPPORT_TORCH_MEMORY"], mode=ctypes.RTLD_GLOBAL)
    sys.path.insert(0, request["site"])
    passes = []
    with as_cpu():
        for pattern in request["patterns"]:
            memory.hipport_torch_install(pattern)
            extension = importlib.import_module(request["modules"][0])
            passes.append(_run(_module(request["case"]), extension, request))
    rows: dict[str, Any] = {
        kind: [_saved(folder, kind, name, tensor) for name, tensor in passes[0][kind].items()]
        for kind in ("inputs", "forward", "backward")
    }
    rows["unwritten"] = _unwritten(folder, passes, request["patterns"])
    rows["overwritten"] = passes[0]["overwritten"]
    rows["seconds"] = passes[0]["seconds"]
    return rows


def _module(path: str) -> Any:
    sys.path.insert(0, str(Path(path).parent))
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _run(case: Any, extension: Any, request: dict[str, Any]) -> dict[str, Any]:
    """One pass: inputs, forward, backward, by name."""
    import torch

    torch.manual_seed(request["seed"])
    inputs = {name: _own(value) for name, value in _named(_inputs(case, request), "input").items()}
    before = {name: value.detach().clone() for name, value in inputs.items() if torch.is_tensor(value)}
    started = time.perf_counter()
    outputs = _named(case.run(extension, inputs), "output")
    done = time.perf_counter()
    gradients = _backward(case, extension, inputs, outputs, request["seed"])
    ended = time.perf_counter()
    return {
        "inputs": before,
        "forward": {name: value.detach() for name, value in outputs.items() if torch.is_tensor(value)},
        "backward": gradients,
        "overwritten": [name for name, value in before.items() if not _same_bits(value, inputs[name].detach())],
        "seconds": (done - started, ended - done if gradients else 0.0),
    }


def _inputs(case: Any, request: dict[str, Any]) -> Any:
    given = {"seed": request["seed"], **request["values"]}
    taken = inspect.signature(case.inputs).parameters
    every = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in taken.values())
    return case.inputs(**{name: value for name, value in given.items() if every or name in taken})


def _named(value: Any, kind: str) -> dict[str, Any]:
    """Tensors by name, whatever the case gave: a dict, a tuple or one tensor."""
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, (tuple, list)):
        return {f"{kind}{at}": one for at, one in enumerate(value)}
    return {kind: value}


def _own(value: Any) -> Any:
    """The value in memory that the device knows: a tensor that came from elsewhere is copied."""
    import torch

    if not torch.is_tensor(value):
        return value
    return value.detach().clone(memory_format=torch.preserve_format).requires_grad_(value.requires_grad)


def _backward(case: Any, extension: Any, inputs: dict[str, Any], outputs: dict[str, Any], seed: int) -> dict[str, Any]:
    import torch

    generator = torch.Generator().manual_seed(seed + 1)
    grads = {
        name: (torch.rand(value.shape, generator=generator, dtype=torch.float64) * 3 - 1).to(value.dtype)
        for name, value in outputs.items()
        if torch.is_tensor(value) and value.is_floating_point()
    }
    if hasattr(case, "backward"):
        given = _named(case.backward(extension, inputs, outputs, grads), "gradient")
        return {name: value.detach() for name, value in given.items()}
    wanted = {name: value for name, value in inputs.items() if torch.is_tensor(value) and value.requires_grad}
    ends = [name for name in grads if outputs[name].requires_grad]
    if not wanted or not ends:
        return {}
    found = torch.autograd.grad(
        [outputs[name] for name in ends], list(wanted.values()), [grads[name] for name in ends], allow_unused=True
    )
    return {name: value.detach() for name, value in zip(wanted, found, strict=True) if value is not None}


def _bits(tensor: Any) -> Any:
    """The tensor's elements as bytes, one row an element."""
    import torch

    flat = tensor.detach().contiguous().reshape(-1)
    return flat.view(torch.uint8).reshape(len(flat), -1) if len(flat) else flat.to(torch.uint8).reshape(0, 1)


def _same_bits(one: Any, other: Any) -> bool:
    import torch

    return one.shape == other.shape and bool(torch.equal(_bits(one), _bits(other)))


def _saved(folder: Path, kind: str, name: str, tensor: Any) -> dict[str, str]:
    import numpy as np
    import torch

    dtype = str(tensor.dtype).removeprefix("torch.")
    plain = tensor.detach().float() if tensor.dtype is torch.bfloat16 or "float8" in dtype else tensor.detach()
    file = f"{kind}-{len(list(folder.glob('*.npy')))}.npy"
    np.save(folder / file, plain.contiguous().numpy(), allow_pickle=False)
    return {"name": name, "dtype": dtype, "file": file}


def _unwritten(folder: Path, passes: list[dict[str, Any]], patterns: list[int]) -> list[dict[str, str]]:
    """Masks of the elements that hold every pass's own pattern."""
    import torch

    found = []
    for kind in ("forward", "backward"):
        for name in passes[0][kind]:
            masks = [(_bits(one[kind][name]) == pattern).all(1) for one, pattern in zip(passes, patterns, strict=True)]
            mask = torch.stack(masks).all(0)
            if bool(mask.any()):
                found.append(_saved(folder, "unwritten", name, mask))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
