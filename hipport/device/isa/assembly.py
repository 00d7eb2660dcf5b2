"""AMDGPU assembly text as clang prints it -> functions, instructions, data and source places."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from hipport.device.isa.data import DataBuilder, DataObject
from hipport.errors import DataError


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the source as the line table has it. `file` is empty where the compiler gave none."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: `operands` as written; `modifiers` are what follows them (name -> value, or an empty string)."""

    mnemonic: str
    operands: tuple[str, ...]
    modifiers: dict[str, str]
    line: int
    place: Place


@dataclass(frozen=True, slots=True)
class Function:
    """A kernel or a device function: instructions and the labels in front of them (index -> names)."""

    name: str
    instructions: tuple[Instruction, ...]
    labels: dict[int, tuple[str, ...]]
    line: int


@dataclass(frozen=True, slots=True)
class Assembly:
    """One translation unit. `descriptors` are the .amdhsa_ values of each kernel, `metadata` the YAML text."""

    target: str
    functions: tuple[Function, ...]
    data: tuple[DataObject, ...]
    descriptors: dict[str, dict[str, str]]
    symbols: dict[str, str]
    metadata: str
    lds: dict[str, int]


_LABEL = re.compile(r"([\w.$@]+|\"[^\"]+\"):\s*(?:;.*)?$")
_INSTRUCTION = re.compile(r"\s+([a-z]\w+)\s*(.*)$")
_MODIFIER = re.compile(r"([a-z_][a-z0-9_]*)(?::(\[[^\]]*\]|swizzle\((?:[^()\"]|\"[^\"]*\")*\)|[^\s,]+))?[\s,]*")
_FILE = re.compile(r'\s*\.file\s+(\d+)\s+(?:"((?:[^"\\]|\\.)*)"\s+)?"((?:[^"\\]|\\.)*)"')
_LOC = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)(?:\s+(\d+))?[^;]*(?:;(.*))?")
_CHAIN = re.compile(r"@\[ (\S+?):(\d+):(\d+)")
_HOST_CALL = re.compile(r"\s*;\s*hipport_hostcall\s+(.*)$")
# where an operand list ends: a space before a word that is no operand
_MODIFIER_START = re.compile(
    r"(?:^|[\s,])(?=(?:offset|offset0|offset1|quad_perm|row_\w+|wave_\w+|bank_mask|bound_ctrl|fi|clamp|mul|div|op_sel|op_sel_hi|neg_lo|"
    r"neg_hi|dst_sel|dst_unused|src0_sel|src1_sel|sc0|sc1|nt|glc|slc|dlc|gds|lds|tfe|offen|idxen|addr64|cbsz|abid|blgp|"
    r"format|bitop3|scale_\w+|th|scope|inst_offset|neg|dpp8|byte_sel)(?::|\b(?![\[\w@])))"
)
_SYSTEM = ("/include/hip/", "/hipport_device.h", "/lib/clang/", "/__clang_", "/include/rocprim/", "/include/c++/")


def split_operands(text: str) -> tuple[str, ...]:
    """Operands between commas that are not inside brackets."""
    if " off" in text:  # hand-written assembly may leave the comma out
        text = re.sub(r"(?<=[\]\d]) +(?=off\b|v\[|v\d|s\[)", ", ", text)
    if "[" not in text and "(" not in text:
        return tuple(part.strip() for part in text.split(",")) if text else ()
    out, depth, start = [], 0, 0
    for i, char in enumerate(text):
        if char in "[(":
            depth += 1
        elif char in "])":
            depth -= 1
        elif char == "," and not depth:
            out.append(text[start:i].strip())
            start = i + 1
    out.append(text[start:].strip())
    return tuple(part for part in out if part)


def parse_modifiers(text: str) -> dict[str, str]:
    """`offset:16 sc0` -> {"offset": "16", "sc0": ""}."""
    return {m[1]: m[2] or "" for m in _MODIFIER.finditer(text)}


def parse_instruction(mnemonic: str, rest: str, line: int, place: Place) -> Instruction:
    """The operands and modifiers of one line; comments are already gone."""
    if mnemonic.startswith(("s_waitcnt", "s_getreg", "s_setreg", "s_sendmsg", "s_delay")):
        return Instruction(mnemonic, split_operands(rest), {}, line, place)
    found = _MODIFIER_START.search(rest)
    if found is None:
        return Instruction(mnemonic, split_operands(rest), {}, line, place)
    head = rest[: found.start()].strip().rstrip(",")
    return Instruction(
        mnemonic, split_operands(head), parse_modifiers(rest[found.start() :].lstrip(" ,\t")), line, place
    )


class _Parser:
    """State of one pass over the lines."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.folder = ""
        self.target = ""
        self.functions: list[Function] = []
        self.descriptors: dict[str, dict[str, str]] = {}
        self.symbols: dict[str, str] = {}
        self.types: dict[str, str] = {}
        self.data = DataBuilder()
        self.metadata: list[str] = []
        self.lds: dict[str, int] = {}
        self.section = ".text"
        self.place = Place("", 0, 0)
        self.name = ""
        self.start = 0
        self.instructions: list[Instruction] = []
        self.labels: dict[int, list[str]] = {}
        self.descriptor: dict[str, str] | None = None
        self.in_metadata = False

    def finish_function(self) -> None:
        if self.name:
            labels = {i: tuple(names) for i, names in self.labels.items()}
            self.functions.append(Function(self.name, tuple(self.instructions), labels, self.start))
        self.name, self.instructions, self.labels = "", [], {}

    def label(self, name: str, line: int) -> None:
        if not self.section.startswith(".text"):
            self.data.label(name, self.section)
        elif self.types.get(name) == "function":
            self.finish_function()
            self.name, self.start = name, line
        elif self.name:
            self.labels.setdefault(len(self.instructions), []).append(name)

    def location(self, text: str) -> None:
        m = _LOC.match(text)
        if m is None:
            return
        place = Place(self.files.get(m[1], ""), int(m[2]), int(m[3] or 0))
        if m[4] and any(part in place.file for part in _SYSTEM):
            place = next(
                (
                    Place(c[1], int(c[2]), int(c[3]))
                    for c in _CHAIN.finditer(m[4])
                    if not any(part in c[1] for part in _SYSTEM)
                ),
                place,
            )
        if place.line or not self.place.line:
            self.place = place

    def directive(self, text: str) -> None:
        word, _, rest = text.partition("\t") if "\t" in text else text.partition(" ")
        rest = rest.strip()
        if word == ".section":
            self.section = rest.split(",")[0].strip()
        elif word in {".text", ".data", ".rodata", ".bss"}:
            self.section = word
        elif word == ".type":
            name, _, kind = rest.partition(",")
            self.types[name.strip()] = kind.split(";")[0].strip().lstrip("@")
        elif word == ".size":
            name, _, size = rest.partition(",")
            self.data.size(name.strip(), size.split(";")[0].strip())
            if name.strip() == self.name:
                self.finish_function()
        elif word in {".set", ".equ"}:
            name, _, value = rest.partition(",")
            self.symbols[name.strip()] = value.split(";")[0].strip()
        elif word == ".amdhsa_kernel":
            self.descriptor = self.descriptors.setdefault(rest, {})
        elif word == ".end_amdhsa_kernel":
            self.descriptor = None
        elif word.startswith(".amdhsa_") and self.descriptor is not None:
            self.descriptor[word[8:]] = rest.split(";")[0].strip()
        elif word == ".amdgcn_target":
            self.target = rest.strip('"').rpartition("--")[2]
        elif word == ".amdgpu_lds":
            self.lds.setdefault(rest.split(",")[0].strip(), 0)
        elif word == ".amdgpu_metadata":
            self.in_metadata = True
        else:
            self.data.directive(word, rest, self.section)

    def line(self, text: str, number: int) -> None:
        stripped = text.strip()
        if self.in_metadata:
            if stripped == ".end_amdgpu_metadata":
                self.in_metadata = False
            else:
                self.metadata.append(text)
            return
        if not stripped:
            return
        if stripped[0] == ";":
            m = _HOST_CALL.match(text)
            if m and self.name:
                self.instructions.append(Instruction("hipport_hostcall", split_operands(m[1]), {}, number, self.place))
            return
        if stripped.startswith(".loc"):
            self.location(text)
            return
        if stripped.startswith(".file"):
            m = _FILE.match(text)
            if m:
                self.files[m[1]] = posixpath.join(self.folder, m[2] or "", m[3])
                if m[1] == "0":  # where the compiler ran: other names are relative to it
                    self.folder = m[2] or ""
            return
        if text[0] not in "\t ":
            m = _LABEL.match(text)
            if m:
                self.label(m[1].strip('"'), number)
                return
        if stripped[0] == ".":
            self.directive(stripped)
            return
        if not self.name:
            return
        m = _INSTRUCTION.match(text.split(";", 1)[0] if '"' not in text else text)
        if m:
            self.instructions.append(parse_instruction(m[1], m[2].strip(), number, self.place))


def parse(text: str) -> Assembly:
    """The whole of one assembly file.

    Raises:
        DataError: it names no AMD target.
    """
    parser = _Parser()
    for number, line in enumerate(text.split("\n"), 1):
        parser.line(line, number)
    parser.finish_function()
    if not parser.target:
        raise DataError("not AMDGPU assembly: no .amdgcn_target", next_step="compile with --offload-device-only -S")
    return Assembly(
        parser.target.split(":")[0],
        tuple(parser.functions),
        parser.data.objects(),
        parser.descriptors,
        parser.symbols,
        "\n".join(parser.metadata),
        parser.lds,
    )
