"""Compiled functions that call each other: each compiled once, and machine code only for those that Python calls."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from registan.core import calls
from registan.core.compiled import compiled, jit


@compiled
def price(goods: int, each: int = 3) -> int:
    if goods > 100:
        raise ValueError("so much is not for sale")
    return goods * each


@compiled
def bill(counts: Any) -> int:
    return price(int(counts[0])) + price(counts[1], each=2)


@compiled
def receipt(counts: Any) -> int:
    return price(counts[0]) * 1000 + bill(counts)


COUNTS = [np.array([50, 7], kind) for kind in (np.int8, np.int16, np.int32, np.int64)]


def fresh(f: Any) -> Any:
    """Return a twin that is not on disk."""
    jit(f)
    return numba.njit(f)


def libraries(dispatcher: Any) -> list[Any]:
    return [one.library for one in dispatcher.overloads.values()]


@pytest.mark.parametrize("counts", COUNTS, ids=lambda counts: str(counts.dtype))
def test_small_numbers_give_the_same_as_interpreted(counts: Any) -> None:
    wide = counts.astype(np.int64)
    assert jit(bill)(counts) == bill(wide) == 164
    assert jit(receipt)(counts) == receipt(wide) == 150_164


def test_a_function_is_compiled_once_for_all_its_callers() -> None:
    for f in (fresh(bill), fresh(receipt)):
        for counts in COUNTS:
            f(counts)
    assert len(libraries(calls._callees[price])) == 2  # with and without the number for each


def test_only_what_python_calls_becomes_machine_code() -> None:
    called = fresh(receipt)
    called(COUNTS[-1])
    assert [library._made for library in libraries(called)] == [True]
    assert not any(library._made for library in libraries(calls._callees[price]))


def test_an_error_in_a_callee_reaches_python() -> None:
    with pytest.raises(ValueError, match="so much is not for sale"):
        jit(receipt)(np.array([101, 1]))


def test_functions_of_others_may_call_themselves() -> None:
    @numba.njit
    def fib(n: int) -> Any:
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    @numba.njit
    def more(n: int) -> Any:
        return fib(n) + 1

    assert more(10) == 56
