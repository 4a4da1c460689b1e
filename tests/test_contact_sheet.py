"""The contact sheet: the same moments in every run, seen from all sides, beside those of an older run."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import msgspec
from tools.contact_sheet import Picture, keep_older, write_sheet
from tools.moments import Playing, asks
from tools.screenshots import SHOTS, SIZES, variants


def test_every_moment_has_every_size_and_every_combination_is_there() -> None:
    seen = {shot.name: list(variants(shot.name)) for shot in SHOTS}
    assert len(seen) == len(SHOTS), "two moments have the same name"
    for name, combinations in seen.items():
        assert [size for size, _, _ in combinations] == list(SIZES)
        assert {lang for _, lang, _ in combinations} == {"en", "fr"}, name
        assert {theme for _, _, theme in combinations} == {"light", "dark"}, name
    assert {one for combinations in seen.values() for one in combinations} == set(
        product(SIZES, ("en", "fr"), ("light", "dark"))
    )


def test_a_moment_is_the_same_in_every_run() -> None:
    def reached() -> list[bytes]:
        playing = Playing("khiva-test", "khiva").start().play(0, asks("choose", after=20))
        assert [seat for seat in range(4) if playing.table.asked(seat)] == [0], "nobody else may change the picture"
        return [msgspec.json.encode(msgspec.structs.replace(event, at=0)) for event in playing.events]

    assert reached() == reached()


def test_the_sheet_compares_with_the_run_before(tmp_path: Path) -> None:
    same, changed = (Picture(name, "khiva", "phone", "en", "dark") for name in ("same", "changed"))

    def take(text: str, again: bool = False) -> str:
        keep_older(tmp_path, again)
        (tmp_path / "now").mkdir()
        (tmp_path / "now" / same.file).write_text("as ever")
        (tmp_path / "now" / changed.file).write_text(text)
        write_sheet(tmp_path, [same, changed])
        return (tmp_path / "index.html").read_text("utf-8")

    assert take("one").count('class="new"') == 2
    sheet = take("two")
    assert (sheet.count('class="same"'), sheet.count('class="changed"')) == (1, 1)
    assert f'src="before/{changed.file}"' in sheet
    assert f'src="before/{same.file}"' not in sheet, "once is enough"
    take("one", again=True)
    assert (tmp_path / "before" / changed.file).read_text() == "one"
