"""The games for Gymnasium: one seat against bots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from registan.bots import find_bot
from registan.bots.bot import Bot
from registan.core import chance, rows
from registan.core.errors import BadInput
from registan.envs.table import RENDER_MODES, Table


class SeatEnv(gymnasium.Env[dict[str, Any], Any]):
    """A game in which the program plays one seat, and bots the others.

    `opponents` are names of bots (`registan.bots`) or bots, one for all other seats or one for each of them from the
    left; `seat` is where the program sits, drawn for every game by default. An action that is not legal ends the game
    with reward -1; otherwise the reward comes at the end, 1 for winning alone.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 - Gymnasium's way

    def __init__(
        self,
        game: str,
        players: int | None = None,
        *,
        opponents: str | Bot | Sequence[str | Bot] = "greedy",
        seat: int | None = None,
        box: str | Path | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.table = Table(game, players, box, options, render_mode)
        self.observation_space, self.action_space = self.table.observation_space, self.table.action_space
        self.render_mode = render_mode
        last = self.table.players - 1
        if seat is not None and not 0 <= seat <= last:
            raise BadInput("error.seat", seat=seat, last=last)
        if isinstance(opponents, Sequence) and not isinstance(opponents, str):
            named = list(opponents)
        else:
            named = [opponents] * last
        if len(named) != last:
            raise BadInput("error.opponents", n=len(named), players=self.table.players, others=last)
        self.opponents: list[Bot] = [find_bot(bot) if isinstance(bot, str) else bot for bot in named]
        self._fixed = seat
        self.seat = seat or 0
        self._rng = np.zeros(chance.WORDS, np.uint64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal a new game and let the bots play up to the program's first decision."""
        super().reset(seed=seed)
        self.seat = int(self.np_random.integers(self.table.players)) if self._fixed is None else self._fixed
        deal = int(self.np_random.integers(1 << 62))
        self.table.deal(deal)
        chance.seed(self._rng, deal, 1)
        self._play_others()
        return self._observed(), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play an action, then the bots up to the program's next decision."""
        if self.table.seat < 0:
            raise BadInput("error.env_over")
        if not self.table.legal(action):
            return self._observed(), -1.0, True, False, self._info() | {"illegal_action": int(action)}
        self.table.play(action)
        self._play_others()
        reward = float(self.table.rewards[self.seat])
        if self.render_mode == "human":
            self.render()
        return self._observed(), reward, self.table.over, False, self._info()

    def _play_others(self) -> None:
        table, engine = self.table, self.table.batch.engine
        while not table.over and table.seat != self.seat:
            seat = table.seat
            bot = self.opponents[(seat - self.seat) % table.players - 1]
            hidden = table.batch.states.copy()
            engine.hide(hidden, seat)
            action = bot.choose(engine, hidden, seat, self._rng)
            table.play(engine.run(rows.to_number, table.batch.states, seat, action))

    def _observed(self) -> dict[str, Any]:
        if self.table.seat == self.seat:
            return self.table.observe()
        known, masks = self.table.observe_all()
        return {"observation": known[self.seat], "action_mask": masks[self.seat]}

    def _info(self) -> dict[str, Any]:
        mask = self.table.batch.rows.masks[0].copy()
        return {"action_mask": mask, "seat": self.seat}

    def render(self) -> Any:
        """Return or show the open table, as the render mode says."""
        return self.table.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self.table.close()
