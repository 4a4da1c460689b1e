"""The games for PettingZoo's AEC API: seats act one after the other.

Where several are asked at once, the lowest seat answers first; nobody observes the others' answers before all are in.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv as PettingZooAEC

from registan.core.errors import BadInput
from registan.envs.table import RENDER_MODES, Table


class AECEnv(PettingZooAEC[str, Any, Any]):  # type: ignore[misc]
    """A game for PettingZoo, one seat after the other.

    Agents are `seat_0` … . Observations are dictionaries: `observation` (`core.observation`) and `action_mask`, which
    is in `infos` too. Rewards come at the end and add up to 0: winning alone is 1. A game ends by its rules, or is
    truncated after `max_cycles` steps. An action that is not legal is an error, or with `illegal="random"` replaced.
    """

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
        super().__init__()
        self.table = Table(game, players, box, options, render_mode, illegal)
        self.metadata = {
            "name": f"registan_{game}_v{self.table.layout.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.possible_agents = [f"seat_{seat}" for seat in range(self.table.players)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of observations, the same object for every agent."""
        return self.table.observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of actions, the same object for every agent."""
        return self.table.action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game; the same seed deals the same game."""
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._steps = 0
        self._next()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent knows now, and what it may do as far as it knows."""
        if agent not in self._seat_of:
            raise BadInput("error.agent", agent=agent, agents=", ".join(self.possible_agents))
        seat = self._seat_of[agent]
        if seat == self.table.seat:
            return {"observation": self.table.observe()["observation"], "action_mask": self.infos[agent]["action_mask"]}
        known, masks = self.table.observe_all()
        return {"observation": known[seat], "action_mask": masks[seat]}

    def step(self, action: Any) -> None:
        """Play an action of the selected agent; raise BadInput if it is not legal."""
        if not self.agents:
            raise BadInput("error.env_over")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self.table.checked(self.table.seat, action, self.table.batch.rows.masks[0])
        self.infos[agent] = {}
        self._cumulative_rewards[agent] = 0.0
        self.table.play(number)
        self._steps += 1
        if self.table.over:
            self.rewards = dict(zip(self.possible_agents, self.table.rewards))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        elif self.max_cycles is not None and self._steps >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._next()
        if self.render_mode == "human":
            self.render()

    def _next(self) -> None:
        """Select who acts, the first agent when the game is over."""
        seat = self.table.seat
        self.agent_selection = self.possible_agents[max(seat, 0)]
        if seat >= 0:
            self.infos[self.agent_selection] = {"action_mask": self.table.batch.rows.masks[0].copy()}

    def render(self) -> Any:
        """Return or show the open table, as the render mode says."""
        return self.table.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self.table.close()
