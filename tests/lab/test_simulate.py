"""Simulations: the same games however they are played, and files that say what happened in them."""

from __future__ import annotations

import csv
import json
import pickle
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registan.cli import simulate as command
from registan.core.registry import find, keys
from registan.lab import chunks
from registan.lab.chunks import Chunk, play_chunk, play_chunks
from registan.lab.run import Run, make_run
from registan.lab.simulate import joined, one, simulate
from tests.lab.command import run

BOTS = ("greedy", "random", "greedy", "random")


def khiva(games: int, *bots: str) -> Run:
    return make_run("khiva", 4, bots or BOTS, games, seed=3)


@pytest.mark.parametrize("key", keys())
def test_bots_at_compiled_speed_make_the_moves_they_make_one_by_one(key: str) -> None:
    """There they are asked with the whole state and here with what their seat may see: they look at nothing else."""
    wanted = make_run(key, 4, BOTS, 6, seed=3)
    counted = simulate(wanted, threads=2)
    for number in range(6):
        match = one(wanted, number)
        assert match.moves_played == counted.decisions[number]
        assert [score["total"] for score in match.scores()] == counted.scores[number].tolist()
        assert match.winners() == [seat for seat in range(4) if counted.winners[number] >> seat & 1]


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("first_seat", [None, 2])
def test_decisions_at_compiled_speed_are_those_of_games_played_one_by_one(key: str, first_seat: int | None) -> None:
    if first_seat is not None and not find(key).first:
        return
    run = replace(make_run(key, 3, BOTS[:3], 4, seed=5, first_seat=first_seat), decisions=True, first=7)
    fast, slow = play_chunk(run), play_chunk(replace(run, record=True))
    assert fast.decisions == slow.decisions
    assert fast.results.scores.tolist() == slow.results.scores.tolist()


@pytest.mark.parametrize("key", keys())
def test_a_run_can_be_sent_to_another_process(key: str) -> None:
    run = make_run(key, 3, ["greedy", "search:3", "random"], 5, seed=3)
    _ = run.box.unpacked, run.box.array  # what is computed from a box is left behind
    sent = pickle.loads(pickle.dumps(run))
    assert sent.game is run.game
    assert sent.box.record.tobytes() == run.box.record.tobytes()
    assert sent.describe() == run.describe()
    assert sent.names == run.names


def test_a_run_splits_into_runs_of_the_same_games() -> None:
    split = replace(khiva(7), first=10).split(3)
    assert [list(part.numbers) for part in split] == [[10, 11, 12], [13, 14, 15], [16]]


def test_chunks_come_out_in_order_on_any_number_of_workers() -> None:
    run = replace(khiva(30), decisions=True)
    one_, two = (list(play_chunks(run, workers)) for workers in (1, 2))
    assert [done.decisions for done in one_] == [done.decisions for done in two]
    assert (joined([d.results for d in one_]).parts == joined([d.results for d in two]).parts).all()
    assert [row[0] for done in one_ for row in done.decisions] == sorted(row[0] for d in one_ for row in d.decisions)


@pytest.fixture
def files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Path]:
    """What a run of four games of Khiva leaves behind."""
    found = {name: tmp_path / name for name in ("r.csv", "r.parquet", "d.csv", "d.parquet", "games.jsonl")}
    for kind in ("csv", "parquet"):
        code, out, _ = run(
            capsys, "simulate", "khiva", "--bots", ",".join(BOTS), "--games", 4, "--seed", 3, "--workers", 1,
            "--out", found[f"r.{kind}"], "--decisions", found[f"d.{kind}"], "--record", found["games.jsonl"],
        )  # fmt: skip
        assert code == 0
        assert out.startswith("4 games of Khiva")
    return found


def rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".csv":
        with path.open(newline="", encoding="utf-8") as file:
            return [
                {k: int(v) if v.lstrip("-").isdigit() else v for k, v in row.items()} for row in csv.DictReader(file)
            ]
    import pyarrow.parquet as pq

    table: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return table


def test_files_hold_the_same_as_the_records(files: dict[str, Path]) -> None:
    games = [json.loads(line) for line in files["games.jsonl"].read_text().splitlines()]
    results, decisions = rows(files["r.csv"]), rows(files["d.csv"])
    assert len(results) == len(games) == 4
    for game, row in zip(games, results):
        assert (row["seed"], row["number"], row["bots"]) == (3, game["number"], ",".join(BOTS))
        for seat, score in enumerate(game["scores"]):
            assert all(row[f"{part}_{seat}"] == score[part] for part in ("total", "teapots", "carpets", "salt", "gems"))
        assert str(row["winners"]).split() == [str(seat) for seat in game["winners"]]
        mine = [d for d in decisions if d["game"] == game["number"]]
        assert [d["number"] for d in mine] == list(range(row["decisions"]))
        moves = [(m["seat"], {k: v for k, v in m.items() if k != "seat"}) for m in game["moves"] if "seat" in m]
        assert [(d["seat"], json.loads(d["move"])) for d in mine] == moves
        assert all(d["legal"] >= 1 for d in mine)


def test_csv_and_parquet_agree(files: dict[str, Path]) -> None:
    for name in ("r", "d"):
        first, second = rows(files[f"{name}.csv"]), rows(files[f"{name}.parquet"])
        assert [{k: str(v) for k, v in row.items()} for row in first] == [
            {k: str(v) for k, v in r.items()} for r in second
        ]


def test_ctrl_c_keeps_what_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(run: Run, workers: int = 1, on: str = "here") -> Iterator[Chunk]:
        yield play_chunk(replace(run, games=5))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "play_chunks", stopped)
    for name in ("out.csv", "out.parquet"):
        file = tmp_path / name
        code, out, _ = run(capsys, "simulate", "khiva", "--games", 1000, "--out", file, "--json")
        assert code == 130
        assert json.loads(out)["games"] == len(rows(file)) == 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "results.xls"], "must end in .csv or .parquet"),
        (["--out", "/nowhere/x.csv"], "/nowhere/x.csv cannot be written"),
        (["--workers", 0], "--workers must be at least 1"),
        (["--on", "moon"], "Games cannot be played on “moon”"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(words: list[Any], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "simulate", "khiva", "--games", 2, *words)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_what_is_not_installed_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for package, words, extra in (
        ("pyarrow", ["--out", tmp_path / "x.parquet"], "registan[lab]"),
        ("ray", ["--on", "ray"], "registan[ray]"),
    ):
        monkeypatch.setitem(sys.modules, package, None)
        code, _, err = run(capsys, "simulate", "khiva", "--games", 2, *words)
        assert (code, extra in err) == (2, True)


def test_another_box_and_options_go_along(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    box = tmp_path / "dear.toml"
    text = find("khiva").boxes["khiva"].read_text()
    box.write_text(text.replace("salt_price = 3", "salt_price = 0").replace('key = "khiva"', 'key = "dear"'))
    found = []
    for words in ([], ["--box", box]):
        _, out, _ = run(capsys, "simulate", "khiva", "--bots", "greedy", "--games", 50, "--json", *words)
        found.append(json.loads(out)["scores_by_rank"])
    assert found[0] != found[1]
    described = make_run("khiva", 3, ["random"], 1, 1, box, {"open_scores": True}).describe()
    assert described["box"]["key"] == "dear"
    assert described["options"] == {"open_scores": True}


def test_chunks_for_other_machines_are_larger() -> None:
    sizes: list[int] = []

    def run_tasks(work: object, tasks: list[Run], workers: int, on: str) -> Iterator[tuple[int, Chunk]]:
        sizes.extend(task.games for task in tasks)
        return iter(())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "run_tasks", run_tasks)
        list(play_chunks(khiva(20, *["search:2"] * 4), 2, "ray"))
        list(play_chunks(khiva(2, *["search:2"] * 4), 2))
        list(play_chunks(khiva(5000), 2))
    assert sizes == [8, 8, 4, 1, 1, 2000, 2000, 1000]


def test_shares_of_a_win_add_up() -> None:
    results = play_chunk(khiva(50)).results
    assert np.allclose(results.shares().sum(axis=1), 1)
