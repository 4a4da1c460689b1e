"""A small board for tests: a grid with as many families and goods as one wants."""

from __future__ import annotations

from itertools import product

SYMBOLS = ("cedar", "falcon", "anchor", "horse", "ship", "palm", "pomegranate", "star", "wheel", "dragon")
STEP = 20


def small_board(families: int = 6, goods: int = 18, players: int | None = 3, across: int = 6, down: int = 5) -> str:
    """Return the text of a board of squares: homes spread out, goods on the next spaces, the last one water."""
    spaces = list(product(range(across), range(down)))
    homes = [spaces[i * len(spaces) // families] for i in range(families)]
    rest = [at for at in spaces if at not in homes]
    water = rest.pop()

    def key(at: tuple[int, int]) -> str:
        return f"s{at[0]}-{at[1]}"

    lines = ['key = "small"', 'name = { en = "Small", fr = "Petit" }']
    lines += [] if players is None else [f"players = {players}"]
    for i, home in enumerate(homes):
        lines += [
            "[[families]]", f'key = "f{i}"', f'name = {{ en = "F{i}", fr = "F{i}" }}', f'colour = "#{i:06x}"',
            f'symbol = "{SYMBOLS[i]}"', f'start = "{key(home)}"', f"dowry = {3 + i % 3}",
        ]  # fmt: skip
    for i, at in enumerate(rest[:goods]):
        lines += [
            "[[goods]]", f"number = {i + 1}", f'key = "g{i}"', f'name = {{ en = "G{i}", fr = "G{i}" }}',
            f'space = "{key(at)}"',
        ]  # fmt: skip
    for x, y in spaces:
        beside = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        near = ", ".join(f'"{key(at)}"' for at in beside if at in spaces)
        left, top = x * STEP, y * STEP
        corners = [[left, top], [left + STEP, top], [left + STEP, top + STEP], [left, top + STEP]]
        lines += [
            "[[spaces]]", f'key = "{key((x, y))}"', f'name = {{ en = "S {x} {y}", fr = "C {x} {y}" }}',
            f'kind = "{"water" if (x, y) == water else "land"}"', f"neighbours = [{near}]",
            f"centre = [{left + STEP // 2}, {top + STEP // 2}]", f"outline = {corners}",
        ]  # fmt: skip
    return "\n".join(lines) + "\n"
