"""Samarkand: Routes to Riches, by David V. H. Peters and Harry Wu: ten families, their camels, and who marries in."""

from pathlib import Path

from registan.core.game import Game, Option
from registan.core.generic import register
from registan.games.samarkand import box, checks, moves, rules, secrets, view, words

FOLDER = Path(__file__).resolve().parent

GAME = register(
    Game(
        key="samarkand",
        name={"en": "Samarkand: Routes to Riches", "fr": "Samarkand : Routes to Riches"},
        players=range(2, 6),
        version=1,
        letter="S",
        rule_count=25,
        options={"hidden_money": Option(False)},
        boxes={"silk-road": FOLDER / "box" / "silk-road.toml", "oasis": FOLDER / "box" / "oasis.toml"},
        load_box=box.load,
        rules=rules,
        checks=checks,
        secrets=secrets,
        moves=moves,
        view=view.view,
        words=words,
        folder=FOLDER,
        first="start_player",
    )
)
