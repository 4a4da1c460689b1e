"""Writes the environment of a game, number by number, into its page, and all sizes into docs/environments.md.

python -m tools.layouts            # writes the pages
python -m tools.layouts --check    # fails if a page is not up to date
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from registan.core.game import Game
from registan.core.observation import layout_of, numbers_of
from registan.core.registry import find, keys

DOCS = Path(__file__).resolve().parents[1] / "docs"


def layout_table(game: Game) -> str:
    """Return the table of a game's observation: every block with its first index for each number of players."""
    layouts = {players: layout_of(game, players) for players in game.players}
    names = list(dict.fromkeys(block.name for layout in layouts.values() for block in layout.blocks))
    counts = " | ".join(f"{players} players" for players in layouts)
    lines = [
        f"Version {next(iter(layouts.values())).version}; `n` is the number of players.",
        "",
        f"| block | shape | what it is | scale | {counts} |",
        f"|---|---|---|---|{'---|' * len(layouts)}",
    ]
    for name in names:
        blocks = {p: next((b for b in layout.blocks if b.name == name), None) for p, layout in layouts.items()}
        found = [block for block in blocks.values() if block is not None]
        low = " (-1 to 1)" if found[0].low else ""
        starts = " | ".join(str(layouts[p].at[name].start) if blocks[p] else "–" for p in layouts)
        shapes = _shape([(p, block.shape) for p, block in blocks.items() if block is not None])
        scales = {f"{block.scale:g}" for block in found}
        scale = scales.pop() if len(scales) == 1 else "n"
        lines.append(f"| `{name}` | {shapes} | {found[0].what}{low} | {scale} | {starts} |")
    sizes = " | ".join(str(layout.size) for layout in layouts.values())
    return "\n".join([*lines, f"| | | **numbers in all** | | {sizes} |"])


def environment_table(game: Game) -> str:
    """Return what an environment of a game is, in the form of PettingZoo's pages."""
    layouts = {players: layout_of(game, players) for players in game.players}
    low, high = game.players[0], game.players[-1]
    options = [f"`{name}`: {', '.join(f'`{value!r}`' for value in o.values)}" for name, o in game.options.items()]
    rows = {
        "Import": "`from registan import envs`",
        "AEC, parallel": f'`envs.AECEnv("{game.key}", players={game.usual})`, `envs.ParallelEnv(…)`',
        "Gymnasium": f'`envs.SeatEnv("{game.key}", players={game.usual})`, `envs.VectorEnv(…)`',
        "OpenSpiel": f'`pyspiel.load_game("registan_{game.key}(players={game.usual})")`',
        "Agents": f"{low} to {high}: `seat_0` … `seat_{high - 1}`",
        "Actions": _by_players({p: f"`Discrete({numbers_of(game, p)})`" for p in layouts}),
        "Observation shape": _by_players({p: f"`({layout.size},)`" for p, layout in layouts.items()}),
        "Observation values": "-1 to 1, `float32`",
        "Rewards": "at the end; they add up to 0, and winning alone is 1",
        "Render modes": "`ansi`, `rgb_array`, `human`",
        "Options": "; ".join(options),
        "Version": f"`registan_{game.key}_v{layouts[low].version}`",
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {what} | {text} |" for what, text in rows.items())])


def _by_players(texts: dict[int, str]) -> str:
    """Return what depends on the number of players, each text once."""
    counts: dict[str, list[int]] = {}
    for players, text in texts.items():
        counts.setdefault(text, []).append(players)
    if len(counts) == 1:
        return next(iter(counts))
    spans = {text: f"{found[0]} to {found[-1]}" if len(found) > 1 else found[0] for text, found in counts.items()}
    return ", ".join(f"{text} with {span}" for text, span in spans.items()) + " players"


def _shape(shapes: list[tuple[int, tuple[int, ...]]]) -> str:
    """Return a shape for all numbers of players: an axis that grows with them is n, n + 1 …, or all its lengths."""
    axes = []
    for lengths in zip(*(shape for _, shape in shapes)):
        players = [p for p, _ in shapes]
        if len(set(lengths)) == 1 and (len(lengths) > 1 or lengths[0] != players[0]):
            axes.append(str(lengths[0]))
        elif list(lengths) == players:
            axes.append("n")
        elif [length - 1 for length in lengths] == [4 * p for p in players]:
            axes.append("(1 + 4n)")
        else:
            axes.append("/".join(map(str, lengths)))
    return " × ".join(axes)


def size_table() -> str:
    """Return the sizes of all games and numbers of players."""
    lines = ["| game | players | agents | actions | observation | version |", "|---|---|---|---|---|---|"]
    for key in keys():
        game = find(key)
        for players in game.players:
            layout, numbers = layout_of(game, players), numbers_of(game, players)
            agents = f"`seat_0` … `seat_{players - 1}`"
            row = (f"`{key}`", players, agents, f"`Discrete({numbers})`", f"`({layout.size},)` float32", layout.version)
            lines.append(f"| {' | '.join(map(str, row))} |")
    return "\n".join(lines)


def written(page: str, name: str, made: str) -> str:
    """Return a page with what stands between the marks of that name replaced."""
    marks = re.compile(rf"(<!-- {name}: made by tools/layouts.py -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    if not marks.search(page):
        raise ValueError(f"the page has no marks for {name}")
    return marks.sub(lambda found: f"{found[1]}\n{made}\n\n{found[2]}", page)


def pages() -> dict[Path, str]:
    """Return every page with a part that is made here, as it should be."""
    made = {}
    for key in keys():
        path = DOCS / "games" / f"{key}.md"
        page = written(path.read_text("utf-8"), "environment", environment_table(find(key)))
        made[path] = written(page, "layout", layout_table(find(key)))
    path = DOCS / "environments.md"
    made[path] = written(path.read_text("utf-8"), "sizes", size_table())
    return made


def main(args: list[str]) -> int:
    """Write the pages, or with --check return 1 if one is not up to date."""
    stale = [path for path, text in pages().items() if path.read_text("utf-8") != text]
    for path in stale:
        if "--check" in args:
            print(f"{path.relative_to(DOCS.parent)} is not up to date: run python -m tools.layouts")
        else:
            path.write_text(pages()[path], "utf-8")
    return 1 if stale and "--check" in args else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
