"""The figures of a report: each with its picture, its numbers and intervals, and the command that makes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from registan.core.game import Ints
from registan.core.messages import listing, number, say
from registan.lab.estimates import Estimate, mean, ratio, share
from registan.lab.report.pictures import NARROW, WIDE, Row, chart, histogram
from registan.lab.report.winning import Question
from registan.lab.sample import Sample
from registan.lab.standings import Standings

SHOWN = 16
"""Rows of a ranked chart at most: the best and the worst; the table has all."""
PERCENT = "\N{NO-BREAK SPACE}%"


def begun(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class Shown:
    """A figure as the page has it."""

    key: str
    title: str
    text: str
    wide: str
    narrow: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    command: str
    legend: Sequence[str] = ()
    note: str = ""


@dataclass
class Teller:
    """Says figures in one language and puts them together for the page."""

    lang: str
    commands: dict[str, str]
    shown: list[Shown] = field(default_factory=list)

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
        draw: Callable[[int], str],
        rows: Sequence[Sequence[str]],
        made_by: str,
        heads: Sequence[str] = (),
        legend: Sequence[str] = (),
        note: str = "",
    ) -> None:
        """Put a figure on the page."""
        title = self.say(f"{key}.title")
        heads = heads or (title, self.say("share"))
        pictures = draw(WIDE), draw(NARROW)
        self.shown.append(Shown(key, title, text, *pictures, heads, rows, self.commands[made_by], legend, note))


def seats(tell: Teller, sample: Sample) -> None:
    """Show how often each seat wins."""
    won = sample.results.shares()
    players = won.shape[1]
    found = [share(won[:, seat]) for seat in range(players)]
    rows = [(say(tell.lang, "lab.seat", n=seat), tell.percent(f)) for seat, f in enumerate(found)]
    apart = [seat for seat, f in enumerate(found) if not f.low <= 1 / players <= f.high]
    names = listing(tell.lang, [str(seat) for seat in apart])
    text = tell.say("seats.apart", n=len(apart), seats=names) if apart else tell.say("seats.even")
    chart_rows = [Row(rows[s][0], [f.times(100)], [rows[s][1]]) for s, f in enumerate(found)]
    note = tell.say("par", par=number(tell.lang, 100 / players))
    tell.add("seats", text, lambda w: chart(chart_rows, w, "seats", 100 / players), rows, "sample", note=note)


def score_distribution(tell: Teller, sample: Sample) -> None:
    """Show what winners and others score."""
    won, scores = sample.results.shares(), sample.results.scores
    both = [(scores, won), (scores, 1 - won)]
    means = [ratio((scores * w).sum(axis=1), w.sum(axis=1)) for _, w in both]
    margin = -np.sort(-scores, axis=1)
    lead = mean(margin[:, 0] - margin[:, 1])
    names = [tell.say("winners"), tell.say("others")]
    rows = [(name, tell.interval(m)) for name, m in zip(names, means)] + [(tell.say("lead"), tell.interval(lead))]
    text = tell.say("scores.text", winner=rows[0][1], other=rows[1][1], lead=rows[2][1])
    heads = (tell.say("scores.title"), tell.say("points"))
    tell.add(
        "scores", text, lambda w: histogram(both, w, "scores"), rows, "sample", heads, names, tell.say("scores.axes")
    )


def parts_of_scores(tell: Teller, sample: Sample, key: str, parts: Sequence[str]) -> None:
    """Show where the points of winners and others come from."""
    won = sample.results.shares()
    names = [tell.say("winners"), tell.say("others")]
    chart_rows = []
    for i, part in list(enumerate(parts))[1:]:
        points = sample.results.parts[:, :, i]
        found = [ratio((points * w).sum(axis=1), w.sum(axis=1)) for w in (won, 1 - won)]
        chart_rows.append(Row(say(tell.lang, f"lab.part.{key}.{part}"), found, [tell.interval(f) for f in found]))
    rows = [(row.label, *row.words) for row in chart_rows]
    gaps = [(row.figures[0].value - row.figures[1].value, row.label) for row in chart_rows]
    text = tell.say("parts.text", part=max(gaps)[1], points=number(tell.lang, max(gaps)[0]))
    heads = (tell.say("parts.title"), *names)
    tell.add("parts", text, lambda w: chart(chart_rows, w, "parts", bars=True), rows, "sample", heads, names)


def endings(tell: Teller, sample: Sample, key: str) -> None:
    """Show how games end."""
    over = sample.results.over
    kinds, counts = np.unique(over, return_counts=True)
    rows, chart_rows = [], []
    for kind in kinds[np.argsort(-counts)]:
        ways = [say(tell.lang, f"{key}.ending.{bit}") for bit in (1, 2, 4) if kind & bit]
        found = share((over == kind).astype(float))
        label = begun(listing(tell.lang, ways))
        rows.append((label, tell.percent(found)))
        chart_rows.append(Row(label, [found.times(100)], [rows[-1][1]]))
    text = tell.say("endings.text", n=len(rows), most=rows[0][0], share=rows[0][1])
    tell.add("endings", text, lambda w: chart(chart_rows, w, "endings", bars=True), rows, "sample")


def length(tell: Teller, sample: Sample) -> None:
    """Show how long games are."""
    decisions = sample.results.decisions[:, None]
    average = mean(decisions[:, 0])
    low, high = np.quantile(decisions, [0.05, 0.95])
    rows = [(tell.say("average"), tell.interval(average))]
    text = tell.say("length.text", mean=rows[0][1], low=int(low), high=int(high))
    ones = np.ones(decisions.shape)
    heads = (tell.say("length.title"), tell.say("decisions"))
    picture = lambda w: histogram([(decisions, ones)], w, "length")  # noqa: E731
    tell.add("length", text, picture, rows, "sample", heads, note=tell.say("length.axes"))


def winning(tell: Teller, sample: Sample, question: Question) -> None:
    """Show what goes with winning."""
    won = sample.results.shares()
    players = won.shape[1]
    found: list[tuple[str, Estimate, Ints]] = []
    for label, had in question.rows:
        weight = had.sum(axis=1).astype(float)
        found.append((begun(label), share((won * had).sum(axis=1), weight), weight))
    if question.ranked:
        found.sort(key=lambda row: -row[1].value)
    games = len(won)
    rows = [(label, tell.percent(f), number(tell.lang, float(w.sum()) / games, 2)) for label, f, w in found]
    picked = list(range(len(found)))
    if question.ranked and len(found) > SHOWN:
        picked = [*picked[: SHOWN // 2], *picked[-SHOWN // 2 :]]
    chart_rows = [Row(found[i][0], [found[i][1].times(100)], [rows[i][1]]) for i in picked]
    best, worst = (pick(found, key=lambda row: row[1].value) for pick in (max, min))
    text = tell.say(
        f"{question.key}.text",
        best=best[0],
        most=tell.percent(best[1]),
        worst=worst[0],
        least=tell.percent(worst[1]),
    )
    note = tell.say("par", par=number(tell.lang, 100 / players))
    if len(picked) < len(found):
        note += " " + tell.say("picked", n=SHOWN // 2)
    heads = (tell.say(f"{question.key}.title"), tell.say("wins_with"), tell.say("per_game"))
    name = question.key.replace(".", "-").replace("_", "-")
    picture = lambda w: chart(chart_rows, w, name, 100 / players)  # noqa: E731
    tell.add(question.key, text, picture, rows, "winning", heads, note=note)


def luck(tell: Teller, result: Standings) -> None:
    """Show how much of the score is luck."""
    assert result.luck is not None
    found = {name: part.times(100) for name, part in vars(result.luck).items()}
    rows = [(tell.say(f"luck.{name}"), tell.interval(part, PERCENT)) for name, part in found.items()]
    chart_rows = [Row(label, [part], [words]) for (label, words), part in zip(rows, found.values())]
    text = tell.say(
        "luck.text",
        bots=listing(tell.lang, list(result.arena.line_ups[0])),
        deal=rows[0][1],
        seat=rows[1][1],
        bot=rows[2][1],
        course=rows[3][1],
    )
    tell.add("luck", text, lambda w: chart(chart_rows, w, "luck", bars=True), rows, "luck", note=tell.say("luck.note"))


def ladder(tell: Teller, result: Standings) -> None:
    """Show how strong the bots are."""
    players = result.arena.order.players
    bots = sorted(result.bots, key=lambda bot: -bot.rating.value)
    rows = [(bot.name, tell.percent(bot.wins), tell.interval(bot.rating, digits=0)) for bot in bots]
    heads = (say(tell.lang, "lab.arena.bot"), tell.say("ladder.wins"), say(tell.lang, "lab.arena.rating"))
    wins = [Row(row[0], [bot.wins.times(100)], [row[1]]) for bot, row in zip(bots, rows)]
    text = tell.say("ladder.text", best=rows[0][0], wins=rows[0][1], games=result.games, deals=result.deals)
    note = tell.say("par", par=number(tell.lang, 100 / players))
    tell.add("ladder", text, lambda w: chart(wins, w, "ladder", 100 / players), rows, "ladder", heads, note=note)
    rated = [Row(row[0], [bot.rating], [row[2]]) for bot, row in zip(bots, rows)]
    tell.add("ratings", tell.say("ratings.text"), lambda w: chart(rated, w, "ratings", 1500), rows, "ladder", heads)
