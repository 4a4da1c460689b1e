"""Sets as the bits of a number: how many members a set has, and which is the lowest.

Compiled code counts with one instruction of the processor each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registan.core.compiled import compiled_as


def _instruction(name: str) -> Callable[..., Any]:
    """Return what compiled code runs: an instruction that LLVM knows by that name."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def count(_: Any, members: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zero_is_defined = [ir.Constant(ir.IntType(1), 0)] if name == "cttz" else []
            return getattr(builder, name)(args[0], *zero_is_defined)

        return types.int64(types.int64), generate

    instruction: Any = intrinsic(count)

    def counted(members: Any) -> Any:
        return instruction(members)

    return counted


@compiled_as(lambda: _instruction("ctpop"))
def bits(members: int) -> int:
    """Return how many members a set has."""
    return int(members).bit_count()


@compiled_as(lambda: _instruction("cttz"))
def lowest(members: int) -> int:
    """Return the lowest member of a non-empty set."""
    return (int(members) & -int(members)).bit_length() - 1
