"""The page: all figures in one HTML file that needs no other files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from registan import __version__
from registan.core.errors import BadInput
from registan.core.messages import listing, number
from registan.lab.report import course, figures
from registan.lab.report.counts import by_count
from registan.lab.report.figures import Figure, Writer, capitalised
from registan.lab.report.findings import Findings
from registan.lab.report.pictures import NARROW, WIDE, Picture, shared
from registan.lab.report.winning import maps, questions

HERE = Path(__file__).resolve().parent


def page(reports: Sequence[Findings], lang: str) -> str:
    """Return the report as HTML: one for each number of players, and a comparison if there are several."""
    run, counts = reports[0].run, [found.run.players for found in reports]
    games = min(len(found.sample.results) for found in reports if found.sample is not None)
    writer = Writer(lang, reports[-1].commands(games, counts))
    names = list(dict.fromkeys(run.names))
    players = listing(lang, [str(n) for n in counts])
    shown = number(lang, games, 0)
    intro = writer.say("intro", games=shown, players=players, bots=listing(lang, names))
    chapters = []
    if len(reports) > 1:
        by_count(writer, reports)
        chapters.append(chapter(writer, "counts", ""))
    for found in reports:
        chapters += sections(found, lang, len(reports) > 1)
    return render(
        lang,
        title=writer.say("title", game=run.game.name[lang]),
        kind=writer.say("kind"),
        game=run.game.name[lang],
        intro=f"{intro} {capitalised(run.variant(lang))}.",
        stopped=any(found.stopped for found in reports),
        chapters=chapters,
        command=f"{writer.commands['page']} --lang {lang}",
    )


def template() -> Any:
    """Return the template of a page; raise BadInput if the package for it is not installed."""
    try:
        import jinja2
    except ModuleNotFoundError:
        raise BadInput("lab.needs", what="registan lab", extra="lab") from None
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    ).get_template("page.html")  # fmt: skip


def render(
    lang: str, title: str, kind: str, game: str, intro: str, stopped: bool, chapters: list[Chapter], command: str
) -> str:
    """Return a page with chapters of figures; figures of the same key are drawn on the same scale."""
    alike: dict[str, list[Picture]] = {}
    for one in chapters:
        for figure in one.figures:
            alike.setdefault(figure.key, []).append(figure.picture)
    scales = {key: shared(pictures) for key, pictures in alike.items()}
    html: str = template().render(
        lang=lang,
        say=Writer(lang, {}).say,
        title=title,
        kind=kind,
        game=game,
        intro=intro,
        stopped=stopped,
        sections=chapters,
        draw=lambda figure, width: figure.picture.draw(width, lang, scales[figure.key]),
        widths=(WIDE, NARROW),
        command=command,
        version=__version__,
        style=(HERE / "page.css").read_text("utf-8"),
        pattern=tiles(),
    )
    return html


@dataclass(frozen=True)
class Chapter:
    """A chapter of the page."""

    id: str
    title: str
    text: str
    figures: list[Figure]
    short: str = ""
    """The title in the list of contents, if it is another."""
    players: str = ""
    """The number of players that it is about, if there are several."""


def chapter(writer: Writer, key: str, players: str) -> Chapter:
    """Return a chapter with all figures that the writer has collected; several counts have each their own."""
    shown: list[Figure] = writer.figures
    writer.figures = []
    short = writer.say(f"{key}.head")
    title = writer.say("chapter", players=players, title=short) if players else short
    return Chapter(f"{key}-{players}" if players else key, title, writer.say(f"{key}.lead"), shown, short, players)


def sections(found: Findings, lang: str, several: bool) -> list[Chapter]:
    """Return the figures for one number of players in chapters."""
    run, sample = found.run, found.sample
    game = run.game
    assert sample is not None
    writer = Writer(lang, found.commands(len(sample.results)))
    players = str(run.players) if several else ""
    figures.seats(writer, sample)
    if found.first is not None:
        course.first_player(writer, found.first)
    figures.score_distribution(writer, sample)
    figures.endings(writer, sample, game.key)
    figures.length(writer, sample)
    chapters = [chapter(writer, "table", players)]
    course.leads(writer, sample)
    course.choices(writer, sample)
    course.options(writer, run, sample)
    if found.kings is not None:
        course.kings(writer, found.kings)
    chapters.append(chapter(writer, "course", players))
    if len(game.rules.SCORES) > 1:
        figures.parts_of_scores(writer, sample, game.key, game.rules.SCORES)
    for question in questions(game, run.box, sample, run.players, lang):
        figures.winning(writer, sample, question)
    for heat in maps(game, run.box, sample, lang):
        figures.heat(writer, heat)
    if writer.figures:
        chapters.append(chapter(writer, "winning", players))
    if found.luck and found.luck.luck:
        figures.luck(writer, found.luck)
    if found.ladder:
        figures.ladder(writer, found.ladder)
    if writer.figures:
        chapters.append(chapter(writer, "skill", players))
    return chapters


def tiles(size: float = 48) -> str:
    """Return the lines of one tile of the Registan's walls: two squares make a star, and arms join it to the next."""
    half, arm, tip = size / 2, size * 0.29, size * 0.41
    square = f"M{half - arm:g} {half - arm:g}h{2 * arm:g}v{2 * arm:g}h{-2 * arm:g}z"
    turned = f"M{half:g} {half - tip:g}l{tip:g} {tip:g}l{-tip:g} {tip:g}l{-tip:g} {-tip:g}z"
    across = f"M0 {half:g}h{half - tip:g}M{half + tip:g} {half:g}H{size:g}"
    down = f"M{half:g} 0v{half - tip:g}M{half:g} {half + tip:g}V{size:g}"
    return square + turned + across + down
