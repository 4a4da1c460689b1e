"""The games for OpenSpiel (extra `openspiel`): importing this registers them as `registan_<key>`.

    import pyspiel
    import registan.envs.openspiel

    game = pyspiel.load_game("registan_<key>(players=4)")

A game begins with one chance node, the deal: a number from 0 to `deals` - 1, which together with `seed` determines all
later chance. So states are serialised by their history. Actions have the numbering for learners, decisions that
several make at once are made in turn, sealed, and what a seat may know comes from `hide`. A sampler of states that are
consistent with it (`resample_from_infostate`) is `guess`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from registan.bots import find_bot
from registan.bots.bot import Bot
from registan.core import batch, chance, rows
from registan.core.box import find_box
from registan.core.engine import Engine
from registan.core.errors import BadInput
from registan.core.game import SPECTATOR, Box, Game, Ints
from registan.core.observation import layout_of, numbers_of
from registan.core.registry import find, keys

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise BadInput("error.extra", package="open-spiel", extra="openspiel") from error

LONGEST = 10_000
"""The most moves of a game, far above any that was seen."""


def _kind(game: Game) -> Any:
    """Return OpenSpiel's description of a game."""
    return pyspiel.GameType(
        short_name=f"registan_{game.key}",
        long_name=game.name["en"],
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.usual, "deals": 1000, "seed": 0},
    )


class Desk:
    """Where moves are made, so that no step needs new arrays."""

    def __init__(self, engine: Engine) -> None:
        self.states = np.zeros(1, engine.game.rules.STATE)
        self.bytes = memoryview(self.states.view(np.uint8))  # type: ignore[arg-type]
        self.actions = engine.actions()
        self.latest, self.legal = b"", [0]
        """The state that was played last, and the legal actions there: whoever plays asks for them next."""


class ByThread(threading.local):
    """The desk of each thread: compiled code runs in several at once."""

    def __init__(self, engine: Engine) -> None:
        self.desk = Desk(engine)


class Shared:
    """What all states of a game have in common. Copies of a state share it."""

    def __init__(self, game: Game, box: Box, players: int, seed: int, deals: int) -> None:
        self.game, self.players, self.seed, self.deals = game, players, seed, deals
        self.outcomes = [(deal, 1.0 / deals) for deal in range(deals)]
        self.engine = Engine(game, box, compiled=True)
        self.layout, self.numbers = layout_of(game, players), numbers_of(game, players)
        self.kind = game.rules.STATE
        self.blank = batch.blank(game, 1, players).tobytes()
        self.waiting, self.over = self.kind.fields["waiting"][1], self.kind.fields["over"][1]  # type: ignore[index]
        self._own = ByThread(self.engine)

    def __deepcopy__(self, _memo: Any) -> Shared:
        return self

    def __reduce__(self) -> Any:
        return Shared, (self.game, self.engine.box, self.players, self.seed, self.deals)

    def states(self, data: bytes) -> Any:
        """Return a state as an array of one that may be changed."""
        return np.frombuffer(bytearray(data), self.kind)

    def dealt(self, deal: int) -> bytes:
        """Return the start of a deal."""
        states = self.states(self.blank)
        chance.seed(states[0].rng, self.seed, deal)
        self.engine.setup(states)
        return bytes(states)

    @property
    def desk(self) -> Desk:
        """The desk of this thread."""
        return self._own.desk

    def play(self, data: bytes, number: int) -> bytes:
        """Return the state after an action of the seat that acts, and keep the legal actions there at hand."""
        desk = self._own.desk
        desk.bytes[:] = data
        n = self.engine.run(rows.play_number, desk.states, number, desk.actions) if number < self.numbers else -1
        if n < 0:
            raise ValueError(f"action {number} is not legal")
        desk.legal = desk.actions[:n].tolist()
        desk.latest = desk.states.tobytes()
        return desk.latest

    def hidden(self, data: bytes, seat: int) -> Any:
        """Return a state as a seat may know it, as an array of one."""
        states = self.states(data)
        self.engine.hide(states, seat)
        return states

    def returns(self, data: bytes) -> list[float]:
        """Return the rewards of a finished game, which add up to 0."""
        who = int(self.engine.winners(self.states(data))[0])
        share = [float(who >> seat & 1) / who.bit_count() for seat in range(self.players)]
        return [(self.players * part - 1) / (self.players - 1) for part in share]


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games for OpenSpiel; `registered` has a class for each of them."""

    game: Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        game = self.game
        given = {"players": game.usual, "deals": 1000, "seed": 0} | (params or {})
        players, deals = int(given["players"]), int(given["deals"])
        if players not in game.players:
            raise BadInput("error.players", game=game.key, low=game.players[0], high=game.players[-1], n=players)
        info = pyspiel.GameInfo(
            num_distinct_actions=numbers_of(game, players),
            max_chance_outcomes=deals,
            num_players=players,
            min_utility=-1.0 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(_kind(game), info, params or {})
        self.shared = Shared(game, find_box(game), players, int(given["seed"]), deals)

    def new_initial_state(self) -> SpielState:
        """Return the state before the deal."""
        return SpielState(self)

    def dealt(self, deal: int) -> SpielState:
        """Return the start of a deal."""
        state = SpielState(self)
        state.apply_action(deal)
        return state

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return an observer of states."""
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        return SpielObserver(self.shared, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    def max_chance_nodes_in_history(self) -> int:
        """Return 1: the deal."""
        return 1


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state: the bytes of ours, empty before the deal. Bytes never change, so copies share them.

    What a program calls at every step is written in Python as far as possible: OpenSpiel's own methods cross from
    Python to C++ and back.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.shared, self.data = game.shared, b""

    def current_player(self) -> int:
        """Return the lowest seat that is asked."""
        if not self.data:
            return int(pyspiel.PlayerId.CHANCE)
        if self.data[self.shared.over]:
            return int(pyspiel.PlayerId.TERMINAL)
        waiting = self.data[self.shared.waiting]
        return (waiting & -waiting).bit_length() - 1

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.data) and self.data[self.shared.over] != 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals, all equally likely."""
        return self.shared.outcomes.copy()

    def is_chance_node(self) -> bool:
        """Whether the deal is next."""
        return not self.data

    def legal_actions(self, *player: int) -> list[int]:
        """Return the legal actions of the seat that acts, or of another."""
        desk = self.shared.desk
        if desk.latest is not self.data or (player and player[0] != self.current_player()):
            return super().legal_actions(*player)  # type: ignore[no-any-return]
        return desk.legal.copy()

    def _legal_actions(self, player: int) -> list[int]:
        shared, out = self.shared, self.shared.desk.actions
        n = shared.engine.run(rows.list_numbers, shared.states(self.data), int(player), out)
        return out[:n].tolist()  # type: ignore[no-any-return]

    def _apply_action(self, action: int) -> None:
        shared = self.shared
        self.data = shared.play(self.data, action) if self.data else shared.dealt(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        engine, states = self.shared.engine, self.shared.states(self.data)
        ours = int(engine.run(rows.to_action, states, int(player), int(action)))
        move = self.shared.game.moves.write(engine.box, states[0], int(player), ours)
        return " ".join(_words(value) for value in move.values())

    def returns(self) -> list[float]:
        """Return everybody's reward: they add up to 0, and winning alone is 1."""
        if not self.is_terminal():
            return [0.0] * self.shared.players
        return self.shared.returns(self.data)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a random state consistent with what a seat knows. Its history is no longer how it came about."""
        states = self.shared.hidden(self.data, player)
        rng = np.zeros(chance.WORDS, np.uint64)
        chance.seed(rng, int(sampler() * (1 << 53)), 0)
        self.shared.engine.guess(states, player, rng)
        twin: SpielState = self.clone()
        twin.data = states.tobytes()
        return twin

    def __str__(self) -> str:
        return self.data.hex() or "before the deal"


def _words(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


class SpielObserver:
    """What a seat observes, as OpenSpiel wants it: the tensor by named blocks, and a string that tells all."""

    def __init__(self, shared: Shared, kind: Any) -> None:
        self._shared = shared
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        layout = shared.layout
        self.tensor: Ints = np.zeros(layout.size if self._private else 0, np.float32)
        self._out = self.tensor.reshape(1, -1)
        blocks = layout.blocks if self._private else ()
        self.dict: dict[str, Ints] = {block.name: layout.block(self.tensor, block.name) for block in blocks}
        self._masks = np.zeros((1, shared.numbers), np.int8)
        self._scratch = np.zeros(1, shared.kind)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat observes into `tensor` and `dict`."""
        shared = self._shared
        if not self._private:
            return
        if not state.data:
            self.tensor.fill(0)
            return
        seats = np.array([player], np.int8)
        args = (self._scratch, seats, self._out, self._masks, shared.desk.actions)
        shared.engine.run(rows.observe, shared.states(state.data), *args)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return all that a seat knows, or what is open to all."""
        if not state.data:
            return "before the deal"
        seat = player if self._private else SPECTATOR
        return str(self._shared.hidden(state.data, seat).tobytes().hex())


class OurBot(pyspiel.Bot):  # type: ignore[misc]
    """A bot of ours in an OpenSpiel tournament; it sees what its seat may know."""

    def __init__(self, bot: str | Bot, player: int, seed: int = 0) -> None:
        super().__init__()
        self._bot = find_bot(bot) if isinstance(bot, str) else bot
        self._player = player
        self._rng = np.zeros(chance.WORDS, np.uint64)
        chance.seed(self._rng, seed, player)

    def player_id(self) -> int:
        """Return the seat."""
        return self._player

    def restart_at(self, state: SpielState) -> None:
        """Do nothing: the bot remembers nothing."""

    def step(self, state: SpielState) -> int:
        """Return its action."""
        shared = state.shared
        hidden = shared.hidden(state.data, self._player)
        action = self._bot.choose(shared.engine, hidden, self._player, self._rng)
        return int(shared.engine.run(rows.to_number, hidden, self._player, action))


class SpielBot:
    """A bot of OpenSpiel at our tables. It gets a guess of what its seat does not know.

    `make(game, seat, rng)` makes the bot, for example `ISMCTSBot(game, …)`; `rng` is a NumPy `RandomState`.
    """

    def __init__(self, name: str, make: Callable[[SpielGame, int, np.random.RandomState], Any]) -> None:
        self.name, self._make = name, make
        self._games: dict[tuple[str, int], SpielGame] = {}

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Return its action."""
        players = int(hidden["players"][0])
        key = engine.game.key, players
        if key not in self._games:
            self._games[key] = class_of(engine.game)({"players": players})
            self._games[key].shared.engine = Engine(engine.game, engine.box, compiled=True)
        game = self._games[key]
        world = hidden.copy()
        engine.guess(world, seat, rng)
        state = game.dealt(0)
        state.data = world.tobytes()
        bot = self._make(game, seat, np.random.RandomState(int(chance.draw(rng))))
        number = int(bot.step(state))
        return int(engine.run(rows.to_action, hidden, seat, number))


def class_of(game: Game) -> type[SpielGame]:
    """Return the OpenSpiel game of one of ours."""
    return type(f"Registan{game.key.title()}", (SpielGame,), {"game": game})


registered = {key: class_of(find(key)) for key in keys()}
for _found in registered.values():
    pyspiel.register_game(_kind(_found.game), _found)
