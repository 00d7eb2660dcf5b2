"""The process that runs cases of an extension: `python -m hipport.device.torch_extension.child SITE MEMORY MODULE...`.

Each line of its input is a folder with a request.json; answer.json and arrays are written there, and one byte to the
pipe of $HIPPORT_REPLIES. A fault of a kernel ends the process from within the device's runtime, which writes it down.
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

_OTHER_SEED = 7919  # added for inputs that are to have other numbers


def main(words: list[str]) -> int:
    """Serve requests until the input ends."""
    site, memory, modules = words[0], int(words[1]), words[2:]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:  # twice: tensors, and what the device's runtime and PyTorch itself map
        resource.setrlimit(resource.RLIMIT_AS, (2 * memory, 2 * memory))
    sys.path.insert(0, site)
    device = _Device(os.environ["HIPPORT_TORCH_MEMORY"], Path(site), modules)
    replies = int(os.environ["HIPPORT_REPLIES"])
    with as_cpu():
        for line in sys.stdin:
            folder = Path(line.strip())
            answer = _guarded(folder, device, modules)
            (folder / "answer.json").write_text(json.dumps(answer), encoding="utf-8")
            device.told()
            os.write(replies, b".")
    return 0


class _Device:
    """The runtime's side of this process: where tensors come from, and what kernels did."""

    def __init__(self, memory: str, site: Path, modules: list[str]) -> None:
        """Load it; where it has no library of its own, each module carries it."""
        paths = [Path(memory)] if memory else [site.joinpath(*name.split(".")).with_suffix(".so") for name in modules]
        import torch  # noqa: F401 - its libraries come first

        self.libraries = [ctypes.CDLL(str(path)) for path in paths]
        for other in self.libraries[1:]:
            register, forget = (
                ctypes.cast(f, ctypes.c_void_p) for f in (other.cudaHostRegister, other.cudaHostUnregister)
            )
            self.libraries[0].hipport_torch_share(register, forget)

    def fill(self, pattern: int) -> None:
        """Fresh tensors hold this byte from now on."""
        self.libraries[0].hipport_torch_install(pattern)

    def told(self) -> None:
        """Let the runtime write down what kernels did."""
        for library in self.libraries:
            library.hipport_torch_told()


def _guarded(folder: Path, device: _Device, modules: list[str]) -> dict[str, Any]:
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    try:
        return _answer(request, folder, device, modules)
    except ImportError as error:
        return {"lacks": f"it cannot be imported: {error}"}
    except Exception as error:  # noqa: BLE001 - whatever a case raises is its answer
        traceback.print_exc()
        said = str(error).splitlines()[:1] or [""]
        return {"raised": f"{type(error).__name__}: {said[0]}", "where": _place(error, request["case"])}


def _place(error: BaseException, case: str) -> str:
    """The last line of the case's own file that was running."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename == case]
    return f"{case}:{frames[-1].lineno}" if frames else case


def _answer(request: dict[str, Any], folder: Path, device: _Device, modules: list[str]) -> dict[str, Any]:
    passes = []
    for pattern in request["patterns"]:
        device.fill(pattern)
        extension = importlib.import_module(modules[0])
        case = _module(request["case"])
        passes.append(_run(case, extension, request))
    rows: dict[str, Any] = {
        kind: [_saved(folder, kind, name, tensor) for name, tensor in passes[0][kind].items()]
        for kind in ("inputs", "forward", "backward", "truth")
    }
    rows["unwritten"] = _unwritten(folder, passes, request["patterns"])
    rows["overwritten"] = passes[0]["overwritten"]
    rows["seconds"] = passes[0]["seconds"]
    return rows


def _numbers(inputs: dict[str, Any]) -> list[str]:
    import torch

    return [name for name, value in inputs.items() if torch.is_tensor(value) and value.is_floating_point()]


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

    inputs = {name: _own(value) for name, value in _chosen(case, request).items()}
    before = {name: value.detach().clone() for name, value in inputs.items() if torch.is_tensor(value)}
    started = time.perf_counter()
    outputs = _named(case.run(extension, inputs), "output")
    done = time.perf_counter()
    grads = _gradients(outputs, request["seed"])
    if hasattr(case, "backward"):
        gradients = _named(case.backward(extension, inputs, outputs, grads), "gradient")
    else:
        gradients = _backward(inputs, outputs, grads)
    ended = time.perf_counter()
    return {
        "inputs": before,
        "forward": {name: value.detach() for name, value in outputs.items() if torch.is_tensor(value)},
        "backward": {name: value.detach() for name, value in gradients.items()},
        "truth": _truth(case, before, inputs, grads) if hasattr(case, "truth") else {},
        "overwritten": [name for name, value in before.items() if not _same_bits(value, inputs[name].detach())],
        "seconds": (done - started, ended - done if gradients else 0.0),
    }


def _chosen(case: Any, request: dict[str, Any]) -> dict[str, Any]:
    """The case's inputs by name; those that are to have other numbers come from another seed."""
    inputs = _named(_inputs(case, request, request["seed"]), "input")
    if not request["other"]:
        return inputs
    others = _named(_inputs(case, request, request["seed"] + _OTHER_SEED), "input")
    wanted = _numbers(inputs) if request["other"] == "*" else [request["other"]]
    return {name: others[name] if name in wanted else value for name, value in inputs.items()}


def _inputs(case: Any, request: dict[str, Any], seed: int) -> Any:
    import torch

    torch.manual_seed(seed)
    given = {"seed": seed, **request["values"]}
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


def _gradients(outputs: dict[str, Any], seed: int) -> dict[str, Any]:
    """What comes back into each output: neither 1 nor uniform, the same on every device."""
    import torch

    generator = torch.Generator().manual_seed(seed + 1)
    return {
        name: (torch.rand(value.shape, generator=generator, dtype=torch.float64) * 3 - 1).to(value.dtype)
        for name, value in outputs.items()
        if torch.is_tensor(value) and value.is_floating_point()
    }


def _backward(inputs: dict[str, Any], outputs: dict[str, Any], grads: dict[str, Any]) -> dict[str, Any]:
    """The gradients of the inputs that want one, by the inputs' names."""
    import torch

    wanted = {name: value for name, value in inputs.items() if torch.is_tensor(value) and value.requires_grad}
    ends = [name for name in grads if outputs[name].requires_grad]
    if not wanted or not ends:
        return {}
    found = torch.autograd.grad(
        [outputs[name] for name in ends], list(wanted.values()), [grads[name] for name in ends], allow_unused=True
    )
    return {name: value for name, value in zip(wanted, found, strict=True) if value is not None}


def _truth(case: Any, before: dict[str, Any], inputs: dict[str, Any], grads: dict[str, Any]) -> dict[str, Any]:
    """The case's own truth in float64, and its gradients, from the numbers that the extension was given."""
    import torch

    given = {
        name: value.double().requires_grad_(inputs[name].requires_grad) if value.is_floating_point() else value
        for name, value in before.items()
    }
    given |= {name: value for name, value in inputs.items() if name not in given}
    outputs = _named(case.truth(given), "output")
    back = {name: grads[name].double() for name in outputs if name in grads}
    found = {name: value.detach() for name, value in outputs.items() if torch.is_tensor(value)}
    return {**found, **_backward(given, {name: outputs[name] for name in back}, back)}


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
    plain = tensor.detach().contiguous()
    if dtype == "bfloat16":
        plain = plain.view(torch.uint16)
    elif dtype.startswith("float8"):
        plain = plain.view(torch.uint8)
    file = f"{kind}-{len(list(folder.glob('*.npy')))}.npy"
    np.save(folder / file, plain.numpy(), allow_pickle=False)
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
