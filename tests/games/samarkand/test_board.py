"""The boards: what is known of the Silk Road, whether the maps are well drawn, and whether they load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from registan.core.errors import BadBox
from registan.games.samarkand import GAME
from registan.games.samarkand.map import atlas, board, borders, outline, stats
from registan.games.samarkand.map.board import Board, Space
from registan.games.samarkand.map.labels import Row, broken, place
from registan.games.samarkand.map.symbols import SYMBOLS

BOX = GAME.folder / "box"
TEXTS = {key: (BOX / f"{key}.toml").read_text("utf-8") for key in ("silk-road", "oasis")}
BOARDS = {key: board.load(BOX / f"{key}.toml") for key in TEXTS}
SILK_ROAD, OASIS = BOARDS["silk-road"], BOARDS["oasis"]

both = pytest.mark.parametrize("shipped", BOARDS.values(), ids=list(BOARDS))


def space(key: str, on: Board = SILK_ROAD) -> Space:
    return on.spaces[on.indexes()[key]]


def family(key: str) -> board.Family:
    return next(family for family in SILK_ROAD.families if family.key == key)


def good(key: str) -> board.Good:
    return next(good for good in SILK_ROAD.goods if good.key == key)


def steps(a: str, b: str) -> int:
    return stats.distances(SILK_ROAD, a)[b]


class TestWhatTheSourcesTell:
    def test_families_keep_what_is_known_of_them(self) -> None:
        known = {"levant", "egypt", "persia", "sindh", "china", "tigris", "byzant", "arabia"}
        assert known < {family.key for family in SILK_ROAD.families}
        assert family("egypt").dowry == 3
        assert family("persia").dowry == 6

    def test_levant_starts_beside_land_and_water(self) -> None:
        start = space(family("levant").start)
        assert {space(key).kind for key in start.neighbours} == {"land", "water"}

    def test_known_goods_keep_their_numbers(self) -> None:
        assert [good(key).number for key in ("papyrus", "cumin", "diamond")] == [16, 19, 22]
        assert {"flax", "copper", "myrrh"} < {good.key for good in SILK_ROAD.goods}

    def test_papyrus_is_near_egypt(self) -> None:
        assert steps(family("egypt").start, good("papyrus").space) == 1

    def test_cumin_is_between_persia_and_sindh(self) -> None:
        persia, cumin, sindh = family("persia").start, good("cumin").space, family("sindh").start
        assert steps(persia, cumin) + steps(cumin, sindh) == steps(persia, sindh)

    def test_levant_and_the_yellow_family_reach_flax(self) -> None:
        # Twelve camels reach eleven spaces; both must get there with some to spare.
        for key in ("levant", "khazaria"):
            assert steps(family(key).start, good("flax").space) <= 3

    def test_dowries_are_cheap_at_the_rim_and_dear_in_the_centre(self) -> None:
        dowries = {family.key: family.dowry for family in SILK_ROAD.families}
        assert {*dowries.values()} == {3, 4, 5, 6}
        central = sorted(atlas.stats(SILK_ROAD).families, key=lambda one: one.mean_to_spaces)
        inner, outer = [dowries[one.key] for one in central[:5]], [dowries[one.key] for one in central[5:]]
        assert sum(inner) > sum(outer)


class TestHowTheMapsAreDrawn:
    def test_the_silk_road_has_its_size(self) -> None:
        figures = atlas.stats(SILK_ROAD)
        assert 56 <= figures.spaces <= 80
        assert 5 <= figures.water <= 8
        assert figures.land + figures.water == figures.spaces
        assert figures.plain == figures.land - 43

    def test_families_start_apart(self) -> None:
        for one in atlas.stats(SILK_ROAD).families:
            assert 3 <= one.nearest[1] <= 6, one.key
            assert len(one.distances) == 9

    @both
    def test_no_dead_ends(self, shipped: Board) -> None:
        assert atlas.stats(shipped).dead_ends == []

    @both
    def test_every_good_is_near_some_family(self, shipped: Board) -> None:
        assert all(far <= 3 for _, far in atlas.stats(shipped).goods.values())

    @both
    def test_outlines_tile_the_board(self, shipped: Board) -> None:
        edges = Counter(frozenset(side) for one in shipped.spaces for side in edges_of(one))
        once = [edge for edge, count in edges.items() if count == 1]
        assert set(edges.values()) == {1, 2}
        corners = [corner for space in shipped.spaces for corner in space.outline]
        left, right = min(x for x, _ in corners), max(x for x, _ in corners)
        top, bottom = min(y for _, y in corners), max(y for _, y in corners)
        for a, b in map(sorted, once):
            assert (a[0] == b[0] and a[0] in (left, right)) or (a[1] == b[1] and a[1] in (top, bottom))
        assert sum(area(space) for space in shipped.spaces) == pytest.approx((right - left) * (bottom - top))

    @both
    def test_neighbours_are_those_that_share_a_border(self, shipped: Board) -> None:
        owners: dict[frozenset[outline.Point], list[str]] = {}
        for one in shipped.spaces:
            for edge in edges_of(one):
                owners.setdefault(frozenset(edge), []).append(one.key)
        shared: Counter[frozenset[str]] = Counter()
        for ends, keys in owners.items():
            if len(keys) == 2:
                (ax, ay), (bx, by) = ends
                shared[frozenset(keys)] += round(1000 * ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)
        named = {frozenset((one.key, other)) for one in shipped.spaces for other in one.neighbours}
        assert named <= set(shared)
        assert all(length < 3000 for pair, length in shared.items() if pair not in named)
        assert min(shared[pair] for pair in named) > 10_000

    @both
    @pytest.mark.parametrize("lang", ["en", "fr"])
    def test_labels_have_room(self, shipped: Board, lang: str) -> None:
        picture = atlas.Drawing(shipped, lang)
        for one in shipped.spaces:
            assert outline.fits(one.outline, one.centre, 34 * picture.unit, 26 * picture.unit), one.key
            layout = [tuple(Row(line) for line in lines) for lines in broken(one.name.text(lang))]
            slants = (0.0, 45.0, -45.0, 65.0) if one.kind == "water" else (0.0,)
            assert picture.fitted(one, layout, 12.0, slants=slants).size > 6.5 * picture.unit, one.key

    @both
    def test_everything_has_a_name_in_both_languages_and_no_two_spaces_the_same(self, shipped: Board) -> None:
        for lang in ("en", "fr"):
            names = [one.name.text(lang) for one in shipped.spaces]
            assert len(set(names)) == len(names)

    def test_both_boards_have_the_same_families_and_goods(self) -> None:
        def known(one: Board) -> list[tuple[object, ...]]:
            families = [(family.key, family.name, family.colour, family.symbol) for family in one.families]
            return [*families, *((good.number, good.key, good.name) for good in one.goods)]

        assert known(SILK_ROAD) == known(OASIS)

    @both
    def test_families_are_told_apart_by_colour_and_symbol(self, shipped: Board) -> None:
        assert len({family.colour for family in shipped.families}) == 10
        assert {family.symbol for family in shipped.families} == set(SYMBOLS)


def edges_of(one: Space) -> Iterator[tuple[outline.Point, outline.Point]]:
    return pairwise([*one.outline, one.outline[0]])


def area(one: Space) -> float:
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in edges_of(one))) / 2


class TestThePicture:
    @both
    @pytest.mark.parametrize("lang", ["en", "fr"])
    def test_it_shows_everything(self, shipped: Board, lang: str) -> None:
        written = [*ElementTree.fromstring(atlas.svg(shipped, lang)).itertext()]
        names = [shipped.name, *(family.name for family in shipped.families), *(good.name for good in shipped.goods)]
        assert {name.text(lang) for name in names} <= set(written)
        assert {str(number) for number in range(1, 34)} <= set(written)
        words = set(" ".join(written).split())
        for one in shipped.spaces:
            assert words.issuperset(one.name.text(lang).split())

    @both
    def test_every_border_is_drawn_once(self, shipped: Board) -> None:
        edges = borders.edges(shipped.spaces)
        found = Counter(frozenset(edge) for line in borders.lines(edges) for edge in pairwise(line))
        assert found == Counter(dict.fromkeys(edges, 1))

    @both
    def test_a_line_ends_where_borders_meet_or_where_it_began(self, shipped: Board) -> None:
        drawn = borders.lines(borders.edges(shipped.spaces))
        ends = Counter(point for line in drawn if line[0] != line[-1] for point in (line[0], line[-1]))
        assert len(drawn) < 400
        assert all(n > 2 for n in ends.values())

    def test_lines_are_drawn_in_groups_and_rings_are_closed(self) -> None:
        square: borders.Line = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0)]
        far: borders.Line = [(90, 0), (95, 0)]
        assert borders.drawn([square, far]) == "M0 0L4 0L4 4L0 4ZM90 0L95 0"
        assert borders.near([far, square], 50) == [[square], [far]]

    def test_it_is_the_same_each_time(self) -> None:
        assert atlas.svg(OASIS) == atlas.svg(OASIS)

    def test_a_family_without_a_drawn_symbol_gets_its_letter(self) -> None:
        first = replace(OASIS.families[0], symbol="teapot")
        drawn = atlas.svg(replace(OASIS, families=(first, *OASIS.families[1:])))
        assert f">{first.name.en[0]}</text>" in drawn

    def test_a_board_without_water_has_no_compass(self) -> None:
        dry = replace(OASIS, spaces=tuple(replace(one, kind="land") for one in OASIS.spaces))
        assert atlas.Drawing(SILK_ROAD, "en").compass()
        assert not atlas.Drawing(dry, "en").compass()

    def test_a_name_that_fits_nowhere_is_written_small_at_the_centre(self) -> None:
        label = place([(0, 0), (9, 0), (9, 9), (0, 9)], (4, 4), [(Row("Constantinople"),)], (5.5, 12), (0.0,), 2, 0)
        assert (label.size, label.middle) == (5.5, (4, 4))

    def test_symbols_are_one_colour(self) -> None:
        for name, drawn in SYMBOLS.items():
            ElementTree.fromstring(f"<svg>{drawn}</svg>")
            assert "currentColor" in drawn, name
            assert "#" not in drawn


class TestLoading:
    @both
    def test_shipped_boards_are_sound(self, shipped: Board) -> None:
        assert board.faults(TEXTS[shipped.key], shipped.key) == []
        assert [good.number for good in shipped.goods] == list(range(1, 34))
        assert {shipped.spaces[i].key for i in shipped.indexes().values()} == {one.key for one in shipped.spaces}

    def test_bytes_and_files_give_the_same(self) -> None:
        path = BOX / "oasis.toml"
        assert board.load(path.read_bytes(), "oasis.toml") == board.load(str(path)) == OASIS
        assert len(OASIS.sha256) == 64

    def test_the_first_fault_is_raised_with_its_place(self) -> None:
        broken = TEXTS["oasis"].replace("dowry = 3", "dowry = 0", 1)
        with pytest.raises(BadBox, match=r"mine\.toml:\d+.*dowry.*from 1 to 20, not 0") as caught:
            board.load(broken.encode(), "mine.toml")
        assert caught.value.line == broken[: broken.index("dowry = 0")].count("\n") + 1

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(BadBox, match="cannot be read"):
            board.load(tmp_path / "nowhere.toml")

    def test_bytes_that_are_no_text(self) -> None:
        with pytest.raises(BadBox, match="UTF-8") as caught:
            board.load(b"key = 'x'\n\xff")
        assert caught.value.line == 2
