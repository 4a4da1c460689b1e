"""The games for Gymnasium's vector API: thousands of games at once, in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from registan.core.game import Ints
from registan.core.registry import find
from registan.core.vector import Batch
from registan.envs.table import observation_space


class VectorEnv(GymnasiumVectorEnv[dict[str, Ints], Ints, Ints]):
    """Many games at once; when one ends, the next is dealt in the same step.

    Without `opponents` the program plays all seats: each step is a decision of the seat `infos["seat"]`, and the reward
    is that of the seat that has just acted; `infos["rewards"]` has everybody's. With `opponents`, names of bots that
    play in compiled code ("random", "greedy"), the program plays one seat, which changes from row to row. Observations
    and masks are the batch's own arrays unless `copy` is set: the next step overwrites them.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012 - Gymnasium's way

    def __init__(
        self,
        game: str,
        players: int | None = None,
        num_envs: int = 1024,
        *,
        opponents: str | Sequence[str] | None = None,
        box: str | Path | None = None,
        threads: int = 1,
        copy: bool = False,
        **options: Any,
    ) -> None:
        found = find(game)
        players = players or found.usual
        bots: list[str | None] | None = None
        if opponents is not None:
            bots = [None, *([opponents] * (players - 1) if isinstance(opponents, str) else opponents)]
        self.batch = Batch(
            found, players, num_envs, box=box, options=options, bots=bots, rotate=bots is not None, threads=threads
        )
        self.num_envs, self.copy = num_envs, copy
        self.single_observation_space = observation_space(self.batch.layout, self.batch.numbers)
        self.single_action_space = spaces.Discrete(self.batch.numbers)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows = np.arange(num_envs)
        self._never = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Ints], dict[str, Any]]:
        """Deal a new game in each row; row i is seeded with `seed + i`."""
        if isinstance(seed, list):
            self.batch.reset(np.array([0 if one is None else one for one in seed]))
        else:
            self.batch.reset(seed)
        return self._observed(), self._info()

    def step(self, actions: Any) -> tuple[dict[str, Ints], Ints, Ints, Ints, dict[str, Any]]:
        """Play an action in each row; raise BadInput, before anything is played, if one is not legal."""
        acted = self.batch.seats.copy()
        self.batch.step(actions)
        rewards = self.batch.rewards[self._rows, acted]
        over = self.batch.over.copy() if self.copy else self.batch.over
        return self._observed(), rewards, over, self._never.copy(), self._info()

    def sample(self) -> Ints:
        """Return a legal action at random for each row, as the game's random player chooses."""
        return self.batch.pick()

    def _observed(self) -> dict[str, Ints]:
        known, masks = self.batch.observations, self.batch.masks
        if self.copy:
            known, masks = known.copy(), masks.copy()
        return {"observation": known, "action_mask": masks}

    def _info(self) -> dict[str, Any]:
        batch = self.batch
        shown = {"seat": batch.seats, "rewards": batch.rewards, "points": batch.points, "action_mask": batch.masks}
        return {name: value.copy() for name, value in shown.items()} if self.copy else shown
