"""The page itself: all figures in one HTML file that needs nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from registan import __version__
from registan.core.errors import BadInput
from registan.core.messages import listing
from registan.lab.report import figures
from registan.lab.report.figures import Shown, Teller
from registan.lab.report.findings import Findings
from registan.lab.report.winning import questions

HERE = Path(__file__).resolve().parent


def page(found: Findings, lang: str) -> str:
    """Return the report as HTML."""
    try:
        import jinja2
    except ModuleNotFoundError:
        raise BadInput("lab.needs", what="registan lab report", extra="lab") from None
    plan = found.plan
    game, box, _ = plan.order.find()
    assert found.sample is not None
    games = len(found.sample.results)
    tell = Teller(lang, plan.commands(games))
    who = dict.fromkeys(plan.bots)
    template = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    ).get_template("page.html")  # fmt: skip
    return template.render(
        lang=lang,
        say=tell.say,
        game=game.name[lang],
        intro=tell.say("intro", games=games, players=plan.order.players, bots=listing(lang, list(who)), box=box.key),
        stopped=found.stopped,
        sections=sections(found, tell, lang),
        command=f"{tell.commands['page']} --lang {lang}",
        version=__version__,
        style=(HERE / "page.css").read_text("utf-8"),
        pattern=tiles(),
    )


def sections(found: Findings, tell: Teller, lang: str) -> list[dict[str, Any]]:
    """Return the figures in chapters."""
    plan, sample = found.plan, found.sample
    game, box, _ = plan.order.find()
    assert sample is not None

    def chapter(key: str) -> dict[str, Any]:
        shown: list[Shown] = tell.shown
        tell.shown = []
        return {"key": key, "title": tell.say(f"{key}.head"), "text": tell.say(f"{key}.lead"), "figures": shown}

    figures.seats(tell, sample)
    figures.score_distribution(tell, sample)
    figures.endings(tell, sample, game.key)
    figures.length(tell, sample)
    chapters = [chapter("table")]
    figures.parts_of_scores(tell, sample, game.key, game.rules.SCORES)
    for question in questions(game, box, sample, plan.order.players, lang):
        figures.winning(tell, sample, question)
    chapters.append(chapter("winning"))
    if found.luck and found.luck.luck:
        figures.luck(tell, found.luck)
    if found.ladder:
        figures.ladder(tell, found.ladder)
    if tell.shown:
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
