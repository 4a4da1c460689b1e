"""The figures of a report, each with its picture, its numbers and intervals, and the command that reproduces it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from registan.core.game import Ints
from registan.core.messages import ending_reasons, listing, number, part_name, say
from registan.lab.estimates import Estimate, mean, ratio, share
from registan.lab.report.pictures import PERCENT, Chart, Drawn, Histogram, Picture, Row
from registan.lab.report.winning import Heat, Question
from registan.lab.sample import Sample
from registan.lab.standings import Standings

SHOWN = 16
"""The most rows of a ranked chart: the best and the worst. The table has all."""


def capitalised(text: str) -> str:
    """Return a text that begins with a capital."""
    return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class Figure:
    """A figure of the page."""

    key: str
    title: str
    text: str
    picture: Picture
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    command: str
    legend: Sequence[str] = ()
    note: str = ""
    part: str = ""
    """Which of several figures with this key, which all have the same scale."""


@dataclass
class Writer:
    """Writes figures in one language and collects them for the page."""

    lang: str
    commands: dict[str, str]
    figures: list[Figure] = field(default_factory=list)

    def say(self, key: str, **values: object) -> str:
        """Return a message of the report."""
        return say(self.lang, f"lab.report.{key}", **values)

    def percent(self, figure: Estimate) -> str:
        """Return a share with its interval."""
        return self.interval(figure.times(100), PERCENT)

    def interval(self, figure: Estimate, unit: str = "", digits: int = 1) -> str:
        """Return a figure with its interval."""
        value, low, high = (number(self.lang, x, digits) for x in (figure.value, figure.low, figure.high))
        return say(self.lang, "lab.interval", value=value + unit, low=low, high=high)

    def add(
        self,
        key: str,
        text: str,
        picture: Picture,
        rows: Sequence[Sequence[str]],
        made_by: str,
        heads: Sequence[str] = (),
        legend: Sequence[str] = (),
        note: str = "",
    ) -> None:
        """Put a figure on the page."""
        title = self.say(f"{key}.title")
        heads = heads or (title, self.say("share"))
        self.figures.append(Figure(key, title, text, picture, heads, rows, self.commands[made_by], legend, note))


def seats(writer: Writer, sample: Sample) -> None:
    """Show how often each seat wins."""
    won = sample.results.shares()
    players = won.shape[1]
    found = [share(won[:, seat]) for seat in range(players)]
    rows = [(say(writer.lang, "lab.seat", n=seat), writer.percent(f)) for seat, f in enumerate(found)]
    apart = [seat for seat, f in enumerate(found) if not f.low <= 1 / players <= f.high]
    names = listing(writer.lang, [str(seat) for seat in apart])
    text = writer.say("seats.apart", n=len(apart), seats=names) if apart else writer.say("seats.even")
    chart_rows = [Row(rows[s][0], [f.times(100)], [rows[s][1]]) for s, f in enumerate(found)]
    note = writer.say("par", par=number(writer.lang, 100 / players))
    writer.add("seats", text, Chart(chart_rows, 100 / players, unit=PERCENT), rows, "sample", note=note)


def score_distribution(writer: Writer, sample: Sample) -> None:
    """Show what winners and others score."""
    won, scores = sample.results.shares(), sample.results.scores
    both = [(scores, won), (scores, 1 - won)]
    means = [ratio((scores * w).sum(axis=1), w.sum(axis=1)) for _, w in both]
    margin = -np.sort(-scores, axis=1)
    lead = mean(margin[:, 0] - margin[:, 1])
    names = [writer.say("winners"), writer.say("others")]
    rows = [(name, writer.interval(m)) for name, m in zip(names, means)] + [(writer.say("lead"), writer.interval(lead))]
    text = writer.say("scores.text", winner=rows[0][1], other=rows[1][1], lead=rows[2][1])
    heads = (writer.say("scores.title"), writer.say("points"))
    picture = Histogram(both, writer.say("points"), writer.say("scores.up"))
    writer.add("scores", text, picture, rows, "sample", heads, names)


def parts_of_scores(writer: Writer, sample: Sample, key: str, parts: Sequence[str]) -> None:
    """Show where the points of winners and others come from."""
    won = sample.results.shares()
    names = [writer.say("winners"), writer.say("others")]
    chart_rows = []
    for i, part in list(enumerate(parts))[1:]:
        points = sample.results.parts[:, :, i]
        found = [ratio((points * w).sum(axis=1), w.sum(axis=1)) for w in (won, 1 - won)]
        chart_rows.append(
            Row(capitalised(part_name(writer.lang, key, part)), found, [writer.interval(f) for f in found])
        )
    rows = [(row.label, *row.words) for row in chart_rows]
    gaps = [(row.figures[0].value - row.figures[1].value, row.label) for row in chart_rows]
    text = writer.say("parts.text", part=max(gaps)[1], points=number(writer.lang, max(gaps)[0]))
    heads = (writer.say("parts.title"), *names)
    note = writer.say("parts.note")
    writer.add("parts", text, Chart(chart_rows, bars=True), rows, "sample", heads, names, note)


def endings(writer: Writer, sample: Sample, key: str) -> None:
    """Show how games end."""
    over = sample.results.over
    kinds, counts = np.unique(over, return_counts=True)
    rows, chart_rows = [], []
    for kind in kinds[np.argsort(-counts)]:
        reasons = ending_reasons(writer.lang, key, int(kind)) or [say(writer.lang, "ending.number", n=kind)]
        found = share((over == kind).astype(float))
        label = capitalised(listing(writer.lang, reasons))
        rows.append((label, writer.percent(found)))
        chart_rows.append(Row(label, [found.times(100)], [rows[-1][1]]))
    text = writer.say("endings.text", n=len(rows), most=rows[0][0], share=rows[0][1])
    writer.add("endings", text, Chart(chart_rows, bars=True, unit=PERCENT), rows, "sample")


def length(writer: Writer, sample: Sample) -> None:
    """Show how long games are."""
    decisions = sample.results.decisions[:, None]
    average = mean(decisions[:, 0])
    low, high = (number(writer.lang, x, 0) for x in np.quantile(decisions, [0.05, 0.95]))
    rows = [(writer.say("average"), writer.interval(average))]
    text = writer.say("length.text", mean=rows[0][1], low=low, high=high)
    ones = np.ones(decisions.shape)
    heads = (writer.say("length.title"), writer.say("decisions"))
    picture = Histogram([(decisions, ones)], writer.say("decisions"), writer.say("share"))
    writer.add("length", text, picture, rows, "sample", heads)


def winning(writer: Writer, sample: Sample, question: Question) -> None:
    """Show what goes with winning."""
    won = sample.results.shares()
    players = won.shape[1]
    found: list[tuple[str, Estimate, Ints]] = []
    for label, had in question.rows:
        weight = had.sum(axis=1).astype(float)
        found.append((capitalised(label), share((won * had).sum(axis=1), weight), weight))
    if question.ranked:
        found.sort(key=lambda row: -row[1].value)
    games = len(won)
    rows = [(label, writer.percent(f), number(writer.lang, float(w.sum()) / games, 2)) for label, f, w in found]
    picked = list(range(len(found)))
    if question.ranked and len(found) > SHOWN:
        picked = [*picked[: SHOWN // 2], *picked[-SHOWN // 2 :]]
    chart_rows = [Row(found[i][0], [found[i][1].times(100)], [rows[i][1]]) for i in picked]
    best, worst = (pick(found, key=lambda row: row[1].value) for pick in (max, min))
    text = writer.say(
        f"{question.key}.text",
        best=best[0],
        most=writer.percent(best[1]),
        worst=worst[0],
        least=writer.percent(worst[1]),
    )
    note = writer.say("par", par=number(writer.lang, 100 / players))
    if len(picked) < len(found):
        note += " " + writer.say("picked", n=SHOWN // 2)
    heads = (writer.say(f"{question.key}.title"), writer.say("wins_with"), writer.say("per_game"))
    picture = Chart(chart_rows, 100 / players, unit=PERCENT)
    writer.add(question.key, text, picture, rows, "winning", heads, note=note)


def heat(writer: Writer, found: Heat) -> None:
    """Show where things happen on the board."""
    shares = sorted(((name, share(here.astype(float))) for name, here in found.places), key=lambda row: -row[1].value)
    rows = [(name, writer.percent(figure)) for name, figure in shares]
    text = writer.say(f"{found.key}.text", most=rows[0][0], share=rows[0][1], least=rows[-1][0])
    note = writer.say(f"{found.key}.note")
    writer.add(found.key, text, Drawn(found.svg), rows, "winning", note=note)


def luck(writer: Writer, result: Standings) -> None:
    """Show how much of the score is luck."""
    assert result.luck is not None
    found = {name: source.times(100) for name, source in vars(result.luck).items()}
    rows = [(writer.say(f"luck.{name}"), writer.interval(source, PERCENT)) for name, source in found.items()]
    chart_rows = [Row(label, [source], [words]) for (label, words), source in zip(rows, found.values())]
    text = writer.say(
        "luck.text",
        bots=listing(writer.lang, list(result.arena.line_ups[0])),
        deal=rows[0][1],
        seat=rows[1][1],
        bot=rows[2][1],
        course=rows[3][1],
    )
    picture = Chart(chart_rows, bars=True, unit=PERCENT)
    writer.add("luck", text, picture, rows, "luck", note=writer.say("luck.note"))


def ladder(writer: Writer, result: Standings) -> None:
    """Show how strong the bots are."""
    players = result.arena.run.players
    bots = sorted(result.bots, key=lambda bot: -bot.rating.value)
    rows = [(bot.name, writer.percent(bot.wins), writer.interval(bot.rating, digits=0)) for bot in bots]
    heads = (say(writer.lang, "lab.arena.bot"), writer.say("ladder.wins"), say(writer.lang, "lab.arena.rating"))
    wins = [Row(row[0], [bot.wins.times(100)], [row[1]]) for bot, row in zip(bots, rows)]
    text = writer.say("ladder.text", best=rows[0][0], wins=rows[0][1], games=result.games, deals=result.deals)
    note = writer.say("par", par=number(writer.lang, 100 / players))
    writer.add("ladder", text, Chart(wins, 100 / players, unit=PERCENT), rows, "ladder", heads, note=note)
    rated = [Row(row[0], [bot.rating], [row[2]]) for bot, row in zip(bots, rows)]
    writer.add("ratings", writer.say("ratings.text"), Chart(rated, 1500), rows, "ladder", heads)
