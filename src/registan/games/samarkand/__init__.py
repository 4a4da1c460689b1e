"""Samarkand: Routes to Riches, by David V. H. Peters and Harry Wu: ten families, their camels, and who marries in."""

from importlib import import_module
from typing import Any

from registan.core.game import Game, Option

GAME = Game(
    package=__name__,
    key="samarkand",
    name={"en": "Samarkand: Routes to Riches", "fr": "Samarkand\N{NO-BREAK SPACE}: Routes to Riches"},
    players=range(2, 6),
    usual=3,
    minutes=30,
    credits="David V. H. Peters, Harry Wu",
    letter="S",
    rule_count=25,
    box_names=("silk-road", "oasis"),
    options={"hidden_money": Option(False)},
    first="start_player",
)


def __getattr__(name: str) -> Any:
    """Find `atlas` and `board`, which moved to `map`, under the names by which programs know them."""
    if name in ("atlas", "board"):
        return import_module(f"{__name__}.map.{name}")
    raise AttributeError(name)
