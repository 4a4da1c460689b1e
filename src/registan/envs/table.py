"""One game as environments need it: a batch of one row, and what each seat observes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces

from registan.core import rows
from registan.core.errors import BadInput
from registan.core.game import SPECTATOR, Ints, Json
from registan.core.observation import Layout
from registan.core.registry import find
from registan.core.vector import Batch
from registan.core.views import view_of

RENDER_MODES = ("ansi", "rgb_array", "human")
ILLEGAL = ("raise", "random")
"""What happens to an action that is not legal: an error, or a legal one is drawn instead."""


def observation_space(layout: Layout, numbers: int) -> spaces.Dict:
    """Return the space of observations: what a seat knows as numbers, and the mask of its actions."""
    known = spaces.Box(layout.low, np.ones(layout.size, np.float32), dtype=np.float32)
    return spaces.Dict({"observation": known, "action_mask": spaces.Box(0, 1, (numbers,), np.int8)})


def _is_legal(number: Any, mask: Ints) -> bool:
    whole = isinstance(number, int | np.integer) or (isinstance(number, np.ndarray) and number.shape == ())
    return bool(whole and 0 <= number < len(mask) and mask[int(number)])


class Table:
    """A game in progress. `seat` is who acts next, -1 when it is over."""

    def __init__(
        self,
        game: str,
        players: int | None,
        box: str | Path | None,
        options: dict[str, Any],
        render_mode: str | None,
        illegal: str = "raise",
    ) -> None:
        if illegal not in ILLEGAL:
            raise BadInput("error.illegal", mode=illegal, modes=", ".join(ILLEGAL))
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadInput("error.render_mode", mode=render_mode, modes=", ".join(RENDER_MODES))
        found = find(game)
        self.batch = Batch(found, players or found.usual, 1, box=box, options=options, auto_reset=False)
        self.game, self.players, self.layout = found, self.batch.players, self.batch.layout
        self.observation_space = observation_space(self.layout, self.batch.numbers)
        self.action_space = spaces.Discrete(self.batch.numbers)
        self.render_mode, self.illegal = render_mode, illegal
        self._luck = np.random.default_rng()
        self._number = np.zeros(1, np.int64)
        self._window: Any = None

    def deal(self, seed: int | None) -> None:
        """Deal a new game: the first one of a seed, or the next."""
        if seed is not None:
            self._luck = np.random.default_rng(seed)
        self.batch.reset(int(self._luck.integers(1 << 62)))

    @property
    def seat(self) -> int:
        """Who acts next: the lowest seat that is asked, -1 when the game is over."""
        return int(self.batch.rows.seats[0])

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.batch.rows.seats[0] < 0)

    def legal(self, number: Any) -> bool:
        """Whether the seat that acts may play the action with that number."""
        return _is_legal(number, self.batch.rows.masks[0])

    def checked(self, seat: int, number: Any, mask: Ints) -> Any:
        """Return an action that a seat may play: the given one, else raise BadInput or draw one, as `illegal` says."""
        if _is_legal(number, mask):
            return number
        legal = np.flatnonzero(mask)
        if self.illegal == "random":
            return self._luck.choice(legal)
        shown = ", ".join(map(str, legal[:20].tolist())) + (", …" if len(legal) > 20 else "")
        raise BadInput("error.env_action", seat=seat, action=number, legal=shown)

    def play(self, number: Any) -> None:
        """Play a legal action of the seat that acts."""
        self._number[0] = number
        self.batch._advance(self._number)

    def observe(self) -> dict[str, Ints]:
        """Return what the seat that acts observes."""
        return {"observation": self.batch.rows.observations[0].copy(), "action_mask": self.batch.rows.masks[0].copy()}

    def observe_all(self) -> tuple[Ints, Ints]:
        """Return what every seat observes, and what it may do as far as it knows."""
        n, engine = self.players, self.batch.engine
        states = np.repeat(self.batch.states, n)
        out = np.zeros((n, self.layout.size), np.float32)
        masks = np.zeros((n, self.batch.numbers), np.int8)
        scratch = np.zeros(1, states.dtype)
        engine.run(rows.observe, states, scratch, np.arange(n, dtype=np.int8), out, masks, engine.actions())
        return out, masks

    @property
    def rewards(self) -> list[float]:
        """What the last step brought each seat."""
        return self.batch.rows.rewards[0].tolist()  # type: ignore[no-any-return]

    def view(self) -> Json:
        """Return the open table, as spectators see it."""
        return view_of(self.batch.engine, self.batch.states.tobytes(), SPECTATOR)

    def render(self) -> Any:
        """Return or show the open table, as the render mode says."""
        from registan.envs import render

        if self.render_mode is None:
            raise BadInput("error.no_render_mode", modes=", ".join(RENDER_MODES))
        if self.render_mode == "ansi":
            return render.text(self.game, self.view())
        pixels = render.pixels(self.game, self.batch.box, self.view())
        if self.render_mode == "rgb_array":
            return pixels
        if self._window is None:
            self._window = render.Window(self.game.name["en"])
        self._window.show(pixels)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None
