"""The report: every figure with interval and command, both languages, and nothing fetched from anywhere."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields, replace
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest

from registan.core.game import Game
from registan.core.messages import LANGUAGES
from registan.core.registry import find, keys
from registan.lab.report import findings
from registan.lab.report.findings import Findings, find_out
from registan.lab.report.page import page
from registan.lab.report.pictures import ticks
from registan.lab.run import make_run
from tests.lab.command import run

INTERVAL = re.compile(r"[\d.,]+(?:\xa0%)? \([-\d.,]+ (?:to|à) [-\d.,]+\)")


class Page(HTMLParser):
    """What is on a page: its figures' texts and commands, ids, links and whatever would be fetched."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.figures: list[list[str]] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [v for k, v in attrs if k in ("href", "xlink:href") and v]
        self.fetched += [v for k, v in attrs if k in ("src", "srcset", "data", "poster", "action") and v]
        if tag in ("script", "link", "iframe", "object", "img"):
            self.fetched.append(tag)
        if tag == "figure":
            self.figures.append([])
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.figures and "figure" in self.open:
            self.figures[-1].append(data)


@pytest.fixture(scope="module", params=keys())
def found(request: pytest.FixtureRequest) -> Findings:
    """What a small experiment with a game finds out."""
    players = find(request.param).players[1]
    run = make_run(request.param, players, ["greedy"] * players, 400, seed=4)
    found = Findings(run, make_run(request.param, players, ["random", "greedy"], 12, seed=4))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(findings, "LUCK_GAMES", 60)

        class Silent:
            def __enter__(self) -> object:
                return lambda n: None

            def __exit__(self, *_: object) -> None:
                pass

        find_out(found, 2, lambda what, total: Silent())  # type: ignore[arg-type, return-value]
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_report_of_a_game(found: Findings, lang: str) -> None:
    text = page([found], lang)
    read = Page(text)
    assert len(read.figures) >= 10
    for figure in read.figures:
        words = "".join(figure)
        assert INTERVAL.search(words), words[:200]
        assert "registan " in words
    assert re.search(r"<html lang=\"(en|fr)\"", text)[1] == lang  # type: ignore[index]
    # Nothing comes from elsewhere, and all that is pointed at is there, once.
    assert read.fetched == []
    assert "://" not in text
    assert "@import" not in text
    assert all(link.startswith("#") and link[1:] in read.ids for link in read.links)
    assert set(re.findall(r"url\(#([\w-]+)\)", text)) <= set(read.ids)
    assert [key for key in set(read.ids) if read.ids.count(key) > 1] == []
    # Colours and letters are the page's, in both themes.
    assert "prefers-color-scheme: dark" in text
    assert not re.search(r"<svg.*?#[0-9a-f]{3,6}\b.*?</svg>", re.sub(r"url\(#girih\)", "", text), re.DOTALL)
    assert "DejaVu" not in re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    assert "nan" not in re.sub(r"<[^>]+>", " ", text).split()


def test_the_commands_of_a_report_can_be_given(found: Findings) -> None:
    from registan.cli import make_app

    for command in found.commands(400).values():
        name, *words = shlex.split(command)
        assert name == "registan"
        make_app(words).parse_args(words, exit_on_error=False, print_error=False)


def test_a_report_that_is_stopped_has_what_was_found_out(found: Findings) -> None:
    stopped = replace(found, luck=None, ladder=None, stopped=True)
    text = page([stopped], "en")
    assert "was stopped early" in text
    assert 'id="skill"' not in text
    assert 'id="winning"' in text


class Bare(Game):
    """A game without any optional part."""

    def part(self, name: str) -> ModuleType | None:
        return super().part(name) if name in ("rules", "secrets", "moves", "view", "text", "box") else None


def test_a_game_without_lab_part_and_messages_has_a_report_too(found: Findings) -> None:
    known = {field.name: getattr(found.run.game, field.name) for field in fields(Game)}
    bare = Bare(**known | {"key": "bare"})
    text = page([replace(found, run=replace(found.run, game=bare))], "en")
    for part in bare.rules.SCORES[1:]:
        assert f'<th scope="row">{part.capitalize()}</th>' in text
    assert '<th scope="row">Ending 1</th>' in text
    assert 'id="course-options"' not in text
    assert len(Page(text).figures) >= 12


def test_the_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    box = tmp_path / "mine.toml"
    box.write_text(find("khiva").boxes["khiva"].read_text().replace('key = "khiva"', 'key = "mine"'))
    out = tmp_path / "report.html"
    code, said, _ = run(
        capsys, "lab", "report", "khiva", "--players", 2, "--games", 60, "--bots", "greedy,random", "--box", box,
        "--ladder-games", 0, "--out", out, "--lang", "fr",
    )  # fmt: skip
    assert (code, said) == (0, f"Le rapport est dans {out}.\n")
    assert "oîte «\u00a0mine\u00a0»" in out.read_text("utf-8")
    code, _, err = run(capsys, "lab", "report", "khiva", "--out", "/nowhere/report.html")
    assert (code, "cannot be written" in err) == (2, True)


def test_several_numbers_of_players_are_compared_on_one_scale(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report.html"
    words = ("lab", "report", "khiva", "--games", 20, "--bots", "random", "--ladder-games", 0, "--out", out)
    code, _, _ = run(capsys, *words, "--players", "2-3")
    text = out.read_text("utf-8")
    assert code == 0
    assert {"counts", "table-2", "course-3"} <= set(Page(text).ids)
    for wrong in ("2-", "many", "5-2", "1,2", "2-9"):
        code, _, err = run(capsys, *words, "--players", wrong)
        assert (code, "played by" in err or "players" in err) == (2, True), wrong


def test_ticks_are_round_and_inside() -> None:
    assert ticks(0, 106, 5) == [0, 50, 100]
    assert ticks(-3, 27, 5) == [0, 10, 20]
    assert ticks(0.1, 0.94, 5) == [0.2, 0.4, 0.6, 0.8]
