"""How Numba turns functions into machine code: only those that Python calls, each together with all that it calls.

Numba by itself optimises every function in between as well, with all that it calls, and makes machine code of it that
nobody runs: that took more than half of the time.
"""

# mypy: disallow-untyped-calls=False
from __future__ import annotations

from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen, RuntimeLinker
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

KNOWN = (0, 68)
"""The version of Numba whose inner workings this changes; any other keeps to its own ways."""


class Library(JITCodeLibrary):
    """The code of a function, optimised and translated when its address is asked for, not when others call it."""

    _codegen: Codegen
    _made = False

    def finalize(self) -> None:
        """End adding code. A function that calls itself finds itself by its address, so it is made at once."""
        self._raise_if_finalized()
        if any(one.name.startswith(RuntimeLinker.PREFIX) for one in self._final_module.global_variables):
            self._make()
        self._finalized = True

    def _make(self) -> None:
        self._finalized = False
        self._shared_module = None
        self._linking_libraries = self._needed()
        super().finalize()

    def _needed(self) -> list[Any]:
        """Return what this code calls, directly or not: of code that was made, it is all inside."""
        found: dict[Any, None] = {}
        todo = self._linking_libraries[::-1]
        while todo:
            one = todo.pop()
            if one not in found:
                found[one] = None
                if isinstance(one, Library) and not one._made:
                    todo += one._linking_libraries[::-1]
        return list(found)

    def _optimize_final_module(self) -> None:
        """Optimise twice: the second time sees what the first has inlined, as when callees were optimised before."""
        super()._optimize_final_module()
        super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        super()._finalize_final_module()
        self._made = True
        self._codegen.set_late()

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function, 0 if there is none of that name."""
        self._ensure_finalized()
        if not self._made and any(one.name == name and not one.is_declaration for one in self._final_module.functions):
            self._make()
        address: int = super().get_pointer_to_function(name)
        return address


class Codegen(JITCPUCodegen):
    """Numba's code generator with such libraries."""

    _library_class = Library
    _late: dict[str, Any] = {}  # noqa: RUF012

    def set_env(self, env_name: str, env: Any) -> None:
        """Tell machine code where its Python objects are, at once or as soon as it is made."""
        if self._engine.is_symbol_defined(env_name):
            super().set_env(env_name, env)
        else:
            self._late[env_name] = env

    def set_late(self) -> None:
        """Tell the machine code that has been made since."""
        for name in [name for name in self._late if self._engine.is_symbol_defined(name)]:
            super().set_env(name, self._late.pop(name))


def link_once() -> None:
    """Switch Numba to this code generator."""
    codegen: Any = cpu_target.target_context.codegen()
    if numba.version_info.short == KNOWN and type(codegen) is JITCPUCodegen:
        rtsys.initialize(cpu_target.target_context)  # what all code may call is made first
        codegen.__class__ = Codegen
