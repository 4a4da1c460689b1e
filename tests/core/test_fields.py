"""The fields of records are attributes, and records can be pickled."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from registan.core.fields import record_class
from registan.core.game import record_type
from registan.core.registry import find, keys

KIND = record_type([("rng", "u8", (4,)), ("grid", "i2", (2, 3)), ("over", "u1"), ("hand", "i4", (5,))])


def test_fields_are_read_and_written_as_attributes() -> None:
    states = np.zeros(2, KIND)
    s = states[1]
    s.over, s.hand[2], s.grid[1, 2] = 3, 7, 9
    s.rng = [1, 2, 3, 4]
    assert (states["over"].tolist(), states["hand"][1, 2], states["grid"][1, 1, 2]) == ([0, 3], 7, 9)
    assert (s.over, s["over"], s.rng.tolist(), s.dtype.names) == (3, 3, [1, 2, 3, 4], KIND.names)
    assert type(s.over) is np.uint8
    assert isinstance(s, np.record)
    with pytest.raises(AttributeError):
        s.no_such_field  # noqa: B018
    with pytest.raises(AttributeError):
        s.no_such_field = 1


@pytest.mark.parametrize("key", keys())
def test_states_survive_pickling_and_copying(key: str) -> None:
    kind = find(key).rules.STATE
    states = np.frombuffer(bytearray(np.random.default_rng(3).bytes(3 * kind.itemsize)), kind)
    for twin in (pickle.loads(pickle.dumps(states)), copy.deepcopy(states), states.copy()):
        assert twin.dtype == kind
        assert twin.tobytes() == states.tobytes()
        assert type(twin[0]) is type(states[0]) is record_class(kind.names or ())
    assert pickle.loads(pickle.dumps(states[1])).tobytes() == states[1].tobytes()
