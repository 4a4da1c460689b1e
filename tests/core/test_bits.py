"""Sets as bits: the processor's instructions and plain Python count alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from registan.core.bits import bits, lowest
from registan.core.compiled import compiled, jit


@compiled
def count(members: Any, out: Any) -> None:
    for i in range(len(members)):
        out[i, 0] = bits(int(members[i]))
        out[i, 1] = lowest(int(members[i]))


def test_both_modes_count_members_and_find_the_lowest() -> None:
    random = np.random.default_rng(1).integers(1, 2**62, 500) >> np.arange(500) % 62
    members = np.concatenate([random[random > 0], 1 << np.arange(63)])
    found = np.zeros((2, len(members), 2), np.int64)
    count(members, found[0])
    jit(count)(members, found[1])
    assert found[0].tolist() == found[1].tolist()
    assert found[0].tolist() == [
        [f"{m:b}".count("1"), len(f"{m:b}") - len(f"{m:b}".rstrip("0"))] for m in members.tolist()
    ]


def test_narrow_numbers_count_as_well() -> None:
    """Fields of records may have 8, 16 or 32 bits."""
    for kind in (np.int8, np.uint8, np.int16, np.int32):
        members = np.array([1, 64, 96], kind)
        found = np.zeros((3, 2), np.int64)
        jit(count)(members, found)
        assert found.tolist() == [[1, 0], [1, 6], [2, 5]]


def test_an_empty_set_has_no_members() -> None:
    assert bits(0) == 0
