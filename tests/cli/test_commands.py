"""The `registan` command from the outside: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from registan.bots.search_bot import SearchBot
from registan.cli import main
from registan.core.registry import keys


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    """Run a command line; return exit code, output and errors."""
    with pytest.raises(SystemExit) as left:
        main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


@pytest.fixture
def record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A file of three recorded games of Khiva."""
    path = tmp_path / "out.jsonl"
    code, _, _ = run(
        capsys, "simulate", "khiva", "--players", 3, "--games", 3, "--seed", 7, "--record", path, "--legal", "--states"
    )
    assert code == 0
    return path


def test_simulate_writes_records_that_check_verifies(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert [line["status"] for line in lines] == ["finished"] * 3
    assert all("legal" in move for move in lines[0]["moves"] if "seat" in move)
    assert all("state" in move for move in lines[0]["moves"])
    assert run(capsys, "check", record) == (0, "3 games checked, 0 with faults.\n", "")


def test_check_names_line_move_and_rule_of_the_first_fault(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    mine = next(m for m in lines[1]["moves"] if m.get("do") == "choose")
    mine["give"] = mine["play"]
    record.write_text("\n".join(json.dumps(line) for line in lines) + '\n{"format": "regis')
    code, out, _ = run(capsys, "check", record)
    assert code == 1
    first, second, last = out.splitlines()
    assert first.startswith("line 2, move 1: K3: ")
    assert second.startswith("line 4: This is not JSON")
    assert last == "4 games checked, 2 with faults."
    code, out, _ = run(capsys, "check", record, "--json", "--lang", "fr")
    fault = json.loads(out.splitlines()[0])
    assert (fault["line"], fault["move"], fault["rule"]) == (2, 1, "K3")
    assert fault["why"].startswith("ligne 2, coup 1")


@pytest.mark.parametrize(("game", "office"), [("samarkand", "first"), ("souk", "doyen")])
def test_simulate_with_somebody_named_to_begin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, office: str
) -> None:
    path = tmp_path / "out.jsonl"
    code, _, _ = run(capsys, "simulate", game, "--players", 3, "--games", 4, "--first", 2, "--record", path)
    assert code == 0
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [record["setup"][office] for record in records] == [2] * 4
    assert all(record["options"] == {} for record in records)


def test_simulate_sums_up_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "simulate", "khiva", "--games", 20, "--seed", 7, "--lang", "fr")
    assert code == 0
    assert out.startswith("20 parties de Khiva à 4 joueurs\n")
    code, out, _ = run(capsys, "simulate", "khiva", "--games", 20, "--seed", 7, "--json", "--threads", 2)
    summary = json.loads(out)
    assert summary["games"] == 20
    assert sum(summary["endings"].values()) == 20
    assert sum(summary["wins_by_seat"]) == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["simulate", "kiva"], "There is no game “kiva”"),
        (["simulate", "khiva", "--players", 7], "khiva is played by 2 to 5, not by 7"),
        (["simulate", "khiva", "--first", 0], "khiva has no start player or first doyen to name"),
        (["simulate", "souk", "--first", 4], "There is no seat 4; seats are 0 to 3"),
        (["simulate", "souk", "--players", 2], "souk is played by 3 to 5, not by 2"),
        (["simulate", "khiva", "--games", 0], "--games must be at least 1"),
        (["simulate", "khiva", "--seed", -1], "--seed must be a whole number from 0"),
        (["simulate", "khiva", "--games", "many"], "--games must be a whole number, not “many”"),
        (["completion", "nosuch"], "cannot be “nosuch”: choose one of bash, fish, powershell, zsh"),
        (["simulate", "khiva", "--bots", "genius"], "There is no bot “genius”"),
        (["simulate", "khiva", "--bots", "random,random"], "2 bots for 4 players"),
        (["simulate", "khiva", "--bots", "search:lots"], "not a search budget"),
        (["simulate", "khiva", "--option", "loud"], "khiva has no option “loud”"),
        (["simulate", "khiva", "--option", "open_scores=7"], "cannot be “7”"),
        (["simulate", "khiva", "--box", "none.toml"], "There is no box “none.toml”"),
        (["simulate", "khiva", "--record", "/nowhere/x.jsonl"], "/nowhere/x.jsonl cannot be written"),
        (["simulate"], "missing"),
        (["simulate", "khiva", "--loud"], "There is no option “--loud” here"),
        (["dance"], "There is no command “dance”"),
        (["check", "nowhere.jsonl"], "nowhere.jsonl cannot be read"),
        (["check", os.devnull], f"{os.devnull} contains no game."),
        (["lab", "compare", "khiva", "--base-players", 0], "khiva is played by 2 to 5, not by 0"),
        (["rules", "khiva", "K99"], "khiva has no rule K99; it has K1 to K18"),
        (["games", "--lang", "de"], "There is no language “de”"),
        (["play", "khiva", "--seat", 9], "There is no seat 9"),
        (["board", "check", "nowhere.toml"], "nowhere.toml cannot be read"),
        (["simulate", "khiva", "--option", "open_scores", "--legal"], "--legal only works together with --record"),
        (["simulate", "khiva", "--on", "mars"], "cannot be played on “mars”"),
        (["arena", "khiva", "--bots", "greedy,random", "--on", "mars"], "cannot be played on “mars”"),
        (["hint", "nowhere.jsonl", "--seconds", -1], "--seconds must be a number of seconds above 0"),
        (["serve", "--prot", 1], "did you mean --port? See `registan serve --help`"),
        (["arean"], "did you mean arena?"),
        (["simulate", "khiva", "--game", 3], "There is no option “--game” here: did you mean --games?"),
        (["check"], "FILE is missing; see `registan check --help`"),
        (["hint", "--legal"], "There is no option “--legal” here"),
    ],
)
def test_wrong_input_is_one_clear_line_and_exit_code_2(
    args: list[object], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *args)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_nothing_is_left_behind_by_a_command_that_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, "export", "-", "--data", tmp_path / "typo")
    assert (code, "no database" in err) == (2, True)
    code, _, err = run(capsys, "lab", "report", "khiva", "--games", 1, "--out", tmp_path / "page.html")
    assert (code, "at least 20 games" in err) == (2, True)
    code, _, err = run(capsys, "import", __file__, "--data", tmp_path / "house")
    assert (code, "This is not JSON" in err) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_standard_input_is_a_file_too(
    record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with record.open("rb") as lines:
        monkeypatch.setattr("sys.stdin", type("Input", (), {"buffer": lines}))
        assert run(capsys, "check", "-") == (0, "3 games checked, 0 with faults.\n", "")


def test_errors_speak_french_too(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = run(capsys, "simulate", "kiva", "--lang", "fr")
    assert err == f"registan: Le jeu «\u00a0kiva\u00a0» n’existe pas\u00a0: choisissez parmi {', '.join(keys())}.\n"


def test_a_broken_box_is_named_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('key = "mine"\nicons = [2, 2, 1, 1\n')
    code, _, err = run(capsys, "simulate", "khiva", "--box", path)
    assert code == 2
    assert "mine.toml:" in err
    assert "not TOML" in err


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_rules_and_games(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "games", "--lang", lang)
    assert [line.split()[0] for line in out.splitlines()] == list(keys())
    _, out, _ = run(capsys, "rules", "khiva", "--lang", lang)
    assert out.startswith("# Khiva")
    assert all(f"**K{n}.**" in out for n in range(1, 19))
    _, out, _ = run(capsys, "rules", "khiva", "k5", "--lang", lang)
    assert out.startswith("K5. ")
    _, out, _ = run(capsys, "games", "--json")
    assert {row["game"]: row["players"] for row in json.loads(out)}["khiva"] == [2, 5]


def test_boards_are_checked_drawn_and_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "board.svg"
    assert run(capsys, "board", "check", "oasis")[0] == 0
    assert run(capsys, "board", "show", "oasis", "--svg", picture)[0] == 0
    assert picture.read_text().startswith("<svg")
    code, out, _ = run(capsys, "board", "stats", "oasis", "--lang", "fr")
    assert code == 0
    assert "cases" in out
    assert json.loads(run(capsys, "board", "stats", "silk-road", "--json")[1])["spaces"] > 55
    bad = tmp_path / "bad.toml"
    bad.write_text('key = "bad"\n')
    code, out, _ = run(capsys, "board", "check", bad)
    assert code == 1
    assert "families" in out


def test_a_hint_names_three_moves_with_their_chances_and_says_why(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # So many simulations, however fast the machine is.
    few = SearchBot(simulations=1200, seconds=None)
    monkeypatch.setattr(import_module("registan.cli.hint"), "adviser", lambda *_: few)
    game = json.loads(record.read_text().splitlines()[0])
    half = next(i for i, move in enumerate(game["moves"]) if i > 30 and move.get("do") == "choose")
    running = {"moves": game["moves"][:half], "status": "running", "scores": None, "winners": None}
    path = tmp_path / "running.jsonl"
    path.write_text(json.dumps(game | running))
    code, out, err = run(capsys, "hint", path, "--json")
    assert code == 0, err
    rows = json.loads(out)
    assert len(rows) == 3
    assert all(0 <= row["wins"] <= 1 and row["sure"] > 0 for row in rows)
    assert rows[0]["why"]
    _, out, _ = run(capsys, "hint", path, "--lang", "fr")
    assert "\n   Comparé aux autres coups, celui-ci " in out
    assert run(capsys, "hint", record)[0] == 2, "the game is over"


def test_importing_registan_does_not_import_the_compiler(tmp_path: Path) -> None:
    """Nor does a match, unless its rules are compiled already."""
    found = "import sys, registan; registan.new('khiva', 4, seed=1); print('numba' in sys.modules)"
    env = {**os.environ, "REGISTAN_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", found], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.strip() == "False"


def test_puzzles_are_found_where_an_earlier_run_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "found.jsonl"
    command = ("lab", "puzzles", "khiva", "--out", out, "--minutes", 0.0001)
    for games in (1, 2):
        code, said, _ = run(capsys, *command)
        assert code == 0
        assert f"from {games} games" in said
    code, _, told = run(capsys, *command, "--seed", 8)
    assert code == 2
    assert "--seed 0" in told


def test_confirm_counts_and_goes_on_from_its_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "judged.jsonl"
    journal.write_text('{"id": "dropped since", "ok": false}\n')
    command = ("lab", "confirm", "khiva", "--puzzles", "--times", 1, "--journal", journal, "--minutes", 0.0001)
    for n in (1, 2):
        code, said, _ = run(capsys, *command)
        assert code == 0
        assert f" of {n} puzzles" in said
    rows = [json.loads(line) for line in journal.read_text().splitlines()]
    assert len({row["id"] for row in rows}) == 3
    monkeypatch.setattr("registan.cli.confirm.puzzles_of", lambda game: {})
    code, _, told = run(capsys, *command)
    assert (code, told) == (2, "registan: The game khiva has no puzzles.\n")


def test_output_that_nobody_reads_is_no_fault() -> None:
    command = [sys.executable, "-m", "registan", "completion", "bash"]
    told = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert told.stdout is not None
    told.stdout.close()
    _, err = told.communicate(timeout=60)
    assert (told.returncode, err) == (141, b"")
