"""Files whose lines are only named: images and CI, dependencies, Meson and Bazel. Nothing in them is edited."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.buildfiles.findings import left
from hipport.buildfiles.kinds import BuildKind, kind_of
from hipport.model import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.config import Config
    from hipport.model import Finding, SourceFile

_Rules = tuple[tuple[str, re.Pattern[str], str, str], ...]

_TORCH_INDEX = (
    "build-dependency",
    re.compile(r"download\.pytorch\.org/whl/(?:\w+/)?cu\d+|\btorch\S*\+cu\d+|pytorch-cuda"),
    "names PyTorch for CUDA",
    "PyTorch's ROCm wheels lie at https://download.pytorch.org/whl/rocm<version>",
)
_PACKAGES = (
    "build-dependency",
    re.compile(
        r"\bnvidia-[a-z0-9-]+-cu\d+|\bcupy(?:-cuda\w+)?\b|\bcuda-(?:toolkit|python|nvcc)\b|\bcudatoolkit\b|\bpynvml\b|"
        r"\bflash-attn\b|\btensorrt\b|\bcudnn\b|\bnvidia-cuda-\w+"
    ),
    "is a package for CUDA",
    "take its ROCm counterpart (cupy-rocm-*, amdsmi, ...), or leave it out on ROCm",
)
_IMAGE = (
    "build-image",
    re.compile(
        r"\bnvidia/cuda(?:gl)?:[\w.-]+|\bnvcr\.io/[\w./:-]+|\bpytorch/pytorch:[\w.-]*cuda[\w.-]*|\bmanylinux\w*-cuda[\w.:-]*"
    ),
    "is an image with CUDA",
    "ROCm's images are rocm/dev-ubuntu-24.04, rocm/pytorch and rocm/rocm-terminal",
)
_CI = (
    "build-image",
    re.compile(
        r"Jimver/cuda-toolkit\S*|\bcuda-toolkit-[\d-]+\b|\bnvidia-container-toolkit\b|--gpus\b(?:[= ]\S+)?|"
        r"\bnvidia-smi\b|"
        r"\bTORCH_CUDA_ARCH_LIST\b|\bCUDA_HOME\b|developer\.download\.nvidia\.com\S*|\bnvcc\b"
    ),
    "is CUDA's",
    "ROCm: its apt packages or images, --device=/dev/kfd --device=/dev/dri, amd-smi, PYTORCH_ROCM_ARCH, ROCM_PATH",
)
_BAZEL = (
    "build-bazel",
    re.compile(
        r"\bcuda_(?:library|binary|test|objects)\b|@rules_cuda\b[^\"]*|@local_config_cuda\b[^\"]*|@cuda\b[^\"]*|"
        r"\bif_cuda\w*|--config=cuda\b|\bgpu_kernel_library\b"
    ),
    "is a rule for CUDA",
    "rules_rocm or @local_config_rocm with rocm_library and if_rocm are its counterparts: write them by hand",
)
_MESON = (
    "build-meson",
    re.compile(
        r"(?<=['\"])cuda(?=['\"])|import\(\s*['\"]unstable-cuda['\"]\s*\)|\bcuda_args\b|['\"](?:cublas|cudart|cufft|curand|cusparse|cusolver)['\"]"
    ),
    "is CUDA's",
    "Meson has no HIP language: compile the .hip files in a custom_target with hipcc, and link dependency('hip')",
)
_RULES: Mapping[BuildKind, _Rules] = {
    BuildKind.IMAGE: (_IMAGE, _TORCH_INDEX, _CI, _PACKAGES),
    BuildKind.PROJECT: (_TORCH_INDEX, _PACKAGES, _IMAGE),
    BuildKind.BAZEL: (_BAZEL,),
    BuildKind.MESON: (_MESON,),
}
_PROJECT_CMAKE = re.compile(r"CMAKE_CUDA_\w+|CUDA_ARCHITECTURES")


def find(source: SourceFile, config: Config, renamed: Mapping[str, str]) -> Iterator[Finding]:
    """What is CUDA's in the file, once a line and rule."""
    del config, renamed
    kind = kind_of(source.path)
    text = source.data.decode("latin-1")
    at = 0
    for line in text.splitlines(keepends=True):
        code = line if kind in {BuildKind.PROJECT, BuildKind.IMAGE} and "#" not in line else _code(line)
        for rule, pattern, what, step in _RULES[kind]:
            match = pattern.search(code)
            if match:
                yield left(rule, Span(source.path, at + match.start(), at + match.end()), f"`{match[0]}` {what}", step)
                break
        match = _PROJECT_CMAKE.search(code) if kind is BuildKind.PROJECT else None
        if match:
            span = Span(source.path, at + match.start(), at + match.end())
            yield left(
                "build-arch", span, f"`{match[0]}` is a setting for CUDA", "CMAKE_HIP_ARCHITECTURES names AMD targets"
            )
        at += len(line)


def _code(line: str) -> str:
    """The line without its comment."""
    return re.sub(r"(?:^|\s)#.*", "", line)
