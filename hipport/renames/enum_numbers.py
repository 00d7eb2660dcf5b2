"""Enumerations made of numbers: `(cublasOperation_t)trans` compiles with HIP's type and means another operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import Safety, Status
from hipport.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.model import Finding
    from hipport.renames.reading import Reading

# type -> an enumerator, with its number in CUDA and in HIP (rules/tables/differences.tsv)
_TYPES = {
    b"cublasOperation_t": ("CUBLAS_OP_N", 0, 111),
    b"cublasFillMode_t": ("CUBLAS_FILL_MODE_LOWER", 0, 122),
    b"cublasDiagType_t": ("CUBLAS_DIAG_NON_UNIT", 0, 131),
    b"cublasSideMode_t": ("CUBLAS_SIDE_LEFT", 0, 141),
    b"cublasComputeType_t": ("CUBLAS_COMPUTE_32F", 68, 2),
    b"cublasGemmAlgo_t": ("CUBLAS_GEMM_DEFAULT", -1, 160),
    b"cublasMath_t": ("CUBLAS_TENSOR_OP_MATH", 1, 5),
    b"curandRngType_t": ("CURAND_RNG_PSEUDO_DEFAULT", 100, 400),
    b"curandRngType": ("CURAND_RNG_PSEUDO_DEFAULT", 100, 400),
    b"cusolverEigMode_t": ("CUSOLVER_EIG_MODE_NOVECTOR", 0, 201),
    b"cusolverEigType_t": ("CUSOLVER_EIG_TYPE_1", 1, 211),
    b"cusolverEigRange_t": ("CUSOLVER_EIG_RANGE_ALL", 1001, 221),
    b"cudaDeviceAttr": ("cudaDevAttrComputeCapabilityMajor", 75, 23),
    b"CUdevice_attribute": ("CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR", 75, 23),
}
_NAMES = frozenset(_TYPES)
# what follows is the operand; a parenthesis after a word is a parameter list or sizeof
_CAST = pattern(
    rb"(?<![\w)\]>])\(\s*(%s)\s*\)\s*(?=[\w(-])|static_cast\s*<\s*(%s)\s*>\s*(?=\()|(?<![\w:.>*&])(%s)\s*(?=\([^*&)])"
    % ((b"|".join(sorted(_NAMES, reverse=True)),) * 3)
)
_OPERAND = pattern(rb"-?\s*(?:[\w:.]|->)+|\((?:[^()]|\([^()]*\))*\)")
_NAMED = pattern(rb"(?:CUBLAS|CURAND|CUSOLVER|CU_DEVICE|cudaDevAttr|HIP|hip)\w*")


def find_enum_numbers(reading: Reading, declared: frozenset[bytes]) -> Iterator[Finding]:
    """One finding a cast of something that is not by name an enumerator."""
    if not (reading.words & _NAMES) - declared:
        return
    for match in _CAST.finditer(reading.code):
        name = match[1] or match[2] or match[3]
        operand = _OPERAND.match(reading.code, match.end())
        if operand is None or reading.is_dead(match.start()) or _NAMED.search(operand[0]):
            continue
        start = match.start(match.lastindex or 0)
        enumerator, cuda, hip = _TYPES[name]
        yield reading.finding(
            "enum-number", start, start + len(name),
            f"`{name.decode()}` is made of a number: `{enumerator}` is {cuda} in CUDA and {hip} in HIP", Safety.REVIEW,
            Status.REVIEW, _family(enumerator),
            next_step="choose the enumerator by name, unless the number comes from HIP's own",
        )  # fmt: skip


def _family(enumerator: str) -> str:
    head = enumerator.partition("_")[0].lower()
    return {"cu": "driver"}.get(head, head if head in ("cublas", "curand", "cusolver") else "runtime")
