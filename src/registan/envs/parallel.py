"""The games for PettingZoo's parallel API: all who are asked act at once.

A seat acts if it is asked as far as it knows (its mask is not empty); what others give is ignored. So a question that
nobody else may know of, such as the sale of a card, goes with the next turn of whoever seems to be asked meanwhile.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gymnasium import spaces
from pettingzoo import ParallelEnv as PettingZooParallel

from registan.envs.table import RENDER_MODES, Table


class ParallelEnv(PettingZooParallel[str, Any, Any]):  # type: ignore[misc]
    """A game for PettingZoo, all who are asked at once; observations and rewards are those of `AECEnv`."""

    def __init__(
        self,
        game: str,
        players: int | None = None,
        *,
        box: str | Path | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        illegal: str = "raise",
        **options: Any,
    ) -> None:
        self.table = Table(game, players, box, options, render_mode, illegal)
        self.metadata = {
            "name": f"registan_{game}_v{self.table.layout.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.possible_agents = [f"seat_{seat}" for seat in range(self.table.players)]
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of observations, the same object for every agent."""
        return self.table.observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of actions, the same object for every agent."""
        return self.table.action_space

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Deal a new game; the same seed deals the same game."""
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        self._steps = 0
        return self._observed()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the actions of all who are asked as far as they know; raise BadInput if one is not legal."""
        given = self._asked(actions)
        table = self.table
        rewards = dict.fromkeys(self.agents, 0.0)
        # Whoever is really asked first, then whoever only seemed to be: a secret question never keeps others waiting.
        while not table.over and table.seat in given:
            seat = table.seat
            number = given.pop(seat)
            if not table.legal(number):
                break
            table.play(number)
        if table.over:
            rewards = dict(zip(self.possible_agents, table.rewards))
        self._steps += 1
        cut = not table.over and self.max_cycles is not None and self._steps >= self.max_cycles
        terminations = dict.fromkeys(self.agents, table.over)
        truncations = dict.fromkeys(self.agents, cut)
        observations, infos = self._observed()
        if table.over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return observations, rewards, terminations, truncations, infos

    def _asked(self, actions: dict[str, Any]) -> dict[int, Any]:
        """Return the actions of the seats that are asked as far as they know, by seat."""
        given = {}
        for seat, agent in enumerate(self.possible_agents):
            if self._masks[seat].any():
                given[seat] = self.table.checked(seat, actions.get(agent), self._masks[seat])
        return given

    def _observed(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        known, self._masks = self.table.observe_all()
        pairs = list(zip(self.possible_agents, known, self._masks))
        observations = {agent: {"observation": mine, "action_mask": mask} for agent, mine, mask in pairs}
        return observations, {agent: {"action_mask": mask} for agent, _, mask in pairs}

    def render(self) -> Any:
        """Return or show the open table, as the render mode says."""
        return self.table.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self.table.close()
