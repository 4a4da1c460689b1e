"""Khiva, by Johannes Goupy and Guillaume Scholz: five camels, five paths, and what each is asked to do."""

from pathlib import Path

from registan.core.game import Game, Option
from registan.core.generic import register
from registan.games.khiva import box, checks, moves, rules, secrets, view, words

FOLDER = Path(__file__).resolve().parent

GAME = register(
    Game(
        key="khiva",
        name={"en": "Khiva", "fr": "Khiva"},
        players=range(2, 6),
        version=1,
        letter="K",
        rule_count=18,
        options={"open_scores": Option(False), "carpets": Option("colour", ("colour", "hidden"))},
        boxes={"khiva": FOLDER / "box" / "khiva.toml"},
        load_box=box.load,
        rules=rules,
        checks=checks,
        secrets=secrets,
        moves=moves,
        view=view.view,
        words=words,
        folder=FOLDER,
    )
)
