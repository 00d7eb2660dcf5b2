"""The C file around the lifted functions: data, tables, kernel descriptors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport import targets
from hipport.device.isa.metadata import symbol_value
from hipport.device.isa.operands import OperandError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hipport.device.isa.data import DataObject, Relocation
    from hipport.device.isa.lift import LiftedFunction
    from hipport.device.isa.metadata import KernelInfo
    from hipport.device.isa.unit import Unit

_HEAD = """#define FP8_OCP {ocp}
#include "wave.h"
#include "alu.h"
#include "fp8.h"
{profile}
#define BACK(number, label, place) \\
  do {{ if (UNLIKELY(w->retired >= w->slice)) {{ place w->entry = number; return WAVE_YIELD; }} goto label; }} while (0)
"""
_PLAIN = "#define BLOCK(id, n) w->retired += n;\n#define VLANES"
_PROFILE = (
    "#define BLOCK(id, n) w->retired += n; w->block_counts[id]++;\n"
    "#define VLANES w->vector_lanes += (u64)__builtin_popcountll(get64(s + 126));"
)
# user SGPRs in the order in which the hardware fills them: (field of kernel_code, key of the descriptor, SGPRs)
_USER_SGPRS = (
    ("private_buffer", "user_sgpr_private_segment_buffer", 4),
    ("dispatch_packet", "user_sgpr_dispatch_ptr", 2),
    ("queue", "user_sgpr_queue_ptr", 2),
    ("kernarg", "user_sgpr_kernarg_segment_ptr", 2),
    ("dispatch_id", "user_sgpr_dispatch_id", 2),
    ("flat_scratch", "user_sgpr_flat_scratch_init", 2),
    ("private_size", "user_sgpr_private_segment_size", 1),
)


LONG = 500  # instructions from which a function is compiled quickly rather than well
QUICK = '__attribute__((optimize("O1"))) '


def quoted(text: str) -> str:
    """A C string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def bytes_literal(content: bytes) -> str:
    """A C string literal of those bytes."""
    pieces = (content[start : start + 64] for start in range(0, len(content), 64))
    lines = ['"' + "".join(f"\\{b:03o}" for b in piece) + '"' for piece in pieces]
    return "\n".join(lines) or '""'


def _ocp(target: str) -> bool:
    """Whether a machine's 8-bit floats are the OCP ones; false where it has none."""
    found = targets.target(target).facts.get("fp8_format")
    return found is not None and str(found.value or "").startswith("ocp")


def _data(item: DataObject, number: int) -> str:
    size = max(item.size, 1)
    head = f"static u8 data{number}[{size}] __attribute__((aligned({item.alignment})))"
    return f"{head};" if not any(item.content) else f"{head} = {bytes_literal(item.content)};"


def _relocations(unit: Unit) -> str:
    places = ((number, place) for number, item in enumerate(unit.symbols.objects) for place in item.relocations)
    out = [_relocation(unit, number, place) for number, place in places]
    out += [f"got[{i}] = {unit.symbols.address(name)};" for name, i in unit.symbols.got.items()]
    return "static void relocate(void) {\n" + "\n".join(out) + "\n}"


def _relocation(unit: Unit, number: int, place: Relocation) -> str:
    try:
        return unit.symbols.relocation(number, place)
    except OperandError:
        return ""  # the address of something elsewhere stays 0: using it is a bounds fault


def _places(unit: Unit) -> str:
    files: dict[str, int] = {}
    names: dict[str, int] = {}
    rows = []
    for i in unit.places:
        file = files.setdefault(i.place.file, len(files))
        name = names.setdefault(i.mnemonic, len(names))
        rows.append(f"{{{i.line}, {i.place.line}, {i.place.column}, file{file}, op{name}}},")
    texts = [f"static const char file{n}[] = {quoted(f)};" for f, n in files.items()]
    texts += [f"static const char op{n}[] = {quoted(o)};" for o, n in names.items()]
    body = "\n".join(rows) or '{0, 0, 0, "", ""}'
    return "\n".join(texts) + f"\nstatic const struct place places[] = {{\n{body}\n}};"


def kernel_code(info: KernelInfo, number: int, symbols: Mapping[str, str]) -> str:
    """The initialiser of struct kernel_code."""

    def value(key: str, default: str = "0") -> int:
        return symbol_value(info.descriptor.get(key, default), symbols)

    at, fields = 0, [f".entry = CODE_ADDRESS({number}u, 0u)"]
    for name, key, count in _USER_SGPRS:
        wanted = value(key)
        fields.append(f".{name} = {at if wanted else -1}")
        at += count if wanted else 0
    length = value("user_sgpr_kernarg_preload_length")
    fields.append(f".preload = {at if length else -1}, .preload_length = {length}")
    fields.append(f".preload_offset = {value('user_sgpr_kernarg_preload_offset')}")
    at = max(at + length, value("user_sgpr_count"))
    ids = []
    for axis, default in zip("xyz", ("1", "0", "0"), strict=True):
        wanted = value(f"system_sgpr_workgroup_id_{axis}", default)
        ids.append(str(at) if wanted else "-1")
        at += 1 if wanted else 0
    fields.append(f".group_id = {{{', '.join(ids)}}}")
    info_wanted = value("system_sgpr_workgroup_info")
    fields.append(f".group_info = {at if info_wanted else -1}, .scratch_offset = -1")
    mode = value("float_round_mode_32") | value("float_round_mode_16_64") << 2
    mode |= value("float_denorm_mode_32", "3") << 4 | value("float_denorm_mode_16_64", "3") << 6
    mode |= value("dx10_clamp", "1") << 8 | value("ieee_mode", "1") << 9
    return "{" + ", ".join([*fields, f".mode = {mode}u"]) + "}"


def _arrays(infos: Sequence[KernelInfo], unknown: Sequence[Sequence[str]]) -> str:
    out = []
    for i, info in enumerate(infos):
        args = ", ".join(
            f"{{{quoted(a.name)}, {quoted(a.value_kind)}, {a.offset}, {a.size}, {a.kind}, 0}}" for a in info.args
        )
        out.append(f"static const struct hipport_arg args{i}[] = {{{args or '{0}'}}};")
        names = ", ".join(quoted(name) for name in unknown[i])
        out.append(f"static const char *const unknown{i}[] = {{{names or '0'}}};")
    return "\n".join(out)


def _kernel(i: int, info: KernelInfo, function: LiftedFunction, rows: tuple[int, int], unknown: Sequence[str]) -> str:
    required = ", ".join(map(str, info.required_block))
    return (
        f"{{{quoted(info.name)}, args{i}, unknown{i}, {len(info.args)}, {len(unknown)}, "
        f"{info.kernarg_size}, {info.explicit_size}, "
        f"{info.lds_static}, {info.scratch_per_lane}, {int(info.dynamic_stack)}, {info.wave_size}, {info.max_block}, "
        f"{{{required}}}, {info.sgprs}, {rows[0]}, {rows[1]}, {function.instructions}, &codes[{i}]}},"
    )


def _symbols(unit: Unit) -> str:
    rows = [
        f"{{{quoted(o.name)}, data{i}, {max(o.size, 1)}, {int(o.writable)}, {int(o.name.endswith('.managed'))}}},"
        for i, o in enumerate(unit.symbols.objects)
    ]
    if unit.symbols.got:
        rows.append(f'{{"the global offset table", got, {8 * len(unit.symbols.got)}, 0, 0}},')
    return f"static const struct hipport_symbol symbols[] = {{\n{chr(10).join(rows) or '{0}'}\n}};"


def _reach(function: LiftedFunction, functions: Iterable[LiftedFunction], kernels: set[str]) -> list[LiftedFunction]:
    """The function and, where it calls, every device function: which one a pointer means is not known."""
    return [function, *(f for f in functions if f.name not in kernels)] if function.calls else [function]


def module_source(
    unit: Unit, functions: Sequence[LiftedFunction], infos: Sequence[KernelInfo], *, profile: bool, digest: str
) -> str:
    """The whole C file."""
    by_name = {f.name: f for f in functions}
    known = [info for info in infos if info.name in by_name]
    names = {info.name for info in known}
    reached = [_reach(by_name[info.name], functions, names) for info in known]
    unknown = [sorted({name for f in fs for name in f.unknown}) for fs in reached]
    rows = [(max([1, *(f.vgprs for f in fs)]), max(f.agprs for f in fs)) for fs in reached]
    blocks = [counts for f in functions for counts in f.blocks]
    parts = [
        _HEAD.format(ocp=int(_ocp(unit.target)), profile=_PROFILE if profile else _PLAIN),
        *(_data(item, i) for i, item in enumerate(unit.symbols.objects)),
        f"static u64 got[{max(1, len(unit.symbols.got))}];",
        *unit.bodies,
    ]
    for i, f in enumerate(functions):
        parts.append(
            f"{QUICK if f.instructions > LONG else ''}static int code{i}(struct wave *w) {{ /* {f.name} */\n"
            f"u32 *const s = w->s, *const v = w->v, *const a = w->a; (void)s; (void)v; (void)a;\n{f.body}\n}}"
        )
    parts += [_relocations(unit), _places(unit)]
    listed = "\n".join(f"{{{quoted(f.name)}, code{i}, {len(f.flow.entries)}}}," for i, f in enumerate(functions))
    parts.append(f"static const struct function functions[] = {{\n{listed or '{0}'}\n}};")
    if profile:
        table = "\n".join("{{" + ", ".join(map(str, counts)) + "}}," for counts in blocks)
        parts.append(f"static const struct basic_block blocks[] = {{\n{table or '{{0}}'}\n}};")
    else:
        parts.append("static const struct basic_block blocks[1];")
    codes = ",\n".join(kernel_code(info, by_name[info.name].flow.number, {}) for info in known)
    parts.append(f"static const struct kernel_code codes[] = {{\n{codes or '{0}'}\n}};")
    parts.append(_arrays(known, unknown))
    kernels = "\n".join(_kernel(i, info, by_name[info.name], rows[i], unknown[i]) for i, info in enumerate(known))
    parts.append(f"static const struct hipport_kernel kernels[] = {{\n{kernels or '{0}'}\n}};")
    parts.append(_symbols(unit))
    approximate = ", ".join(quoted(name) for name in list(unit.approximate)[:64])
    parts.append(f"static const char *const approximate[] = {{{approximate or '0'}}};")
    parts.append(
        f"static const struct module_code module = {{functions, places, blocks, relocate, {len(functions)}, "
        f"{len(unit.places)}, {len(blocks) if profile else 0}}};\n"
        '__attribute__((visibility("default"))) const struct hipport_module hipport_module = '
        f"{{HIPPORT_ABI, {int(profile)}, {quoted(unit.target)}, {quoted(digest)}, kernels, symbols, {len(known)}, "
        f"{len(unit.symbols.objects) + bool(unit.symbols.got)}, {min(len(unit.approximate), 64)}, 0, "
        "approximate, (void *)&module};"
    )
    return "\n".join(parts) + "\n"
