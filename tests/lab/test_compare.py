"""Comparing variants: pairs of the same deals, sweeps of a parameter, and boxes that say what they are."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from registan.core.errors import BadInput
from registan.core.registry import find
from registan.lab.compare import compare, paired, same_deals
from registan.lab.estimates import mean
from registan.lab.run import make_run
from registan.lab.sample import play_sample
from registan.lab.sweep import parameters, with_value
from tests.lab.command import run

KHIVA = find("khiva").boxes["khiva"]


@pytest.fixture
def cheap(tmp_path: Path) -> Path:
    """A copy of Khiva's box in which salt costs less."""
    box = tmp_path / "mine.toml"
    box.write_text(with_value(KHIVA.read_text("utf-8"), "salt_price", 1), "utf-8")
    return box


def test_pairs_leave_out_what_both_share() -> None:
    rng = np.random.default_rng(1)
    luck = rng.normal(0, 10, 500)
    base, variant = luck + rng.normal(0, 1, 500), luck + rng.normal(1, 1, 500)
    found = paired(base, variant)
    assert found.low < 1 < found.high
    assert found.high - found.low < 0.25 * (mean(variant).high - mean(variant).low)


def test_a_variant_that_is_the_same_makes_no_difference() -> None:
    game = make_run("khiva", 2, ["random"] * 2, 20, seed=3)
    sample = play_sample(game)
    assert all(d.difference.value == 0 and not d.clear for d in compare((game, sample), (game, sample)))
    assert same_deals(game, game) == 1
    assert same_deals(game, make_run("khiva", 3, ["random"] * 3, 20, seed=3)) == 0
    assert same_deals(game, make_run("khiva", 2, ["random"] * 2, 20, seed=4)) == 0


def test_compare_says_what_was_compared(cheap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("lab", "compare", "khiva", "--box", cheap, "--players", 2, "--games", 20, "--bots", "random")
    code, out, _ = run(capsys, *words, "--json")
    found = json.loads(out)
    assert (code, found["games"], found["same_deals"]) == (0, 20, 1)
    assert (found["base"]["box"]["changed"], found["variant"]["box"]["changed"]) == (False, True)
    rows = {row["measure"]: row for row in found["measures"]}
    assert {"rank.1", "seat_wins.0", "margin", "decisions", "turns", "lead_changes", "forced", "use.salt"} <= set(rows)
    for row in rows.values():
        change = row["variant"]["value"] - row["base"]["value"]
        assert row["difference"]["value"] == pytest.approx(change, abs=2e-4)
        assert row["difference"]["low"] <= row["difference"]["value"] <= row["difference"]["high"]
    code, out, _ = run(capsys, *words, "--lang", "fr")
    assert "copie modifiée" in out
    assert "Les mêmes donnes" in out


def test_nothing_to_compare_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "lab", "compare", "khiva", "--games", 20)
    assert (code, "the same" in err) == (2, True)


def test_a_parameter_is_changed_and_nothing_else() -> None:
    text = KHIVA.read_text("utf-8")
    for name, value in parameters(text).items():
        changed = with_value(text, name, value + 1)
        assert parameters(changed) == {**parameters(text), name: value + 1}
        assert [a for a in changed.splitlines() if a not in text.splitlines()] != []
        assert len(changed.splitlines()) == len(text.splitlines())
    tables = '[[families]]\nkey = "a"\ndowry = 3\n\n[[families]]\nkey = "b"\ndowry = 3\n'
    assert with_value(tables, "families.b.dowry", 7) == tables[:-2] + "7\n"
    with pytest.raises(BadInput):
        with_value("list = [ # 1 of 2\n 4, 5 ]\n", "list.0", 9)


def test_a_sweep_has_a_table_and_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "sweep.html"
    words = ("lab", "sweep", "khiva", "--players", 2, "--games", 20, "--bots", "random", "--parameter", "salt_price")
    code, out, _ = run(capsys, *words, "--values", "1,3", "--out", page)
    assert code == 0
    assert [line.split()[-2:] for line in out.splitlines() if line.startswith("salt_price")] == [["1", "3"]]
    assert page.read_text("utf-8").count("<figure") >= 8
    for wrong, why in (("1", "at least two"), ("1,1", "twice"), ("1,much", "whole number"), ("1,99999", "salt_price")):
        code, _, err = run(capsys, *words, "--values", wrong)
        assert (code, why in err) == (2, True), err
    code, _, err = run(capsys, *words[:-1], "sugar", "--values", "1,2")
    assert (code, "salt_price" in err) == (2, True)
