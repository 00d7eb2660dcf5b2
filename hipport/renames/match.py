"""Bytes and a table of rules -> findings: what the lexical tier has to say about one file."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hipport.config import Launch, Stage
from hipport.model import Edit, Finding, RenameRule, Safety, SourceFile, Span, Status
from hipport.patterns import pattern
from hipport.renames.calls import call_at, enclosing_callee, fits, name_for, rewrite_call
from hipport.renames.capability import find_capability_tests
from hipport.renames.dialect import find_dialect
from hipport.renames.embedded import find_in_python, find_in_strings, find_ptx
from hipport.renames.enum_numbers import find_enum_numbers
from hipport.renames.guards import MACROS, find_guards
from hipport.renames.includes import find_includes
from hipport.renames.launches import find_launches
from hipport.renames.matrix_units import find_matrix_units, find_tf32
from hipport.renames.namespaces import Namespaces, find_namespaces
from hipport.renames.occurrences import NO_TYPES, Place, last_word, occurrences, place_of
from hipport.renames.reading import Reading, read
from hipport.renames.scopes import Shadows, declarations, may_introduce
from hipport.renames.symbol_names import find_in_python as find_loaded
from hipport.renames.symbol_names import find_symbol_names
from hipport.renames.textures import find_textures
from hipport.renames.warpmasks import find_warp_masks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.config import Config
    from hipport.renames.table import RuleTable

_PREFIX_PASTED = pattern(
    rb"(?<![\w#])(cuda|CUDA|cu|CU|cublas|CUBLAS|cufft|curand|cusparse|cusolver|cudnn|nvrtc|nccl)[ \t]*##"
)
_NO_HEADERS: Mapping[str, str] = {}


def find(
    source: SourceFile,
    table: RuleTable,
    config: Config,
    declared: frozenset[bytes] = frozenset(),
    local_headers: Mapping[str, str] = _NO_HEADERS,
    *,
    implicit_include: bool = True,
) -> tuple[Finding, ...]:
    """Every lexical finding about a file, in the order of its bytes.

    Args:
        source: a C, C++, CUDA, HIP or Jinja file, or a Python file (only its strings are looked at).
        table: the rules of one ROCm version.
        config: `launch` counts here, and whether later stages look at the warp code.
        declared: names that the repository declares itself (`declared()` over all its files).
        local_headers: an include as this file writes it -> its new spelling.
        implicit_include: False for a file that others include, which needs no runtime header of its own.
    """
    if source.path.endswith((".py", ".pyi")):
        return (*find_in_python(source), *find_loaded(source), *find_tf32(source))
    reading = read(source)
    known = _known(table)
    findings = [*find_includes(reading, table, local_headers, implicit=implicit_include)]
    hits = (table.names.keys() & reading.words) - MACROS
    findings += find_guards(reading)
    findings += find_launches(reading, ggl=config.launch is Launch.GGL)
    findings += find_in_strings(reading)
    findings += find_dialect(reading)
    findings += find_capability_tests(reading)
    findings += find_matrix_units(reading)
    findings += find_symbol_names(reading, table)
    findings += find_enum_numbers(reading, declared)
    findings += find_textures(reading, config.targets, declared)
    if Stage.REWRITE not in config.only:
        findings += find_warp_masks(reading)
        findings += find_ptx(reading)
    findings += _find_names(reading, table, known, hits, declared)
    if reading.pastes:
        findings += _find_pasted_prefixes(reading)
    findings.sort(key=lambda finding: (finding.span.start, finding.span.end))
    return tuple(_unrewritten(findings))


def _unrewritten(findings: list[Finding]) -> list[Finding]:
    """Without the renames of tokens that the rewrite of a whole call replaces (`spelled`)."""
    replaced = {
        (edit.span.start, edit.span.end)
        for finding in findings
        for edit in finding.edits
        if edit.span.start >= finding.span.end and edit.span.end > edit.span.start
    }
    if not replaced:
        return findings
    return [f for f in findings if (f.span.start, f.span.end) not in replaced]


class _Known(NamedTuple):
    """What the matcher asks a table for in every file, made once a table."""

    prefixes: tuple[bytes, ...]
    head: int  # the length of the shortest
    heads: frozenset[bytes]  # so many first bytes of each
    spaces: Namespaces


@lru_cache(maxsize=4)
def _known(table: RuleTable) -> _Known:
    prefixes = tuple(key[:-1] for key in table.prefixes)
    head = min(map(len, prefixes), default=0)
    return _Known(prefixes, head, frozenset(prefix[:head] for prefix in prefixes), Namespaces.of(table))


def _find_names(
    reading: Reading, table: RuleTable, known: _Known, hits: set[bytes], declared: frozenset[bytes]
) -> Iterator[Finding]:
    hits = hits - declared
    rules = {name: table.names[name] for name in hits}
    rules.update(_by_prefix(reading, table, known, declared))
    placed: list[tuple[int, bytes, Place]] = []
    introduced: list[tuple[int, bytes]] = []
    has_enum = b"enum" in reading.words
    for position, name in occurrences(reading, set(rules)):
        place, word = place_of(reading, position, position + len(name))
        placed.append((position, name, place))
        if place is Place.PLAIN and (may_introduce(word) if word else has_enum and _is_listed(reading, position)):
            introduced.append((position, name))
    introduced += [
        (p, h) for p, h in occurrences(reading, reading.words & known.spaces.heads) if _is_introduced(reading, p)
    ]
    shadows = Shadows(reading, declared, declarations(reading, introduced) if introduced else ())
    yield from find_namespaces(reading, known.spaces, shadows)
    makers: dict[bytes, _Rename] = {}
    for position, name, place in placed:
        if place is Place.FOREIGN and _enumerated(reading, position, rules[name], rules):
            place = Place.GLOBAL  # noqa: PLW2901 - what `cudaMemcpyKind::` qualifies is CUDA's
        if place is Place.MEMBER or place is Place.FOREIGN or reading.is_dead(position):
            continue
        if shadows and shadows(position, name, place):
            continue
        maker = makers.get(name)
        if maker is None:
            maker = makers[name] = _Rename(rules[name], rules)
        yield maker.at(reading, position, place)


def _enumerated(reading: Reading, position: int, rule: RenameRule, rules: Mapping[bytes, RenameRule]) -> bool:
    """Whether an enumerator is qualified by a type of CUDA's: `cudaMemcpyKind::cudaMemcpyDefault`."""
    owner = rules.get(last_word(reading.before(position).removesuffix(b"::").rstrip()))
    return rule.kind == "constant" and owner is not None and owner.kind == "type"


def _is_listed(reading: Reading, position: int) -> bool:
    """Whether a name stands where an enumerator may stand."""
    return reading.before(position)[-1:] in (b"{", b",")


def _is_introduced(reading: Reading, position: int) -> bool:
    return reading.before(position).endswith(b"namespace")


class _Rename:
    """Makes the findings of one rule."""

    def __init__(self, rule: RenameRule, rules: Mapping[bytes, RenameRule]) -> None:
        self.rule = rule
        self.rules = rules
        self.cuda = rule.cuda.encode()
        self.hip = rule.hip.encode()
        safe = rule.safety is Safety.SAFE
        self.status = Status.RENAMED if safe else Status.REVIEW
        self.message = f"`{rule.cuda}` is `{rule.hip}`" if rule.hip != rule.cuda else f"`{rule.cuda}` differs on HIP"

    def at(self, reading: Reading, position: int, place: Place) -> Finding:
        """The finding about one occurrence."""
        rule, end = self.rule, position + len(self.cuda)
        if place is Place.PASTED:
            return reading.finding(
                "token-paste", position, end, f"`{rule.cuda}` is pasted to another token by `##`", Safety.MANUAL,
                Status.MANUAL, rule.family, next_step="write the HIP names into the macro by hand",
            )  # fmt: skip
        if not self.hip:
            return reading.finding(
                "unsupported", position, end, f"`{rule.cuda}` has no HIP counterpart", Safety.MANUAL,
                Status.UNSUPPORTED, rule.family, next_step=rule.note,
            )  # fmt: skip
        if rule.action:
            return self._with_action(
                reading, position, end, ((position, end, self.hip),) if self.hip != self.cuda else ()
            )
        span = Span(reading.source.path, position, end)
        edits = (Edit(span, self.hip),) if self.hip != self.cuda else ()
        return Finding(
            "rename", span, self.message, rule.safety, self.status, rule.family, edits=edits, next_step=rule.note
        )

    def _with_action(
        self, reading: Reading, position: int, end: int, plain: tuple[tuple[int, int, bytes], ...]
    ) -> Finding:
        rule = self.rule
        if rule.action == "by_name":
            return self._constant(reading, position, end, plain)
        if rule.action == "untagged":
            return self._untagged(reading, position, end, plain)
        if rule.action.startswith("fields:"):
            return self._record(reading, position, end, plain)
        call = call_at(reading, end)
        made = rewrite_call(reading, call, rule.action) if call is not None else None
        if call is None or made is None:
            return reading.finding(
                "rename", position, end, f"{self.message}, whose arguments differ and are not in sight",
                Safety.REVIEW, Status.REVIEW, rule.family, edits=plain, next_step=rule.note or rule.action,
            )  # fmt: skip
        fitting = fits(call, rule.action)
        safety = rule.safety if fitting is None else Safety.SAFE if fitting else Safety.REVIEW
        status = Status.RENAMED if safety is Safety.SAFE else Status.REVIEW
        name = name_for(reading, call, rule.action, self.hip)
        if name == self.hip:
            message, renamed = self.message, ((position, end, name),) if name != self.cuda else ()
        else:  # with the parenthesis: this call's name, no other name of the function
            message = f"`{rule.cuda}` is `{name.decode()}`"
            renamed = ((position, call.open + 1, name + reading.source.data[end : call.open + 1]),)
        return reading.finding(
            "rename", position, end, message, safety, status, rule.family, edits=(*renamed, *made),
            next_step=rule.note,
        )  # fmt: skip

    def _untagged(
        self, reading: Reading, position: int, end: int, edits: tuple[tuple[int, int, bytes], ...]
    ) -> Finding:
        """A type that may not stand after `struct`: `struct cudaExternalMemoryHandleDesc d` loses the word."""
        before = reading.before(position)
        word = last_word(before)
        follows = reading.code[reading.skip_blanks(end) :][:1]
        if word in (b"struct", b"enum", b"union", b"class") and follows not in (b";", b"{", b":"):
            start = reading.code.rfind(word, 0, position)
            edits = ((start, end, self.hip),)
        return reading.finding(
            "rename", position, end, self.message, self.rule.safety, self.status, self.rule.family, edits=edits,
            next_step=self.rule.note,
        )  # fmt: skip

    def _record(self, reading: Reading, position: int, end: int, edits: tuple[tuple[int, int, bytes], ...]) -> Finding:
        """A structure of which HIP lacks some fields: harmless where the file names none of them."""
        fields = self.rule.action.removeprefix("fields:").encode().split(b",")
        lost = [field.decode() for field in fields if field in reading.words]
        safety = Safety.REVIEW if lost else Safety.SAFE
        status = Status.REVIEW if lost else Status.RENAMED
        return reading.finding(
            "rename", position, end, self.message, safety, status, self.rule.family, edits=edits,
            next_step=self.rule.note if lost else "",
        )  # fmt: skip

    def _constant(
        self, reading: Reading, position: int, end: int, edits: tuple[tuple[int, int, bytes], ...]
    ) -> Finding:
        """A constant whose number differs: harmless where only HIP's own functions or comparisons see it."""
        by_name = enclosing_callee(reading, position, end) in self.rules
        if not by_name:
            before, after = reading.before(position), reading.code[reading.skip_blanks(end) :][:2]
            by_name = before.endswith((b"==", b"!=", b"case")) or after in (b"==", b"!=")
        safety = Safety.SAFE if by_name else Safety.REVIEW
        status = Status.RENAMED if by_name else Status.REVIEW
        return reading.finding(
            "rename", position, end, self.message, safety, status, self.rule.family, edits=edits,
            next_step="" if by_name else self.rule.note,
        )  # fmt: skip


def _by_prefix(
    reading: Reading, table: RuleTable, known: _Known, declared: frozenset[bytes]
) -> dict[bytes, RenameRule]:
    """The words that only a rule for a whole library knows, `nppi*`."""
    heads, size = known.heads, known.head
    words = [word for word in reading.words if word[:size] in heads and word.startswith(known.prefixes)]
    return {
        word: table.prefixes[word]
        for word in words
        if word not in table.names and word not in table.identities and word not in declared
    }


def _find_pasted_prefixes(reading: Reading) -> Iterator[Finding]:
    """`cuda##name`: the API name is born at expansion, where no rule can see it."""
    for match in _PREFIX_PASTED.finditer(reading.code):
        start = match.start()
        if match[1] in NO_TYPES or reading.is_dead(start):
            continue
        yield reading.finding(
            "token-paste", start, match.end(), f"`{match[1].decode()}##` makes API names by pasting: it is not edited",
            Safety.MANUAL, Status.MANUAL, "macro",
            next_step=f"write `{_hip_prefix(match[1])}##` if only API names come out",
        )  # fmt: skip


def _hip_prefix(prefix: bytes) -> str:
    text = prefix.decode()
    rest = "" if text.lower() in ("cuda", "cu") else text[2:]
    return ("HIP" if text.isupper() else "hip") + rest
