"""Records whose fields are quick to read from Python: NumPy's own look each of them up in Python code."""

from __future__ import annotations

import copyreg
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np


class _Kind(type):
    """The class of classes of records, which are made where they are needed, also for unpickling."""

    fields: tuple[str, ...]


@cache
def record_class(names: tuple[str, ...]) -> Any:
    """Return the class of records with these fields."""
    body: dict[str, Any] = {name: property(itemgetter(name)) for name in names}
    made = _Kind("record", (np.record,), {**body, "__getattribute__": object.__getattribute__})
    made.fields = names
    return made


def _reduced(kind: _Kind) -> tuple[Any, ...]:
    return record_class, (kind.fields,)


copyreg.pickle(_Kind, _reduced)
