"""The pages say of every index of an observation what it is."""

from __future__ import annotations

from tools.layouts import pages


def test_the_pages_are_up_to_date() -> None:
    for path, text in pages().items():
        assert path.read_text("utf-8") == text, f"{path.name}: run python -m tools.layouts"
