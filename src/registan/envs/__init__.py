"""The games as environments for programs that learn: PettingZoo, Gymnasium and OpenSpiel (extras `envs`, `openspiel`).

    from registan import envs

    envs.AECEnv(key, players=4)                         # PettingZoo: seats act one after the other
    envs.ParallelEnv(key, players=3)                    # PettingZoo: all who are asked act at once
    envs.SeatEnv(key, players=4)                        # Gymnasium: one seat against bots
    envs.VectorEnv(key, players=4, num_envs=1024)       # Gymnasium: thousands of games in compiled code

`registan.envs.openspiel` registers the games with OpenSpiel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from registan.core.errors import BadInput

if TYPE_CHECKING:
    from registan.envs.aec import AECEnv
    from registan.envs.parallel import ParallelEnv
    from registan.envs.seat import SeatEnv
    from registan.envs.vector import VectorEnv

__all__ = ["AECEnv", "ParallelEnv", "SeatEnv", "VectorEnv"]

_MODULES = {"AECEnv": "aec", "ParallelEnv": "parallel", "SeatEnv": "seat", "VectorEnv": "vector"}


def __getattr__(name: str) -> Any:
    """Import an environment on first use; say which extra it needs if its library is missing."""
    from importlib import import_module

    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name in ("gymnasium", "pettingzoo"):
            raise BadInput("error.extra", package=error.name, extra="envs") from error
        raise
