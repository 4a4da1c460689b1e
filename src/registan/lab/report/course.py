"""Figures about the course of a game: when it is decided, who leads, what there is to choose, who makes kings."""

from __future__ import annotations

import numpy as np

from registan.core.messages import number
from registan.lab.course import Use, course_of, uses_of
from registan.lab.estimates import Estimate, mean, ratio, share
from registan.lab.kingmaking import MOVES, PLAYOUTS, SWING, KingMaking
from registan.lab.measures import kind_name
from registan.lab.report.figures import Writer, capitalised
from registan.lab.report.pictures import PERCENT, Chart, Histogram, Row
from registan.lab.run import Run
from registan.lab.sample import Sample
from registan.lab.simulate import Results
from registan.lab.trace import kind_names, kind_table

QUARTERS = 4


def leads(writer: Writer, sample: Sample) -> None:
    """Show when games are decided, how often the lead changes, and how often winners came from behind."""
    course = course_of(sample.trace, sample.results)
    per_cent = 100 * course.decided
    average, late = mean(per_cent), share((course.decided > 0.9).astype(float))
    rows = [(writer.say("average"), writer.interval(average, PERCENT)), (writer.say("late"), writer.percent(late))]
    half = number(writer.lang, float(np.median(per_cent)))
    text = writer.say("decided.text", half=half, late=rows[1][1])
    ones = np.ones((len(per_cent), 1))
    picture = Histogram([(np.round(per_cent)[:, None], ones)], writer.say("played"), writer.say("share"), PERCENT)
    heads = (writer.say("decided.title"), writer.say("played"))
    writer.add("decided", text, picture, rows, "winning", heads, note=writer.say("decided.note"))

    changes = mean(course.lead_changes)
    rows = [(writer.say("average"), writer.interval(changes))]
    picture = Histogram([(course.lead_changes[:, None], ones)], writer.say("leads.title"), writer.say("share"))
    heads = (writer.say("leads.title"), writer.say("per_game"))
    text = writer.say("leads.text", mean=rows[0][1])
    writer.add("leads", text, picture, rows, "winning", heads, note=writer.say("leads.note"))

    through = share((course.decided <= 1 / course.turns).astype(float))
    found = {"behind": share(course.comeback), "through": through}
    rows = [(writer.say(f"comebacks.{name}"), writer.percent(f)) for name, f in found.items()]
    chart = Chart([Row(r[0], [f.times(100)], [r[1]]) for r, f in zip(rows, found.values())], bars=True, unit=PERCENT)
    deficit = writer.interval(mean(course.deficit))
    text = writer.say("comebacks.text", share=rows[0][1], deficit=deficit)
    writer.add("comebacks", text, chart, rows, "winning", note=writer.say("comebacks.note"))


def choices(writer: Writer, sample: Sample) -> None:
    """Show how much there is to choose, by quarter of the game."""
    trace = sample.trace
    games, n = trace.games, len(trace.starts)
    at = np.arange(len(games)) - trace.starts[games]
    quarter = at * QUARTERS // trace.lengths[games]
    legal: list[tuple[str, Estimate]] = []
    single: list[tuple[str, Estimate]] = []
    for q in range(QUARTERS):
        here = quarter == q
        size = np.bincount(games[here], minlength=n)
        label = writer.say("quarter", n=q + 1)
        legal.append((label, ratio(np.bincount(games[here], trace.choices[here], minlength=n), size)))
        single.append((label, share(np.bincount(games[here], trace.choices[here] == 1, minlength=n), size)))
    course = course_of(trace, sample.results)
    text = writer.say("choices.text", choices=writer.interval(mean(course.choices)))
    rows = [(label, writer.interval(found)) for label, found in legal]
    bars = [Row(label, [found], [words]) for (_, found), (label, words) in zip(legal, rows)]
    writer.add("choices", text, Chart(bars, bars=True), rows, "winning", (writer.say("part"), writer.say("legal")))
    text = writer.say("forced.text", forced=writer.percent(share(course.forced)))
    rows = [(label, writer.percent(found)) for label, found in single]
    bars = [Row(label, [found.times(100)], [words]) for (_, found), (label, words) in zip(single, rows)]
    chart = Chart(bars, bars=True, unit=PERCENT)
    writer.add("forced", text, chart, rows, "winning", (writer.say("part"), writer.say("share")))


def options(writer: Writer, run: Run, sample: Sample) -> None:
    """Show how often each kind of move is used, and what it brings."""
    names = kind_names(run.game)
    uses = uses_of(sample.trace, sample.results, kind_table(run.game, run.players), len(names))
    shown = [(capitalised(kind_name(writer.lang, run.game.key, k)), u) for k, u in zip(names, uses) if u.used.any()]
    if not shown:
        return
    rows, marks = [], []
    for label, use in shown:
        chosen = share(use.chosen, use.free)
        rows.append((label, _share(writer, chosen), *_brings(writer, use)))
        if np.isfinite(chosen.value):
            marks.append(Row(label, [chosen.times(100)], [rows[-1][1]]))
    if not marks:
        return
    heads = [writer.say(f"options.{name}") for name in ("kind", "chosen", "used", "gain", "wins")]
    text = writer.say("options.text", most=max(shown, key=lambda row: row[1].used.sum())[0])
    picture = Chart(marks, bars=True, unit=PERCENT)
    writer.add("options", text, picture, rows, "winning", heads, note=writer.say("options.note"))


def _share(writer: Writer, figure: Estimate) -> str:
    return writer.percent(figure) if np.isfinite(figure.value) else "–"


def _brings(writer: Writer, use: Use) -> tuple[str, str, str]:
    gain = ratio(use.gained, use.used)
    return writer.interval(mean(use.used)), writer.interval(gain, digits=2), _share(writer, share(use.won, use.used))


def kings(writer: Writer, found: KingMaking) -> None:
    """Show how often somebody who cannot win decides who does."""
    figures = {"hopeless": share(found.hopeless), "makes": share(found.makes.astype(float))}
    rows = [(writer.say(f"kings.{name}"), writer.percent(figure)) for name, figure in figures.items()]
    bars = [Row(row[0], [f.times(100)], [row[1]]) for row, f in zip(rows, figures.values())]
    text = writer.say("kings.text", share=rows[1][1], games=number(writer.lang, len(found.hopeless), 0))
    note = writer.say("kings.note", moves=MOVES, playouts=PLAYOUTS, swing=number(writer.lang, 100 * SWING, 0))
    heads = (writer.say("kings.title"), writer.say("kings.decisions"))
    writer.add("kings", text, Chart(bars, bars=True, unit=PERCENT), rows, "winning", heads, note=note)


def first_player(writer: Writer, results: Results) -> None:
    """Show what it is worth to begin: wins by order of play."""
    won = results.shares()
    players = won.shape[1]
    found = [share(won[:, seat]) for seat in range(players)]
    rows = [(writer.say("order", n=seat + 1), writer.percent(f)) for seat, f in enumerate(found)]
    marks = [Row(row[0], [f.times(100)], [row[1]]) for row, f in zip(rows, found)]
    gap = found[0]
    edge = Estimate(gap.value - 1 / players, gap.low - 1 / players, gap.high - 1 / players)
    text = writer.say("first.text", advantage=writer.percent(edge))
    note = writer.say("par", par=number(writer.lang, 100 / players))
    writer.add("first", text, Chart(marks, 100 / players, unit=PERCENT), rows, "first", note=note)
