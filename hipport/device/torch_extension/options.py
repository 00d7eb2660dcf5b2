"""The words that a setup.py gives to compilers, as this build takes them: this build decides on level and standard."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# optimisation, standard, debugging, the GPU and the tool's own verbosity: this build decides
_OWN = re.compile(
    r"-O\w*|-?-std=.*|-g\w*|-W.*|-w|-?-gencode.*|-?-arch.*|--offload-.*|--gpu-architecture.*|-?-code=.*|-v|-s|-pipe"
    r"|-gline-tables-only|-fdiagnostics.*|-Rpass.*|--resource-usage"
)
# nvcc's alone: no meaning here, or done anyway
_NVCC = re.compile(
    r"--?(expt|extended-lambda|maxrregcount|ptxas|nvlink|threads|t\d|diag|Werror|res-usage|keep|objtemp|ccbin|lineinfo|"
    r"use_fast_math|fmad|ftz|prec-|restrict|source-in-ptx|generate-|default-stream|relocatable|rdc|display|m64).*"
)
_NVCC_WITH_VALUE = frozenset(
    ("-Xptxas", "-Xcompiler", "-Xlinker", "-Xcudafe", "-Xnvlink", "-Xfatbin", "--compiler-options")
)
_WITH_VALUE = frozenset(
    ("-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code", "-std", "--threads", "-t", "-ccbin")
)


def kept(words: Sequence[str]) -> tuple[str, ...]:
    """The words that say what the code means: macros, include folders, language switches."""
    return tuple(_kept(list(words)))


def _kept(words: list[str]) -> Iterator[str]:
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in _NVCC_WITH_VALUE or word in _WITH_VALUE:
            at += 1
        elif not (_OWN.fullmatch(word) or _NVCC.fullmatch(word) or word.partition("=")[0] in _NVCC_WITH_VALUE):
            yield word
