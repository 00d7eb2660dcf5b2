"""CUDA's libraries and functions looked up by name at run time: the string is left, and finds nothing on AMD."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import Finding, Safety, Span, Status
from hipport.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.model import SourceFile
    from hipport.renames.reading import Reading
    from hipport.renames.table import RuleTable

_CALLERS = (
    *(b"dlsym", b"dlopen", b"GetProcAddress", b"LoadLibrary", b"LoadLibraryA", b"LoadLibraryExA"),
    *(b"cuGetProcAddress", b"cuGetProcAddress_v2", b"cudaGetDriverEntryPoint", b"cudaGetDriverEntryPointByVersion"),
)
_WORDS = frozenset(_CALLERS)
_CALL = pattern(rb"(?<![\w])(?:%s)\s*\(" % b"|".join(sorted(_WORDS, reverse=True)))
_FUNCTION = pattern(rb"(?:cu|nvrtc|nccl)\w+")
_LOADED = pattern(rb"""(?<!\w)(?:CDLL|LoadLibrary)\s*\(\s*["']([^"'\n]+)["']""")
_UNEDITED = ": a string is not edited"
_FAR = 400  # no call is longer
_LIBRARIES = {
    "cuda": "amdhip64", "nvcuda": "amdhip64", "cudart": "amdhip64", "nvrtc": "hiprtc", "cublas": "hipblas",
    "cublasLt": "hipblaslt", "cufft": "hipfft", "curand": "hiprand", "cusparse": "hipsparse",
    "cusolver": "hipsolver", "nccl": "rccl", "nvToolsExt": "roctx64", "nvidia-ml": "amd_smi",
}  # fmt: skip

_LIBRARY = pattern(
    rb"(?:lib)?(%s)[-_.\d]*(?:\.so|\.dll|\.dylib)[.\d]*" % "|".join((*_LIBRARIES, "cudnn", "cupti")).encode()
)


def find_symbol_names(reading: Reading, table: RuleTable) -> Iterator[Finding]:
    """One finding a name that is looked up."""
    if not reading.words & _WORDS:
        return
    data = reading.source.data
    for match in _CALL.finditer(reading.code):
        if reading.is_dead(match.start()):
            continue
        stop = reading.code.find(b";", match.end(), match.end() + _FAR)
        for start, end in reading.strings:
            if match.end() <= start < (stop if stop >= 0 else match.end()):
                yield from _told(reading, table, start, end, data[start + 1 : end - 1])


def find_in_python(source: SourceFile) -> Iterator[Finding]:
    """The same of `ctypes.CDLL("libcudart.so")` in a Python file."""
    data = source.data
    for match in _LOADED.finditer(data) if b"ctypes" in data else ():
        library = _LIBRARY.fullmatch(match[1].rsplit(b"/", 1)[-1])
        line = data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()]
        if library is None or b"#" in line:
            continue
        span = Span(source.path, match.start(1), match.end(1))
        message, step = _library(match[1].decode("utf-8", "replace"), library[1].decode())
        yield Finding("symbol-name", span, message + _UNEDITED, Safety.MANUAL, Status.MANUAL, "strings", next_step=step)


def _library(shown: str, name: str) -> tuple[str, str]:
    other = _LIBRARIES.get(name)
    return f"`{shown}` is loaded by name", f"load lib{other}.so" if other else "AMD has no such library"


def _told(reading: Reading, table: RuleTable, start: int, end: int, text: bytes) -> Iterator[Finding]:
    shown = text.decode("utf-8", "replace")
    library = _LIBRARY.fullmatch(text.rsplit(b"/", 1)[-1])
    if library is not None:
        message, step = _library(shown, library[1].decode())
    elif _FUNCTION.fullmatch(text) and (text in table.names or text in table.identities):
        hip = table.names[text].hip if text in table.names else shown
        message = f"`{shown}` is looked up by name"
        step = f"look up `{hip}`" if hip else table.names[text].note
    else:
        return
    yield reading.finding(
        "symbol-name", start, end, message + _UNEDITED, Safety.MANUAL, Status.MANUAL, "strings", next_step=step
    )
