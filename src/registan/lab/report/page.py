"""The page: all figures in one HTML file that needs no other files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from registan import __version__
from registan.core.errors import BadInput
from registan.core.messages import listing
from registan.lab.report import figures
from registan.lab.report.figures import Figure, Writer
from registan.lab.report.findings import Findings
from registan.lab.report.winning import questions

HERE = Path(__file__).resolve().parent


def page(found: Findings, lang: str) -> str:
    """Return the report as HTML."""
    try:
        import jinja2
    except ModuleNotFoundError:
        raise BadInput("lab.needs", what="registan lab report", extra="lab") from None
    run = found.run
    assert found.sample is not None
    games = len(found.sample.results)
    writer = Writer(lang, found.commands(games))
    names = list(dict.fromkeys(run.names))
    template = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    ).get_template("page.html")  # fmt: skip
    return template.render(
        lang=lang,
        say=writer.say,
        game=run.game.name[lang],
        intro=writer.say("intro", games=games, players=run.players, bots=listing(lang, names), box=run.box.key),
        stopped=found.stopped,
        sections=sections(found, writer, lang),
        command=f"{writer.commands['page']} --lang {lang}",
        version=__version__,
        style=(HERE / "page.css").read_text("utf-8"),
        pattern=tiles(),
    )


def sections(found: Findings, writer: Writer, lang: str) -> list[dict[str, Any]]:
    """Return the figures in chapters."""
    run, sample = found.run, found.sample
    game = run.game
    assert sample is not None

    def chapter(key: str) -> dict[str, Any]:
        shown: list[Figure] = writer.figures
        writer.figures = []
        return {"key": key, "title": writer.say(f"{key}.head"), "text": writer.say(f"{key}.lead"), "figures": shown}

    figures.seats(writer, sample)
    figures.score_distribution(writer, sample)
    figures.endings(writer, sample, game.key)
    figures.length(writer, sample)
    chapters = [chapter("table")]
    if len(game.rules.SCORES) > 1:
        figures.parts_of_scores(writer, sample, game.key, game.rules.SCORES)
    for question in questions(game, run.box, sample, run.players, lang):
        figures.winning(writer, sample, question)
    if writer.figures:
        chapters.append(chapter("winning"))
    if found.luck and found.luck.luck:
        figures.luck(writer, found.luck)
    if found.ladder:
        figures.ladder(writer, found.ladder)
    if writer.figures:
        chapters.append(chapter("skill"))
    return chapters


def tiles(size: float = 48) -> str:
    """Return the lines of one tile of the Registan's walls: two squares make a star, and arms join it to the next."""
    half, arm, tip = size / 2, size * 0.29, size * 0.41
    square = f"M{half - arm:g} {half - arm:g}h{2 * arm:g}v{2 * arm:g}h{-2 * arm:g}z"
    turned = f"M{half:g} {half - tip:g}l{tip:g} {tip:g}l{-tip:g} {tip:g}l{-tip:g} {-tip:g}z"
    across = f"M0 {half:g}h{half - tip:g}M{half + tip:g} {half:g}H{size:g}"
    down = f"M{half:g} 0v{half - tip:g}M{half:g} {half + tip:g}V{size:g}"
    return square + turned + across + down
