from __future__ import annotations

import pytest

from hipport.device.signature import parameters, pick, short_name
from hipport.errors import UsageError

AXPY_F, AXPY_D, SCOPED = "_Z4axpyIfEvPT_S1_S0_i", "_Z4axpyIdEvPT_S1_S0_i", "_ZN2ns4fillEPjm"


def test_parameters_come_from_the_mangled_name() -> None:
    assert parameters(AXPY_F) == ("float*", "float*", "float", "int")
    assert parameters("_Z1kv") == ()
    assert parameters("_Z3sayPKcDF16_bDF16b")[1:] in {
        ("half", "bool", "__bf16"),
        ("_Float16", "bool", "std::bfloat16_t"),
    }
    assert parameters("plain_c_kernel") == ()
    assert parameters("_Z5applyPFvPiEd") == ("void (*)(int*)", "double")


def test_short_names_drop_the_return_type_and_the_parameters() -> None:
    assert short_name(AXPY_F) == "axpy<float>"
    assert short_name(SCOPED) == "ns::fill"
    assert short_name("plain") == "plain"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("axpy<float>", AXPY_F), ("ns::fill", SCOPED), ("fill", SCOPED), (AXPY_D, AXPY_D)],
)
def test_a_kernel_is_picked_by_what_a_person_types(wanted: str, found: str) -> None:
    assert pick(wanted, (AXPY_F, AXPY_D, SCOPED)) == found


def test_an_ambiguous_and_an_unknown_name_list_what_there_is() -> None:
    with pytest.raises(UsageError, match="names 2 kernels") as caught:
        pick("axpy", (AXPY_F, AXPY_D))
    assert "axpy<double>" in caught.value.next_step
    with pytest.raises(UsageError, match="no kernel `softmax`") as caught:
        pick("softmax", (SCOPED,))
    assert "ns::fill(unsigned int*, unsigned long)" in caught.value.next_step
    with pytest.raises(UsageError, match="has no kernel"):
        pick("softmax", ())
