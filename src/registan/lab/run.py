"""What to play: the description that simulations, arenas, samples and reports share."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from registan import __version__
from registan.bots import as_bot, check_name
from registan.bots.bot import Bot
from registan.bots.own import OwnBot
from registan.bots.policy import Policy
from registan.core import batch
from registan.core.box import box_file
from registan.core.errors import BadInput
from registan.core.game import Box, Game, check_players
from registan.core.match import checked_options
from registan.core.messages import say
from registan.core.registry import find
from registan.lab.compiled_bots import COMPILED
from registan.lab.net_games import nets_of


@dataclass(frozen=True)
class Run:
    """Games to play, and what to keep of them besides the results. It can be pickled and sent to other processes."""

    game: Game
    box: Box
    players: int
    options: Mapping[str, Any]
    bots: Sequence[Bot]
    """The bots by seat; in an arena, all bots that compete."""
    games: int
    seed: int
    first: int = 0
    """The number of the first game."""
    record: bool = False
    """Keep the record of every game."""
    legal: bool = False
    """Write the legal moves into the records."""
    states: bool = False
    """Write the states into the records."""
    decisions: bool = False
    """Keep every decision."""
    first_seat: int | None = None
    """The seat that begins, drawn by lot by default."""

    def __post_init__(self) -> None:
        """Refuse a bot that takes the name of a built-in or of another bot: results are counted by name."""
        by_name: dict[str, Bot] = {}
        for bot in self.bots:
            if not type(bot).__module__.startswith("registan.bots."):
                check_name(bot.name)
            if not _alike(by_name.setdefault(bot.name, bot), bot):
                raise BadInput("error.bot_twice", bot=bot.name)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots."""
        return tuple(bot.name for bot in self.bots)

    @property
    def compiled(self) -> bool:
        """Whether all the bots can play inside compiled code."""
        return all(name in COMPILED for name in self.names)

    @property
    def nets(self) -> dict[str, Policy] | None:
        """The nets of learned bots, if there are some and all bots can play inside compiled code with them."""
        return nets_of(self.game, self.players, self.bots)

    @property
    def move_by_move(self) -> bool:
        """Whether to keep more than the last state of a game tells."""
        return self.record or self.decisions

    @property
    def numbers(self) -> range:
        """The numbers of the games."""
        return range(self.first, self.first + self.games)

    def split(self, size: int) -> list[Run]:
        """Return the run as several runs of at most that many games."""
        starts = self.numbers[::size]
        return [replace(self, first=i, games=min(size, self.numbers.stop - i)) for i in starts]

    def describe(self) -> dict[str, Any]:
        """Return what identifies the games, for the head of a file."""
        return {
            "game": self.game.key,
            "version": self.game.version,
            "players": self.players,
            "options": dict(self.options),
            "box": {"key": self.box.key, "sha256": self.box.sha256},
            "seed": self.seed,
        } | ({} if self.first_seat is None else {"first": self.first_seat})

    @property
    def changed_box(self) -> bool:
        """Whether the box bears the key of a built-in one but is not the same."""
        own = self.game.boxes.get(self.box.key)
        return own is not None and hashlib.sha256(own.read_bytes()).hexdigest() != self.box.sha256

    def named(self) -> dict[str, Any]:
        """Return what identifies the games, for readers: also our version, and whether the box is a changed copy."""
        described = self.describe()
        return described | {"registan": __version__, "box": described["box"] | {"changed": self.changed_box}}

    def variant(self, lang: str) -> str:
        """Return box, options and versions for people."""
        words = ", ".join(f"{name}={str(value).lower()}" for name, value in self.options.items())
        options = say(lang, "lab.variant.options", options=words) if words else say(lang, "lab.variant.no_options")
        kind = "changed" if self.changed_box else "own" if self.box.key not in self.game.boxes else ""
        return say(
            lang,
            "lab.variant",
            box=self.box.key,
            changed=say(lang, f"lab.variant.{kind}", sha256=self.box.sha256[:8]) if kind else "",
            options=options,
            version=self.game.version,
            registan=__version__,
        )

    def __reduce__(self) -> tuple[Callable[..., Run], tuple[Any, ...]]:
        """Send the game as its key (modules cannot be pickled) and the box without what was computed from it."""
        rest = [getattr(self, field.name) for field in fields(self)[2:]]
        return _received, (self.game.key, replace(self.box), *rest)


def _alike(one: Bot, other: Bot) -> bool:
    """Whether two bots of one name are the same bot."""
    if type(one) is not type(other):
        return False
    if isinstance(one, OwnBot) and isinstance(other, OwnBot):
        return one.bot is other.bot or (one.kind is not None and one.kind is other.kind)
    return True


def _received(key: str, *rest: Any) -> Run:
    return Run(find(key), *rest)


def make_run(
    key: str,
    players: int,
    bots: Sequence[str | type | object],
    games: int,
    seed: int,
    box: str | Path | None = None,
    options: Mapping[str, Any] | None = None,
    first_seat: int | None = None,
) -> Run:
    """Return a run of the game with that key; raise BadInput or BadBox if something is wrong with it."""
    game = find(key)
    loaded = game.load_box(*box_file(game, box))
    check_players(game, loaded, players)
    batch.blank(game, 1, players, first=first_seat)  # a seat that cannot begin is refused before anything is played
    chosen, rivals = checked_options(game, options or {}), [as_bot(bot) for bot in bots]
    return Run(game, loaded, players, chosen, rivals, games, seed, first_seat=first_seat)
