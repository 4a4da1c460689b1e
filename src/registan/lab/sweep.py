"""One parameter of a game at several values: an option, or a number in the box."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from registan.core import toml
from registan.core.box import box_file
from registan.core.errors import BadInput
from registan.core.game import Box, Game
from registan.core.match import checked_options
from registan.lab.compare import Difference, compare
from registan.lab.estimates import Estimate, mean, share
from registan.lab.measures import Measure, measures
from registan.lab.run import Run
from registan.lab.sample import Sample

MAIN = ("rank", "first", "margin", "decisions", "lead_changes", "decided", "comeback", "choices", "forced")
"""The measures that a sweep shows; JSON has all."""


NAMED = 30
"""The most parameters that a message lists."""


@dataclass(frozen=True)
class Stop:
    """What came of one value."""

    value: str
    run: Run
    sample: Sample

    def figures(self) -> dict[str, tuple[Measure, Estimate]]:
        """Return all measures by name, each with its mean."""
        return {m.name: (m, estimate(m)) for m in measures(self.run, self.sample)}


def estimate(measure: Measure) -> Estimate:
    """Return the mean of a measure: a share stays between 0 and 1."""
    return (share if measure.percent and measure.key != "first" else mean)(measure.values)


def against_first(stops: Sequence[Stop]) -> list[list[Difference]]:
    """Return how each value differs from the first one, paired by game."""
    base = stops[0]
    return [compare((base.run, base.sample), (stop.run, stop.sample)) for stop in stops]


def swept(run: Run, box: str | None, name: str, values: Sequence[str]) -> Iterator[tuple[str, Run]]:
    """Yield each value with the run that has it; raise BadInput if there is no such parameter or value."""
    game = run.game
    if name in game.options:
        choices = {str(value).lower(): value for value in game.options[name].values}
        for value in values:
            chosen = {**run.options, name: choices.get(value.lower(), value)}
            yield value, replace(run, options=checked_options(game, chosen))
        return
    data, file = box_file(game, box)
    text = data.decode("utf-8")
    numbers = parameters(text)
    if name not in numbers:
        known = [*game.options, *sorted(numbers, key=lambda number: number.count("."))]
        names = ", ".join(known[:NAMED]) + (", …" if len(known) > NAMED else "")
        raise BadInput("lab.sweep.no_parameter", game=game.key, box=run.box.key, name=name, names=names)
    for value in values:
        yield value, replace(run, box=_changed(game, text, file, name, value))


def _changed(game: Game, text: str, file: str, name: str, value: str) -> Box:
    if not re.fullmatch(r"-?\d+", value):
        raise BadInput("lab.sweep.number", name=name, value=value)
    return game.load_box(with_value(text, name, int(value)).encode("utf-8"), file)


def parameters(text: str) -> dict[str, int]:
    """Return the whole numbers of a box by name: `fine`, `salt.0` in a list, `families.levant.dowry` in a table."""
    found: dict[str, int] = {}
    for key, value in toml.loads(text).items():
        if type(value) is int:
            found[key] = value
        for i, part in enumerate(value if isinstance(value, list) else ()):
            if type(part) is int:
                found[f"{key}.{i}"] = part
            elif isinstance(part, dict) and isinstance(part.get("key"), str):
                found |= {f"{key}.{part['key']}.{name}": n for name, n in part.items() if type(n) is int}
    return found


_NUMBER = re.compile(r"(?<![\w.\"'-])-?\d+(?![\w.\"'])")


def with_value(text: str, name: str, value: int) -> str:
    """Return the text of a box with another number for a parameter; comments and everything else stay as they are."""
    wanted = {**parameters(text), name: value}
    key, *rest = name.split(".")
    if len(rest) == 2:
        blocks = re.finditer(rf"^\[\[{re.escape(key)}\]\].*?(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
        mine = rf'^key\s*=\s*"{re.escape(rest[0])}"'
        start = next(block.start() for block in blocks if re.search(mine, block[0], re.MULTILINE))
        key, index = rest[1], 0
    else:
        start, index = 0, int(rest[0]) if rest else 0
    line = re.compile(rf"^{re.escape(key)}\s*=", re.MULTILINE).search(text, start)
    assert line is not None
    number = list(_NUMBER.finditer(text, line.end()))[index]
    changed = text[: number.start()] + str(value) + text[number.end() :]
    if parameters(changed) != wanted:
        raise BadInput("lab.sweep.unclear", name=name)
    return changed
