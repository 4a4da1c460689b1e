"""A page with all pictures of a run, each beside the picture of the same moment in an older run."""

from __future__ import annotations

import html
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

FILTERS = ("game", "size", "lang", "theme")
HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Registan: contact sheet</title>
<style>
  body { margin: 0; font: 15px/1.4 system-ui, sans-serif; background: #e9e4d8; color: #1d2433; }
  form { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 16px; padding: 10px 16px; }
  form { background: #1d2433; color: #fff; }
  h2 { margin: 18px 16px 6px; font-size: 17px; }
  .row { display: flex; flex-wrap: wrap; gap: 14px; padding: 0 16px; align-items: end; }
  figure { margin: 0; }
  figure div { display: flex; gap: 3px; }
  img { display: block; height: var(--height, 300px); border: 1px solid #0003; background: #fff; }
  .before img { opacity: 0.75; border-color: #b5482f; }
  figcaption { font-size: 13px; color: #0009; }
  .changed figcaption::after { content: " · changed"; color: #b5482f; }
  .new figcaption::after { content: " · new"; color: #1f6f6b; }
</style>
<form>"""
SCRIPT = """<script>
  const form = document.forms[0];
  form.oninput = () => {
    const wanted = Object.fromEntries(new FormData(form));
    document.body.style.setProperty("--height", `${wanted.height}px`);
    for (const one of document.querySelectorAll("figure")) {
      const fits = ["game", "size", "lang", "theme"].every((key) => !wanted[key] || one.dataset[key] === wanted[key]);
      one.hidden = !fits || (wanted.changed === "on" && one.className === "same");
    }
    for (const one of document.querySelectorAll(".before")) one.hidden = wanted.before !== "on";
    for (const one of document.querySelectorAll("section")) one.hidden = !one.querySelector("figure:not([hidden])");
  };
  form.oninput();
</script>"""


@dataclass(frozen=True)
class Picture:
    """One picture: the moment and how it is looked at."""

    moment: str
    game: str
    size: str
    lang: str
    theme: str

    @property
    def file(self) -> str:
        """The name of its file, the same in every run."""
        return f"{self.moment.replace(',', '').replace(' ', '-')}.{self.size}.{self.lang}.{self.theme}.jpg"


def keep_older(folder: Path, again: bool) -> None:
    """Keep the last run as the older one; if `again`, the older one stays what it is."""
    now, before = folder / "now", folder / "before"
    if now.exists() and not again:
        shutil.rmtree(before, ignore_errors=True)
        now.rename(before)
    shutil.rmtree(now, ignore_errors=True)


def write_sheet(folder: Path, pictures: Sequence[Picture]) -> None:
    """Write index.html into the folder of the pictures."""
    parts = [HEAD]
    for name in FILTERS:
        found = dict.fromkeys(value for one in pictures if (value := getattr(one, name)))
        options = "".join(f"<option>{value}</option>" for value in found)
        parts.append(f'<label>{name} <select name="{name}"><option value="">all</option>{options}</select></label>')
    parts.append('<label>height <input type="range" name="height" min="120" max="900" value="300"></label>')
    parts.append('<label><input type="checkbox" name="before" checked> the run before</label>')
    parts.append('<label><input type="checkbox" name="changed"> only what changed</label></form>')
    for moment, row in groupby(pictures, lambda one: one.moment):
        figures = "".join(_figure(folder, one) for one in row)
        parts.append(f'<section><h2>{html.escape(moment)}</h2><div class="row">{figures}</div></section>')
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text("\n".join([*parts, SCRIPT, "</html>"]), "utf-8")


def _figure(folder: Path, one: Picture) -> str:
    now, before = folder / "now" / one.file, folder / "before" / one.file
    news = "new" if not before.exists() else "same" if before.read_bytes() == now.read_bytes() else "changed"
    data = " ".join(f'data-{name}="{getattr(one, name)}"' for name in FILTERS)
    older = _link("before", one.file) if news == "changed" else ""
    said = f"<figcaption>{one.size} · {one.lang} · {one.theme}</figcaption>"
    return f'<figure class="{news}" {data}><div>{older}{_link("now", one.file)}</div>{said}</figure>'


def _link(run: str, file: str) -> str:
    return f'<a class="{run}" href="{run}/{file}"><img loading="lazy" src="{run}/{file}" alt=""></a>'
