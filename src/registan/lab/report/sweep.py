"""The page of a sweep: one chart for each measure, with the values of the parameter as its rows."""

from __future__ import annotations

from collections.abc import Sequence

from registan.core.messages import listing, number, say
from registan.lab.report.figures import Figure, capitalised
from registan.lab.report.page import Chapter, render
from registan.lab.report.pictures import PERCENT, Chart, Row
from registan.lab.run import Run
from registan.lab.sweep import MAIN, Stop, against_first


def sweep_page(run: Run, stops: Sequence[Stop], parameter: str, command: str, lang: str) -> str:
    """Return the page of a sweep as HTML; `run` is what all values started from."""
    title = say(lang, "lab.sweep.title", game=run.game.name[lang], parameter=parameter)
    return render(
        lang,
        title=title,
        kind=say(lang, "lab.sweep.kind"),
        game=title,
        intro=say(
            lang,
            "lab.sweep.intro",
            games=number(lang, min(len(stop.sample.results) for stop in stops), 0),
            parameter=parameter,
            bots=listing(lang, list(dict.fromkeys(run.names))),
            players=run.players,
            variant=run.variant(lang),
        ),
        stopped=False,
        chapters=[
            Chapter(
                "sweep",
                say(lang, "lab.report.sweep.head"),
                say(lang, "lab.report.sweep.lead"),
                _figures(stops, parameter, command, lang),
            )
        ],
        command=f"{command} --lang {lang}",
    )


def _figures(stops: Sequence[Stop], parameter: str, command: str, lang: str) -> list[Figure]:
    by_value = [stop.figures() for stop in stops]
    differences = [{d.measure.name: d for d in found} for found in against_first(stops)]
    shown = []
    for name, (measure, _) in by_value[0].items():
        if measure.key not in MAIN or not all(name in figures for figures in by_value):
            continue
        found = [figures[name][1] for figures in by_value]
        words = [
            say(lang, "lab.interval", **{k: measure.words(lang, v) for k, v in vars(figure).items()})
            for figure in found
        ]
        shift = [measure.change(lang, d[name].difference) + (" *" if d[name].clear else "") for d in differences]
        unit = PERCENT if measure.percent else ""
        rows = [
            Row(f"{parameter} = {stop.value}", [figure.times(100 if measure.percent else 1)], [text])
            for stop, figure, text in zip(stops, found, words)
        ]
        low, high = (pick(range(len(found)), key=lambda i: found[i].value) for pick in (min, max))
        text = say(
            lang, "lab.report.sweep.text",
            low=stops[low].value, least=words[low], high=stops[high].value, most=words[high],
        )  # fmt: skip
        label = capitalised(measure.label(lang, stops[0].run.game.key))
        heads = (parameter, label, say(lang, "lab.report.sweep.difference", value=stops[0].value))
        table = [(stop.value, text, moved) for stop, text, moved in zip(stops, words, shift)]
        # Scores of all ranks are drawn on one scale.
        shown.append(Figure(measure.key, label, text, Chart(rows, unit=unit), heads, table, command, part=measure.part))
    return shown
