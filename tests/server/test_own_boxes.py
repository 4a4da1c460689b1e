"""Boxes that people bring along: checked, kept with the table, and in everything that is made of it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from registan.core import registry
from registan.core.record import replay
from registan.core.registry import find
from registan.games.samarkand.map import atlas, board
from registan.server.limits import BOX_BYTES, Buckets
from registan.server.storage.store import open_store
from registan.server.storage.transfer import export_all, import_line
from registan.tables import save
from registan.tables.balance import quick_look
from registan.tables.boxes import own_box
from registan.tables.fairness import verify
from registan.tables.snapshot import snapshot, unpack
from tests.games.samarkand.small import small_board
from tests.server.place import Guest, Place

WELL = Path(__file__).resolve().parents[2] / "examples" / "well" / "registan_well" / "box" / "well.toml"
KHIVA = find("khiva").boxes["khiva"].read_text("utf-8").replace('key = "khiva"', 'key = "mine"')
OWN = {
    "khiva": KHIVA.replace("salt_price = ", "salt_price = 1 # "),
    "souk": find("souk").boxes["souk"].read_text("utf-8").replace("fine = ", "fine = 7 # "),
    "well": WELL.read_text("utf-8") + "# mine\n",
    "samarkand": small_board(),
}


@pytest.fixture(scope="module", autouse=True)
def with_well() -> Iterator[None]:
    """A game of another package, which has no part of its own for boxes."""
    with pytest.MonkeyPatch.context() as patch:
        known = registry.packages()
        patch.setattr(registry, "packages", lambda: {**known, "well": "registan_well"})
        find.cache_clear()
        yield
    find.cache_clear()


@pytest.fixture(scope="module")
def ann(place: Place) -> Guest:
    return place.guest("Ann")


def refused(guest: Guest, contents: str, game: str = "khiva", **more: Any) -> tuple[int, str, str]:
    seats = [{"kind": "me"}, *[{"kind": "bot", "level": "random"}] * more.pop("others", 2)]
    told = guest.http.post("/api/tables", json={"game": game, "seats": seats, "contents": contents, **more})
    return told.status_code, told.json()["error"], told.json()["text"]


def over(ann: Guest, game: str, contents: str) -> str:
    """Return a table with an own box whose game was given up after a move."""
    table = ann.new_table(game, ("random", "random"), contents=contents, first=0 if game == "samarkand" else None)
    view = ann.view(table)["view"]
    if view["legal"]:
        ann.ask(table, do="play", seat=0, move=view["legal"][0])
    ann.ask(table, do="propose", seat=0, what="abandon")
    return table


@pytest.mark.parametrize("game", OWN)
def test_a_table_keeps_its_own_box_and_all_that_is_made_of_it_has_it(place: Place, ann: Guest, game: str) -> None:
    table = over(ann, game, OWN[game])
    digest = hashlib.sha256(OWN[game].encode()).hexdigest()
    assert ann.view(table)["own_box"] == digest
    record = ann.get(f"/api/tables/{table}/record")
    assert record["box"]["sha256"] == digest
    assert record["box_toml"] == OWN[game]
    assert replay(record, find).box.sha256 == digest
    assert verify(record, find).box.sha256 == digest
    assert ann.get(f"/api/tables/{table}/verify")["good"] is True
    assert ann.http.get(f"/api/tables/{table}/box/file").text == OWN[game]
    studied = ann.post("/api/study", record=record)
    assert studied["box"] == record["box"]["key"]
    again = ann.post(f"/api/tables/{table}/rematch")["table"]
    assert ann.http.get(f"/api/tables/{again}/box/file").text == OWN[game]
    live = place.run(place.house.table(table)).table
    opened = save.opened(save.packed(save.save(live)))
    assert opened is not None
    assert opened.created.contents == OWN[game]
    assert opened.playing.box.sha256 == digest
    kept = unpack(snapshot(live).packed()) if live.playing.moves_played else None
    assert kept is None or kept.moment(0)["seat"] is None


def test_a_table_with_its_own_box_survives_a_restart_and_a_move_to_another_house(tmp_path: Path) -> None:
    store = str(tmp_path / "house.db")
    first = Place(store)
    ann = first.guest("Ann")
    table = ann.new_table("samarkand", ("random", "random"), contents=OWN["samarkand"])
    cookie = ann.http.cookies
    first.close()
    own_box.cache_clear()
    second = Place(store)
    back = second.guest(None)
    back.http.cookies.update(cookie)
    assert back.view(table)["view"]["board"] == "small"
    assert back.get(f"/api/tables/{table}/box")["families"][5]["key"] == "f5"
    second.close()

    async def moved() -> str:
        old, new = await open_store(store), await open_store(str(tmp_path / "other.db"))
        async for line in export_all(old):
            assert await import_line(new, line)
        log = await new.log(table)
        await old.close()
        await new.close()
        return log[0].decode()

    assert '"contents":"key = ' in asyncio.run(moved())


def test_bots_play_a_whole_game_on_an_own_board(place: Place, ann: Guest) -> None:
    table = ann.new_table("samarkand", ("greedy", "novice"), contents=OWN["samarkand"])
    view = ann.view(table)
    while view["status"] == "running" and len(view["log"]) < 12:
        if view["view"]["legal"]:
            ann.ask(table, do="play", seat=0, move=view["view"]["legal"][-1])
        view = ann.view(table)
    assert {line["seat"] for line in view["log"] if "seat" in line} == {0, 1, 2}
    assert set(view["view"]["families"]) == {f"f{i}" for i in range(6)}
    assert view["view"]["limit"] == 5


def test_a_board_for_three_is_not_for_four(ann: Guest) -> None:
    assert refused(ann, OWN["samarkand"], "samarkand", others=3)[:2] == (422, "error.box_players")


HOSTILE = {
    "not TOML": "key = [",
    "empty keys": "\n".join(f"k{i} = 1" for i in range(9000)),
    "a key of many parts": ".".join("a" * 30_000) + " = 1",
    "a header of many parts": "[" + ".".join('"a"' for _ in range(20_000)) + "]",
    "deep lists": "key = " + "[" * 40_000,
    "deep tables": "key = " + "{a=" * 20_000,
    "many spaces": "[[spaces]]\nkey = 'a'\n" * 4000,
    "no text": "\x00\x01",
    "half a surrogate": 'key = "\\ud800"',
    "a path": 'key = "../../etc/passwd"',
    "markup": OWN["samarkand"].replace('"F0"', '"<script>alert(1)</script>"', 1).replace("dowry = 3", "dowry = 0"),
}


@pytest.mark.parametrize("game", ["khiva", "samarkand", "well"])
@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_box_is_refused_soon_and_in_words(ann: Guest, case: str, game: str) -> None:
    status, error, text = refused(ann, HOSTILE[case], game)
    assert (status, error) == (422, "error.box")
    assert text.startswith(f"{game}.toml")
    assert len(text) < 600
    told = ann.http.post(f"/api/games/{game}/boxes/check", json={"contents": HOSTILE[case]})
    assert told.elapsed.total_seconds() < 5
    assert 1 <= len(told.json()["faults"]) <= 200


def test_a_box_that_is_too_large_never_reaches_the_parser(ann: Guest) -> None:
    assert refused(ann, "#" + "é" * (BOX_BYTES // 2))[:2] == (422, "error.house.box_size")
    assert ann.http.post("/api/tables", content=b"x" * 200_000).status_code == 413


def test_either_a_key_or_a_file(ann: Guest) -> None:
    assert refused(ann, OWN["khiva"], box="khiva")[:2] == (422, "error.no_box")


def test_names_of_a_board_are_text_and_never_markup(ann: Guest) -> None:
    text = OWN["samarkand"].replace('en = "S 0 1"', 'en = "<b onclick=x>&amp"', 1)
    drawn = ann.http.post("/api/games/samarkand/boxes/drawn", json={"contents": text}).json()
    assert "onclick" not in drawn["drawing"]
    assert drawn["spaces"][1]["name"]["en"] == "<b onclick=x>&amp"
    assert "&lt;b onclick=x&gt;" in atlas.svg(board.load(text.replace("S 0 2", "<b onclick=x>").encode()))


def test_faults_are_told_with_their_line_in_the_language_of_the_person(place: Place) -> None:
    guest = place.guest(None)
    guest.post("/api/me", name="Zoé", lang="fr")
    text = OWN["samarkand"].replace("dowry = 3", "dowry = 0", 1)
    (fault,) = guest.post("/api/games/samarkand/boxes/check", contents=text)["faults"]
    assert fault["path"] == ["families", 0, "dowry"]
    assert fault["line"] == text[: text.index("dowry")].count("\n") + 1
    assert "il faut un nombre entier de 1 à 20, et non 0" in fault["text"]


def test_a_sound_box_is_said_to_be_so(ann: Guest) -> None:
    told = ann.post("/api/games/samarkand/boxes/check", contents=OWN["samarkand"])
    assert (told["faults"], told["key"], told["players"]) == ([], "small", [2, 3])
    assert ann.post("/api/games/well/boxes/check", contents=OWN["well"])["players"] == [2, 3, 4, 5]


def test_a_page_gets_the_data_of_a_file_with_faults(ann: Guest) -> None:
    text = OWN["samarkand"].replace("dowry = 3", "dowry = 0", 1)
    assert ann.post("/api/games/samarkand/boxes/parsed", contents=text)["families"][0]["dowry"] == 0
    told = ann.http.post("/api/games/samarkand/boxes/parsed", json={"contents": "key = ["})
    assert (told.status_code, told.json()["error"]) == (422, "error.box")


def test_the_balance_of_a_board_is_measured(ann: Guest) -> None:
    game = find("samarkand")
    box = own_box("samarkand", OWN["samarkand"])
    figures = quick_look(game, box, 3, 1, 0)
    assert figures == quick_look(game, box, 3, 1, 0)  # at least one game, however little time there is
    assert figures["games"] == 1
    assert list(figures["families"]) == [f"f{i}" for i in range(6)]
    told = ann.http.post("/api/games/khiva/boxes/balance", json={"contents": OWN["khiva"], "players": 3})
    assert (told.status_code, told.json()["error"]) == (422, "error.house.no_balance")


def test_boxes_are_read_at_a_limited_rate(tmp_path: Path) -> None:
    place = Place(str(tmp_path / "house.db"))
    place.house.buckets = Buckets()
    guest = place.guest("Ann")
    codes = [guest.http.post("/api/games/well/boxes/check", json={"contents": "x"}).status_code for _ in range(70)]
    assert 429 in codes
    place.close()


def test_a_record_whose_box_was_exchanged_is_refused(ann: Guest) -> None:
    record = ann.get(f"/api/tables/{over(ann, 'khiva', OWN['khiva'])}/record")
    record["box_toml"] = record["box_toml"].replace("salt_price = 1", "salt_price = 2")
    told = ann.http.post("/api/study", json={"record": record})
    assert told.status_code == 422
    assert "carries another box" in told.json()["text"]
    del record["box_toml"]
    assert "name its file with --box" in ann.http.post("/api/study", json={"record": record}).json()["text"]
    assert ann.post("/api/study", record=record, box=OWN["khiva"])["box"] == "mine"
