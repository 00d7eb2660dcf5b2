"""# find-first: __ffsll of a number that is no `long long`

CUDA has one `__ffsll(long long)`, to which a `uint64_t`, a `long` or an `int` converts. HIP has two, for `long long`
and `unsigned long long`, and a call with any other type is ambiguous: `uint64_t` is `unsigned long` on Linux. The
argument is cast to the type that CUDA's function has. Ballots, matches, casts and variables that the file declares as
`long long` stay as they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import calls
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "find-first"
_NAMES = re.compile(rb"(?<![\w#])__ffsll(?!\w)")
_LONG_LONG = re.compile(
    rb"\(?\s*(?:\(\s*(?:unsigned\s+)?long\s+long(?:\s+int)?\s*\)|(?:static_cast|reinterpret_cast)\s*<\s*(?:unsigned\s+)?long\s+long\b"
    rb"|__(?:ballot|match|activemask|hipport|clzll|brevll|double_as_longlong|ldg)|hipport\s*::|\d+U?LL)",
    re.IGNORECASE,
)
_DECLARED = (
    rb"(?<!\w)(?:long\s+long(?:\s+int)?|ull|lane_mask\w*)\s*(?:const\s*)?&?\s*(?:\w+(?:\s*=[^;,]*)?\s*,\s*)*%s(?!\w)"
)
_NAME = re.compile(rb"[A-Za-z_]\w*\Z")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    if not _NAMES.search(unit.text.code) or calls.declared(unit.text, _NAMES):
        return
    for site in calls.find(unit.text, _NAMES):
        if len(site.arguments) != 1 or not unit.live(site.start):
            continue
        first, last = site.arguments[0]
        if fits(unit.text.code, unit.text.code[first:last]):
            continue
        edits = (edit(unit, first, first, b"(long long)("), edit(unit, last, last, b")"))
        message = "`__ffsll` is ambiguous in HIP for a type that is no `long long`"
        yield finding(unit, _ID, (site.start, site.end), message, edits=edits, family="device")


def fits(code: bytes, argument: bytes) -> bool:
    """Whether an argument is seen to be a `long long`: by how it begins, or by the declaration of its name."""
    if _LONG_LONG.match(argument):
        return True
    name = _NAME.fullmatch(argument)
    if name is None:
        return False
    return re.search(_DECLARED % name[0], code) is not None


RULE = Rule(
    _ID,
    "__ffsll of a number that is no long long",
    (),
    "device",
    Provenance("CUDA Math API, __ffsll(long long); ROCm 7.2 amd_device_functions.h; HeCBench langford", "all"),
    _find,
)
