"""What can be wrong with a board file: every fault is named with its line, and nothing brings the check down."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registan.core.errors import BadBox
from registan.games.samarkand import GAME
from registan.games.samarkand.map import board, outline, toml_lines


def square(centre: re.Match[str]) -> str:
    x, y = float(centre[1]), float(centre[2])
    left, right, top, low = x - 9, x + 9, y - 9, y + 9
    return f"centre = [{x}, {y}]\noutline = [[{left}, {top}], [{right}, {top}], [{right}, {low}], [{left}, {low}]]"


# The small board, with squares for outlines: as sound as before, and much quicker to read.
SMALL = re.sub(
    r"centre = \[(.*?), (.*?)\]\noutline = \[\n.*?\n\]",
    square,
    GAME.boxes["oasis"].read_text("utf-8"),
    flags=re.DOTALL,
)


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def line_in(key: str, word: str) -> str:
    """Return the line of the small board that starts with a word, in the table with this key."""
    table = SMALL[SMALL.index(f'key = "{key}"') :]
    return table[table.index(f"\n{word} =") + 1 :].split("\n")[0]


def with_outline(corners: str) -> str:
    return SMALL.replace(line_in("old-well", "outline"), f"outline = {corners}", 1)


def without(key: str, neighbour: str) -> str:
    """Return the small board where a space does not name one of its neighbours."""
    line = line_in(key, "neighbours")
    return SMALL.replace(line, re.sub(rf', "{neighbour}"|"{neighbour}", ', "", line), 1)


SECOND_FAMILY = SMALL.index("[[families]]", SMALL.index("[[families]]") + 1)
FIRST_GOOD, SECOND_GOOD = SMALL.index("[[goods]]"), SMALL.index("[[goods]]", SMALL.index("[[goods]]") + 1)

# What somebody did to a sound board, where the fault should be found (a part of the line), and what should be said.
BROKEN: dict[str, tuple[str, str | None, str]] = {
    "cut short": (SMALL[:-3], "", "not TOML"),
    "not TOML": (SMALL.replace("dowry = 3", "dowry == 3", 1), "dowry == 3", "not TOML"),
    "key twice in a table": (SMALL.replace("dowry = 3", "dowry = 3\ndowry = 4", 1), "dowry = 4", "not TOML"),
    "endless number": ("key = " + "9" * 5000, None, "not TOML"),
    "deep nesting": ("key = " + "[" * 100_000, None, "nested too deeply"),
    "empty file": ("", None, "'key' is missing; add it"),
    "missing key": (SMALL.replace('symbol = "cedar"\n', ""), "[[families]]", "'symbol' is missing"),
    "unknown key": (
        SMALL.replace("dowry = 3", "dowry = 3\nhorses = 7", 1),
        "horses",
        "unknown; known here are key, name",
    ),
    "unknown table": (SMALL + "\n[rivers]\n", "[rivers]", "unknown"),
    "unknown language": (SMALL.replace('fr = "Lin"', 'de = "Lein"'), "Lein", "unknown"),
    "missing language": (SMALL.replace(', fr = "Lin"', ""), 'en = "Flax"', "'fr' is missing"),
    "name of no text": (SMALL.replace('fr = "Lin"', "fr = 3"), "fr = 3", "1 to 60 characters, not 3"),
    "empty name": (SMALL.replace('fr = "Lin"', 'fr = " "'), 'fr = " "', "1 to 60 characters"),
    "name without languages": (
        SMALL.replace('name = { en = "Flax", fr = "Lin" }', 'name = "Flax"'),
        'name = "Flax"',
        'must be { en = "…", fr = "…" }',
    ),
    "empty names": (SMALL.replace('name = { en = "Flax", fr = "Lin" }', "name = {}"), "name = {}", "'en' is missing"),
    "key with blanks": (SMALL.replace('key = "flax"', 'key = "fl ax"'), "fl ax", "without blanks"),
    "key too long": (SMALL.replace('key = "flax"', f'key = "{"é" * 17}"'), "éé", "1 to 32 bytes"),
    "unknown symbol": (
        SMALL.replace('symbol = "cedar"', 'symbol = "unicorn"'),
        "unicorn",
        "no symbol 'unicorn'; choose",
    ),
    "small board for too many": (
        SMALL.replace('key = "oasis"', 'key = "oasis"\nplayers = 6', 1),
        "players = 6",
        "from 2 to 5, not 6",
    ),
    "small board with too few goods": (
        SMALL[:FIRST_GOOD].replace('key = "oasis"', 'key = "oasis"\nplayers = 3', 1)
        + SMALL[SMALL.index("[[goods]]\nnumber = 33") :],
        "[[goods]]",
        "for 3 players has 18 to 33 of them; these are 1",
    ),
    "too many corners": (
        re.sub(
            r"outline = .*",
            "outline = [" + ", ".join(f"[{i}, {i * i}]" for i in range(110)) + "]",
            SMALL,
        ),
        "outline",
        "at most 5000 corners",
    ),
    "bad colour": (SMALL.replace('"#c0272d"', '"red"'), '"red"', "must be a colour such as"),
    "dowry too high": (SMALL.replace("dowry = 6", "dowry = 21"), "dowry = 21", "from 1 to 20, not 21"),
    "dowry that is true": (SMALL.replace("dowry = 6", "dowry = true"), "dowry = true", "whole number"),
    "nine families": (
        SMALL[: SMALL.index("[[families]]")] + SMALL[SECOND_FAMILY:],
        "[[families]]",
        "must be 10 of them; these are 9. A smaller board says",
    ),
    "32 goods": (SMALL[:FIRST_GOOD] + SMALL[SECOND_GOOD:], "[[goods]]", "must be 33 of them; these are 32"),
    "families that are no tables": (
        "families = 3\n",
        "families",
        "must be a list of tables; write each as [[families]]",
    ),
    "a family that is no table": ("families = [3]\n", "families", "must be a table, not 3"),
    "start that is nowhere": (
        SMALL.replace('start = "cedar-camp"', 'start = "moon"'),
        '"moon"',
        "there is no space 'moon'",
    ),
    "start on water": (
        SMALL.replace('start = "cedar-camp"', 'start = "reed-pool"'),
        'start = "reed-pool"',
        "is water; name a land space",
    ),
    "start used twice": (
        SMALL.replace('start = "cedar-camp"', 'start = "palm-camp"'),
        'start = "palm-camp"',
        "already used on line",
    ),
    "good on a start": (
        SMALL.replace('space = "amber-lane"', 'space = "palm-camp"'),
        'space = "palm-camp"',
        "is the start of 'arabia'",
    ),
    "good on no space": (SMALL.replace('space = "amber-lane"', 'space = ""'), 'space = ""', "it is on no space yet"),
    "good on a list": (SMALL.replace('space = "amber-lane"', "space = []"), "space = []", "must be a text"),
    "two goods on a space": (
        SMALL.replace('space = "amber-lane"', 'space = "flax-field"'),
        None,
        "already used on line",
    ),
    "number of a good twice": (SMALL.replace("number = 7\n", "number = 8\n"), None, "8 is already used on line"),
    "number of a good too high": (
        SMALL.replace("number = 7\n", "number = 34\n"),
        "number = 34",
        "from 1 to 33, not 34",
    ),
    "family key twice": (SMALL.replace('key = "levant"', 'key = "egypt"'), None, "'egypt' is already used on line"),
    "space key twice": (
        SMALL.replace('key = "old-well"', 'key = "tea-house"'),
        None,
        "'tea-house' is already used on line",
    ),
    "wrong kind": (SMALL.replace('kind = "water"', 'kind = "fire"', 1), '"fire"', 'must be "land" or "water"'),
    "neighbours of no list": (
        SMALL.replace(line_in("old-well", "neighbours"), "neighbours = 5"),
        "neighbours = 5",
        "must be a list of keys",
    ),
    "neighbour that is nowhere": (
        SMALL.replace(line_in("old-well", "neighbours"), 'neighbours = ["moon"]'),
        'neighbours = ["moon"]',
        "there is no space 'moon'",
    ),
    "neighbour of itself": (
        SMALL.replace(line_in("old-well", "neighbours"), 'neighbours = ["old-well"]'),
        'neighbours = ["old-well"]',
        "its own neighbour",
    ),
    "neighbour twice": (
        SMALL.replace(line_in("old-well", "neighbours"), 'neighbours = ["tea-house", "tea-house"]'),
        '"tea-house", "tea-house"',
        "stands here twice",
    ),
    "neighbour that does not know of it": (
        without("old-well", "star-camp"),
        line_in("star-camp", "neighbours"),
        "'old-well' does not name 'star-camp' in return; add it on line",
    ),
    "neighbours that it does not know of": (
        SMALL.replace(line_in("old-well", "neighbours"), "neighbours = []"),
        "neighbours = []",
        "'old-well' is a neighbour of 'incense-dome', 'pearl-counter', 'tea-house', 'star-camp', but not the reverse",
    ),
    "neighbours that do not know of it": (
        re.sub(r'(neighbours = .*?), "old-well"|"old-well", ', r"\1", SMALL),
        line_in("old-well", "neighbours"),
        "do not name 'old-well' in return; add it there or remove them here",
    ),
    "misspelt neighbour": (
        SMALL.replace(line_in("old-well", "neighbours"), line_in("old-well", "neighbours").replace("tea-h", "tae-h")),
        "tae-house",
        "there is no space 'tae-house'; did you mean 'tea-house'?",
    ),
    "cut off": (
        re.sub(r'(neighbours = .*?), "old-well"|"old-well", ', r"\1", SMALL).replace(
            line_in("old-well", "neighbours"), "neighbours = []"
        ),
        "neighbours = []",
        "this space is cut off: no way leads from the rest",
    ),
    "centre outside": (
        SMALL.replace(line_in("old-well", "centre"), "centre = [0, 0]"),
        "centre = [0, 0]",
        "lies outside the outline",
    ),
    "centre of one number": (
        SMALL.replace(line_in("old-well", "centre"), "centre = [5]"),
        "centre = [5]",
        "must be [x, y]",
    ),
    "centre nowhere": (
        SMALL.replace(line_in("old-well", "centre"), "centre = [nan, inf]"),
        "[nan, inf]",
        "must be [x, y]",
    ),
    "centre far away": (
        SMALL.replace(line_in("old-well", "centre"), f"centre = [1, {10**400}]"),
        "centre = [1, 1000",
        "must be [x, y]",
    ),
    "outline of two corners": (with_outline("[[0, 0], [1, 1]]"), "outline = [[0, 0], [1", "3 to 200 corners"),
    "outline with a bad corner": (
        with_outline('[[0, 0], "x", [1, 1]]'),
        'outline = [[0, 0], "x"',
        "corner 2 must be [x, y]",
    ),
    "outline with a repeated corner": (
        with_outline("[[0, 0], [9, 0], [9, 9], [0, 0]]"),
        "outline = [[0, 0]",
        "corner 4, [0.0, 0.0], is repeated as corner 1",
    ),
    "outline with a spike": (
        with_outline("[[0, 0], [9, 0], [12, 0], [9, 0.0], [9, 9]]"),
        "outline = [[0, 0]",
        "turns straight back",
    ),
    "outline that crosses itself": (
        with_outline("[[0, 0], [9, 9], [9, 0], [0, 9]]"),
        "outline = [[0, 0]",
        "crosses or touches itself",
    ),
    "outline that touches itself": (
        with_outline("[[0, 0], [9, 0], [9, 9], [5, 0], [0, 9]]"),
        "outline = [[0, 0]",
        "crosses or touches itself",
    ),
    "too many spaces": (
        SMALL + "".join(f'\n[[spaces]]\nkey = "s{i}"\n' for i in range(90)),
        'key = "s80"',
        "at most 128 spaces; these are 138",
    ),
}


ONE_SLIP = {
    "a good that is nowhere": SMALL.replace('space = "amber-lane"', 'space = ""'),
    "a neighbour too few": without("old-well", "star-camp"),
    "a neighbour too many": SMALL.replace(
        line_in("old-well", "neighbours"), line_in("old-well", "neighbours").replace("]", ', "anchor-camp"]')
    ),
    "a neighbour misspelt": SMALL.replace('"tea-house", ', '"tea-hose", ', 1),
    "no neighbours": SMALL.replace(line_in("old-well", "neighbours"), "neighbours = []"),
    "first space misspelt its only way": SMALL.replace(
        line_in("anchor-camp", "neighbours"), 'neighbours = ["moon"]', 1
    ),
}


class TestFaults:
    @pytest.mark.parametrize("case", ONE_SLIP)
    def test_one_slip_is_one_or_two_faults_and_not_one_for_every_space(self, case: str) -> None:
        found = board.faults(ONE_SLIP[case], "mine.toml")
        assert 1 <= len(found) <= (2 if "misspelt its only way" in case else 1), [str(fault) for fault in found]

    @pytest.mark.parametrize("case", BROKEN)
    def test_every_fault_is_told_in_french_too(self, case: str) -> None:
        for fault in board.faults(BROKEN[case][0], "mine.toml"):
            french = fault.why.text("fr")
            assert french != fault.why.text("en")
            if "TOML" not in french:  # what the parser says is English
                assert not re.search(r"\b(must|there|this|the|is|add|remove|space)\b", re.sub("'.*?'", "", french)), (
                    french
                )

    @pytest.mark.parametrize("case", BROKEN)
    def test_a_fault_is_named_with_its_line_and_how_to_mend_it(self, case: str) -> None:
        text, part, why = BROKEN[case]
        found = board.faults(text, "mine.toml")
        told = [fault for fault in found if why in str(fault)]
        assert told, [str(fault) for fault in found]
        lines = text.split("\n")
        if part is not None:
            assert any(fault.line and part in "".join(lines[max(0, fault.line - 2) : fault.line + 1]) for fault in told)
        with pytest.raises(BadBox) as caught:
            board.load(text.encode(), "mine.toml")
        assert (caught.value.file, caught.value.line) == ("mine.toml", found[0].line)

    def test_every_fault_is_named_not_only_the_first(self) -> None:
        text = (
            SMALL.replace("dowry = 6", "dowry = 60")
            .replace('"#c0272d"', '"red"')
            .replace('kind = "water"', 'kind = "sea"')
        )
        told = [str(fault) for fault in board.faults(text)]
        assert len(told) == 6
        assert told == sorted(told, key=lambda said: int(said.split()[1].rstrip(",")))
        red = line_of(text, '"red"')
        assert any(said.startswith(f"line {red}, family 'levant', colour: must be") for said in told)

    def test_a_table_without_a_key_is_told_by_its_number(self) -> None:
        text = SMALL.replace('key = "amber"\n', "")
        assert "goods 1: 'key' is missing; add it" in str(board.faults(text)[0])


WEIRD = [
    "true",
    "-1",
    "0",
    "[]",
    "{}",
    '""',
    "nan",
    "-inf",
    "1979-05-27",
    "[[1, 2]]",
    '[1, "a"]',
    '"x"',
    "9" * 400,
    "{ en = 1 }",
]
LINES = SMALL.split("\n")
ASSIGNED = [i for i, line in enumerate(LINES) if " = " in line and not line.endswith("[")]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Return the small board after a few accidents: values swapped, lines lost or doubled, letters lost or inserted."""
    lines = list(LINES)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        what = draw(st.sampled_from(["value", "value", "lose", "double", "swap", "letters"]))
        if what == "value":
            at = draw(st.sampled_from(ASSIGNED)) % len(lines)
            lines[at] = f"{lines[at].split(' = ')[0]} = {draw(st.sampled_from(WEIRD))}"
        elif what == "lose":
            del lines[at]
        elif what == "double":
            lines.insert(at, lines[at])
        elif what == "swap":
            other = draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            cut = draw(st.integers(0, len(lines[at])))
            extra = draw(st.text(max_size=3))
            lines[at] = lines[at][:cut] + extra + lines[at][cut + draw(st.integers(0, 5)) :]
    return "\n".join(lines)


@pytest.mark.no_cover  # what chance covers, another test has to cover anyway
class TestAccidents:
    @given(mutated())
    @settings(max_examples=80, deadline=None)
    def test_a_damaged_file_is_either_sound_or_has_faults(self, text: str) -> None:
        found = board.faults(text, "mine.toml")
        assert all(fault.line is None or 1 <= fault.line <= text.count("\n") + 1 for fault in found)
        assert all(len(str(fault)) < 400 for fault in found)
        data = text.encode("utf-8", "surrogatepass")
        if found:
            with pytest.raises(BadBox):
                board.load(data, "mine.toml")
        else:
            assert board.load(data, "mine.toml").sha256

    @given(st.text())
    @settings(deadline=None)
    def test_any_text_at_all(self, text: str) -> None:
        assert board.faults(text)

    @given(st.binary())
    @settings(deadline=None)
    def test_any_bytes_at_all(self, data: bytes) -> None:
        with pytest.raises(BadBox):
            board.load(data)


class TestLines:
    def test_lines_of_tables_and_keys(self) -> None:
        text = '''# a comment = 1
top = """
[[not.a.table]]
x = 1"""
"quoted key" = 'a # b'  # c
[[rows]]
list = [  # [[rows]]
  1,
]
name.en = "="
[rows.more]
deep = { a = "}" }
[[rows]]
last = 1'''
        found = toml_lines.lines(text)
        assert found[("top",)] == 2
        assert found[("quoted key",)] == 5
        assert found[("rows",)] == found[("rows", 0)] == 6
        assert found[("rows", 0, "list")] == 7
        assert found[("rows", 0, "name", "en")] == found[("rows", 0, "name")] == 10
        assert found[("rows", 0, "more")] == 11
        assert found[("rows", 0, "more", "deep")] == 12
        assert found[("rows", 1)] == 13
        assert found[("rows", 1, "last")] == 14
        assert ("x",) not in found

    def test_the_nearest_thing_around_a_path(self) -> None:
        found = toml_lines.lines("[[rows]]\na = [1]")
        assert toml_lines.line_of(found, ("rows", 0, "a", 7)) == 2
        assert toml_lines.line_of(found, ("rows", 0, "b")) == 1
        assert toml_lines.line_of(found, ("nothing",)) is None


SQUARE = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]


class TestOutlines:
    def test_what_is_inside(self) -> None:
        assert outline.holds(SQUARE, (5, 5))
        for outside in ((0, 5), (10, 10), (5, 10), (11, 5), (-1, 0)):
            assert not outline.holds(SQUARE, outside)

    def test_boxes_that_fit(self) -> None:
        assert outline.fits(SQUARE, (5, 5), 10, 10)
        assert not outline.fits(SQUARE, (5, 5), 10.1, 2)
        assert not outline.fits(SQUARE, (20, 5), 2, 2)
        notched = [(0, 0), (4, 0), (5, 4), (6, 0), (10, 0), (10, 10), (0, 10)]
        assert not outline.fits(notched, (5, 5), 6, 6)
        assert outline.fits(notched, (5, 7), 6, 6)

    @given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=7))
    def test_simple_polygons_against_a_plain_comparison_of_all_edges(self, ring: list[tuple[int, int]]) -> None:
        points = [(float(x), float(y)) for x, y in ring]
        assert (outline.flaw(points) is None) == is_simple(ring)


def is_simple(ring: list[tuple[int, int]]) -> bool:
    """Return whether no edge has a point in common with another, but neighbours their corner: tried on a fine grid."""
    n = len(ring)
    if len(set(ring)) < n:
        return False

    def crosses(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    for i in range(n):
        for j in range(i + 1, n):
            a, b, c, d = ring[i], ring[(i + 1) % n], ring[j], ring[(j + 1) % n]
            common = {a, b} & {c, d}
            # Corners of one edge that lie on the other, and proper crossings.
            on = [p for p in (c, d) if within(a, b, p) and crosses(a, b, p) == 0]
            on += [p for p in (a, b) if within(c, d, p) and crosses(c, d, p) == 0]
            if set(on) - common:
                return False
            if crosses(a, b, c) * crosses(a, b, d) < 0 and crosses(c, d, a) * crosses(c, d, b) < 0:
                return False
    return True


def within(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int]) -> bool:
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])
