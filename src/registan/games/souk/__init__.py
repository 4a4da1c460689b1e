"""Le Marché de Samarkand: a market, a price that falls, and the camels to carry it all home."""

from pathlib import Path

from registan.core.game import Game, Option
from registan.core.generic import register
from registan.games.souk import box, checks, moves, rules, secrets, view, words

FOLDER = Path(__file__).resolve().parent

GAME = register(
    Game(
        key="souk",
        name={"en": "The Market of Samarkand", "fr": "Le Marché de Samarkand"},
        players=range(3, 6),
        version=1,
        letter="M",
        rule_count=24,
        options={
            "hidden_purchases": Option(False),
            "harmony": Option("table", ("table", "example")),
        },
        boxes={"souk": FOLDER / "box" / "souk.toml"},
        load_box=box.load,
        rules=rules,
        checks=checks,
        secrets=secrets,
        moves=moves,
        view=view.view,
        words=words,
        folder=FOLDER,
        first="first_doyen",
        forgotten=moves.forgotten,
    )
)
