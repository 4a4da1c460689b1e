"""Arrays that compiled code hands on without counting references.

Numba counts references to every array that a function receives, by atomic instructions that can take longer than the
function itself. A function that owns its arrays for as long as it runs lends them instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registan.core.compiled import compiled_as
from registan.core.game import Ints


def _without_owner() -> Callable[..., Any]:
    """Return what compiled code runs: the same array with nobody to count its references."""
    from numba.extending import intrinsic

    def lend(_: Any, array: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            lent = context.make_array(signature.args[0])(context, builder, args[0])
            lent.meminfo = lent.meminfo.type(None)
            return lent._getvalue()

        return array(array), generate

    instruction: Any = intrinsic(lend)

    def lent(array: Any) -> Any:
        return instruction(array)

    return lent


@compiled_as(_without_owner)
def borrowed(array: Ints) -> Ints:
    """Return the same array for the time that the caller runs: nothing that outlives the call may keep it."""
    return array
