"""Lessons: scripted positions of a game, in which a newcomer is asked for moves.

A lesson is a TOML file in the folder `lessons` of a game (docs/lessons.md). It is played through before anybody sees
it: every position, every move that it asks for, everything that it says a move brings and every rule that it says
forbids one is checked by the engine. What is shown of it is made from what the learner's seat knows.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any

import msgspec

from registan.bots import check_level
from registan.core.box import find_box
from registan.core.errors import BadInput, IllegalMove, RegistanError
from registan.core.game import Game, Json
from registan.core.match import FORMAT, Match
from registan.core.record import replay
from registan.core.rulebook import rule_texts
from registan.tables.match import TableMatch
from registan.tables.patch import Change, diff
from registan.tables.study import as_shown

WORDS_A_MINUTE, SECONDS_A_MOVE, SECONDS_A_STEP, SHORT_GAME = 190, 9, 2, 90
"""How long a lesson takes: reading, finding and making a move, turning to the next step, and the short game."""


class Text(msgspec.Struct, forbid_unknown_fields=True):
    """A text in both languages."""

    en: str
    fr: str


class Try(msgspec.Struct, forbid_unknown_fields=True):
    """A move that a learner may wonder about, and the rule that forbids it."""

    text: Text
    """The question, such as "May I go to Baghdad?"."""
    move: Json
    rule: str


class Other(msgspec.Struct, forbid_unknown_fields=True):
    """A legal move that is not the one asked for: what happens then, and what is wrong with it."""

    move: Json
    text: Text
    then: list[Json] = []


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """One idea: a text, and perhaps a move that is asked for."""

    text: Text
    ask: Json | None = None
    then: list[Json] = []
    """The lines that follow: moves with their `seat`, events, or `{all = {move}, times = 3}`."""
    others: list[Other] = []
    tries: list[Try] = []
    lit: list[Json] = []
    """Lines of the log whose places light up on the board; by default that of the move asked for."""
    rules: list[str] = []
    brings: Json = {}
    """What the view says that the move asked for brings, as far as the text names it."""
    expect: Json = {}
    """What the learner sees in the view when the step begins, by path: `{"seats.0.gems" = 3}`."""


class Scene(msgspec.Struct, forbid_unknown_fields=True):
    """A position, and the steps from there on."""

    players: int
    setup: Json
    """As in a record."""
    steps: list[Step]
    seat: int = 0
    box: str | None = None
    options: Json = {}
    played: list[Json] = []
    """What was played before, as in a record."""
    bots: str = ""
    """The level of the bots against whom the learner plays on after the last step."""
    guided: int = 3
    """On how many decisions of that game the guide comments."""


class Script(msgspec.Struct, forbid_unknown_fields=True):
    """A lesson as written."""

    title: Text
    scenes: list[Scene]


class BadLesson(RegistanError):
    """A lesson that the engine does not confirm: which file, where in it, and what is wrong."""

    def __init__(self, file: str, where: str, why: str) -> None:
        super().__init__("error.house.lesson", place=f"{file}: {where}" if where else file, why=why)


class LessonInfo(msgspec.Struct):
    """A lesson in a list."""

    lesson: str
    title: Text
    minutes: int
    """How long it takes, roughly."""


class ShownTry(msgspec.Struct):
    """A move that a learner may wonder about, and how it is refused."""

    text: Text
    move: Json
    rule: str
    refusal: Text


class ShownOther(msgspec.Struct):
    """A legal move that is not the one asked for, and what it leads to."""

    move: Json
    text: Text
    patches: list[list[Change]]


class ShownStep(msgspec.Struct):
    """A step as the browser shows it."""

    text: Text
    ask: Json | None
    lit: list[Json]
    rules: list[str]
    patches: list[list[Change]]
    """What changes after the step, moment by moment."""
    others: list[ShownOther]
    tries: list[ShownTry]


class ShownScene(msgspec.Struct):
    """A scene as the browser shows it, from the learner's seat."""

    box: str
    options: Json
    players: int
    seat: int
    first: Json
    steps: list[ShownStep]
    bots: str
    guided: int
    record: Json | None
    """The record at the end of the scene, if the learner plays on."""


class Lesson(msgspec.Struct):
    """A lesson, played through by the engine."""

    game: str
    lesson: str
    title: Text
    scenes: list[ShownScene]


def names_of(game: Game) -> list[str]:
    """Return the names of a game's lessons, in order; a game may have none."""
    return sorted(path.stem for path in (game.folder / "lessons").glob("*.toml"))


def read(game: Game, name: str) -> Script:
    """Return one of a game's lessons as written; raise BadLesson if it is not as docs/lessons.md has it."""
    try:
        text = (game.folder / "lessons" / f"{name}.toml").read_text("utf-8")
        return msgspec.convert(tomllib.loads(text), Script)
    except (ValueError, msgspec.ValidationError) as error:
        raise BadLesson(f"{name}.toml", "", str(error)) from None


def info(game: Game, name: str) -> LessonInfo:
    """Return what a list says about a lesson."""
    script = read(game, name)
    return LessonInfo(name, script.title, max(1, round(seconds(script) / 60)))


def seconds(script: Script, lang: str = "en") -> float:
    """Return how long a lesson takes: the words to read and the moves to make."""
    steps = [step for scene in script.scenes for step in scene.steps]
    words = sum(len(getattr(step.text, lang).split()) for step in steps)
    moves = sum(step.ask is not None for step in steps)
    games = sum(bool(scene.bots) for scene in script.scenes)
    return 60 * words / WORDS_A_MINUTE + SECONDS_A_MOVE * moves + SECONDS_A_STEP * len(steps) + SHORT_GAME * games


def play_through(game: Game, name: str) -> Lesson:
    """Return a lesson with all its positions; raise BadLesson where the engine does not agree with it."""
    script = read(game, name)
    scenes = []
    for number, scene in enumerate(script.scenes, 1):
        where = f"scene {number}"
        try:
            scenes.append(_Player(game, scene).shown())
        except _Fault as fault:
            raise BadLesson(f"{name}.toml", f"{where}, step {fault.step}" if fault.step else where, fault.why) from None
    return Lesson(game.key, name, script.title, scenes)


class _Fault(Exception):
    """Something that the engine does not confirm; step 0 is the position itself."""

    def __init__(self, step: int, why: str) -> None:
        self.step, self.why = step, why


class _Player:
    """Plays one scene."""

    def __init__(self, game: Game, scene: Scene) -> None:
        self.scene, self.step = scene, 0
        try:
            if scene.bots:
                check_level(scene.bots)
            self.match = replay(_record(game, scene), lambda *_: game)
            if not 0 <= scene.seat < self.match.players:
                raise BadInput("error.seat", seat=scene.seat, last=self.match.players - 1)
        except RegistanError as error:
            raise self.fault(str(error)) from None

    def fault(self, why: str) -> _Fault:
        return _Fault(self.step, why)

    def now(self) -> Json:
        """Return the present moment as the learner sees it."""
        return as_shown(TableMatch.replayed(self.match), self.scene.seat)

    def shown(self) -> ShownScene:
        """Return the scene with all its moments."""
        scene, first, steps = self.scene, self.now(), list[ShownStep]()
        for self.step, step in enumerate(scene.steps, 1):
            steps.append(self.play(step))
        match = self.match
        record = match.record() if scene.bots else None
        if record is not None and (match.over or "sealed" in record):
            raise self.fault("a short game cannot begin when the game is over, or when somebody has answered already")
        return ShownScene(
            match.box.key, match.options, match.players, scene.seat, first, steps, scene.bots, scene.guided, record
        )

    def play(self, step: Step) -> ShownStep:
        """Check a step against the engine, carry it out, and return what it shows."""
        now = self.now()
        self.check(step, now["view"])
        tries = [self.refused(one) for one in step.tries]
        others = [ShownOther(other.move, other.text, self.aside(now, other.move, other.then)) for other in step.others]
        patches = self.follow(now, step.ask, step.then)
        return ShownStep(step.text, step.ask, step.lit, step.rules, patches, others, tries)

    def check(self, step: Step, view: Json) -> None:
        """Raise a fault if the view is not as the step says, or its moves are not legal."""
        game = self.match.game
        for path, wanted in step.expect.items():
            if (found := _value(view, path)) != wanted:
                raise self.fault(f"the view has {path} = {found!r}, not {wanted!r}")
        for rule in [*step.rules, *(one.rule for one in step.tries)]:
            if rule_texts(game, rule)["en"] == rule:
                raise self.fault(f"there is no rule {rule}")
        moves = [*([] if step.ask is None else [step.ask]), *(other.move for other in step.others)]
        if moves and self.scene.seat not in self.match.waiting:
            raise self.fault(f"seat {self.scene.seat} is not asked")
        for move in moves:
            if move not in view["legal"]:
                raise self.fault(
                    f"{move} is not in the list of legal moves: {_refusal(self.match, self.scene.seat, move)}"
                )
        if step.ask is None:
            if step.brings or step.others or step.tries:
                raise self.fault("brings, others and tries need a move that is asked for")
            return
        brings = view["brings"][view["legal"].index(step.ask)] or {}
        for name, wanted in step.brings.items():
            if brings.get(name) != wanted:
                raise self.fault(f"the move brings {name} = {brings.get(name)!r}, not {wanted!r}")

    def refused(self, one: Try) -> ShownTry:
        """Return a forbidden move with its refusal; raise a fault if the engine allows it, or names another rule."""
        error = _refusal(self.match, self.scene.seat, one.move)
        if not isinstance(error, IllegalMove) or error.rule != one.rule:
            raise self.fault(f"{one.move} is not refused with {one.rule}: {error or 'it is legal'}")
        return ShownTry(one.text, one.move, one.rule, Text(**error.texts))

    def aside(self, now: Json, move: Json, then: list[Json]) -> list[list[Change]]:
        """Return the moments after another move, and take it back."""
        match = self.match
        kept = TableMatch.replayed(match).copy()
        try:
            return self.follow(now, move, then)
        finally:
            self.match = kept

    def follow(self, now: Json, move: Json | None, then: list[Json]) -> list[list[Change]]:
        """Play a move of the learner and the lines that follow, and return the moments as patches."""
        patches: list[list[Change]] = []
        lines = [*([] if move is None else [{"seat": self.scene.seat, **move}]), *_unrolled(then)]
        for line in lines:
            for one in self.parts(line):
                try:
                    self.carry_out(one)
                except RegistanError as error:
                    raise self.fault(f"{one}: {error}") from None
                before, now = now, self.now()
                if changes := diff(before, now):
                    patches.append(changes)
        if self.match.state.due:
            raise self.fault("a chance event is due: the step must say how it comes out")
        return patches

    def parts(self, line: Json) -> list[Json]:
        """Return a line, or one for each seat that is asked."""
        if "all" not in line:
            return [line]
        return [{"seat": seat, **line["all"]} for seat in self.match.waiting]

    def carry_out(self, line: Json) -> None:
        """Carry out a move with its seat, or a chance event."""
        match = self.match
        if "seat" not in line:
            if not match.state.due:
                raise BadInput("error.record.unexpected")
            match.apply_event(line)
            return
        if match.state.due:
            raise BadInput("error.record.due")
        match.act(line["seat"], match.game.moves.read(match.box, match.state, line))


def _record(game: Game, scene: Scene) -> Json:
    """Return the record of the position with which a scene begins."""
    box = find_box(game, scene.box)
    return {
        "format": FORMAT,
        "game": game.key,
        "players": scene.players,
        "options": scene.options,
        "box": {"key": box.key, "sha256": box.sha256},
        "status": "running",
        "setup": scene.setup,
        "moves": scene.played,
        "scores": None,
        "winners": None,
    }


def _refusal(match: Match, seat: int, move: Json) -> RegistanError | None:
    """Return why a move is refused, None if it is legal."""
    try:
        match.check(seat, match.game.moves.read(match.box, match.state, move))
    except RegistanError as error:
        return error
    return None


def _unrolled(lines: Sequence[Json]) -> list[Json]:
    """Return lines with those that happen several times written out."""
    return [{k: v for k, v in line.items() if k != "times"} for line in lines for _ in range(line.get("times", 1))]


def _value(view: Any, path: str) -> Any:
    """Return what stands at a path of a view, None if there is nothing."""
    for name in path.split("."):
        try:
            view = view[int(name)] if isinstance(view, list) else view[name]
        except (LookupError, TypeError, ValueError):
            return None
    return view
