"""`registan loadtest`: figures of a house with more and more tables, and clear words if there is none."""

from __future__ import annotations

import json

import pytest

from registan.cli import main
from registan.server import limits
from registan.server.limits import Buckets, Rate
from registan.server.settings import settings
from tests.server.place import Place


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run the command, and return its exit code and what it printed."""
    with pytest.raises(SystemExit) as ended:
        main(["loadtest", *words])
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


SMALL = ("--players", "2", "--think", "0.2", "--seconds", "1")


def test_it_measures_more_and_more_tables(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, place.url, "--tables", "1", "3", *SMALL, "--json")
    loads = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [load["tables"] for load in loads] == [1, 3]
    for load in loads:
        assert load["moves"] > 0
        assert load["errors"] == {}
        assert 0 < load["p50_ms"] <= load["p99_ms"]
        assert load["cpu_ms_per_move"] > 0, "a house on this machine says what it costs"
    assert len(place.house._tables) == 3


def test_the_figures_stand_under_their_names(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, place.url, "--tables", "1", *SMALL, "--lang", "fr")
    head, line = out.splitlines()
    assert code == 0
    assert head.startswith("tables  coups/s")
    assert line.split()[0] == "1"
    assert len(line) <= len(head) + 2


@pytest.mark.parametrize(
    ("url", "lang", "said"),
    [
        ("nowhere", "en", "There is no house at nowhere"),
        ("http://127.0.0.1:9", "fr", "ne répond pas"),
        ("ftp://127.0.0.1", "fr", "Il n’y a pas de maison"),
    ],
)
def test_a_house_that_is_not_there(url: str, lang: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, url, "--lang", lang)
    assert code == 2
    assert said in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--tables", "0"), "tables cannot be 0"),
        (("--seconds", "-1"), "seconds cannot be -1"),
        (("--think", "-1"), "think cannot be -1"),
        (("--players", "9"), "9"),
        (("--game", "chess"), "chess"),
    ],
)
def test_numbers_that_make_no_sense(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "http://127.0.0.1:9", *words)
    assert (code, out) == (2, "")
    assert said in err


def test_a_house_with_limits_says_how_to_lift_them(
    place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place.house, "buckets", Buckets({**limits.RATES, "guest": Rate(1, 0)}))
    code, _, err = run(capsys, place.url, "--tables", "2", *SMALL)
    assert code == 2
    assert "REGISTAN_UNLIMITED=1" in err


def test_limits_are_lifted_by_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RATES", dict(limits.RATES))
    monkeypatch.setenv("REGISTAN_UNLIMITED", "1")
    assert settings({}).connections == settings({}).tables_of_person > 10_000
    limits.lift()
    assert all(rate.burst > 1e6 for rate in limits.RATES.values())
    monkeypatch.delenv("REGISTAN_UNLIMITED")
    assert settings({}).tables_of_person == 200
