"""How compiled functions find each other: Numba's `overload`, without compiling the same function again and again.

Numba compiles an overload again for each set of options of a caller, and for each width of the numbers passed to it.
Here a function is compiled once for all its callers, and small integers become 64-bit ones on the way, as in Python.
"""

# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit, types
from numba.core.typing.templates import AbstractTemplate, infer_global

_callees: dict[Callable[..., Any], Any] = {}


def teach(f: Callable[..., Any], choose: Callable[..., Callable[..., Any]]) -> None:
    """Let compiled code call what `choose` returns, given the types of the arguments, wherever it names `f`."""

    class Call(AbstractTemplate):
        key = f
        made: dict[Any, Any] = {}  # noqa: RUF012

        def generic(self, args: Any, kws: Any) -> Any:
            args = tuple(_wide(arg) for arg in args)
            kws = {name: _wide(arg) for name, arg in kws.items()}
            callee = types.Dispatcher(_callee(choose(*args, *kws.values())))
            signature = callee.get_call_type(self.context, args, kws)
            if signature is not None:
                self.made[signature.args] = callee.get_overload(signature)
            return signature

        def get_impl_key(self, signature: Any) -> Any:
            return self.made[signature.args]

    infer_global(f, types.Function(Call))


def _callee(f: Callable[..., Any]) -> Any:
    """Return the one dispatcher of a function that compiled code calls; Python calls another (`compiled.jit`)."""
    if f not in _callees:
        options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        _callees[f] = njit(error_model="numpy", **options)(f)
    return _callees[f]


def _wide(kind: Any) -> Any:
    """Return the type for an argument; unsigned ones stay, as with them sums of two kinds are other kinds."""
    return types.int64 if kind in (types.int8, types.int16, types.int32) else kind
