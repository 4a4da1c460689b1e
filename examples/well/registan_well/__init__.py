"""The Well: thirsty camels and too little water. A small game to copy from."""

from registan.core.game import Game

GAME = Game(
    package=__name__,
    key="well",
    name={"en": "The Well", "fr": "Le Puits"},
    players=range(2, 6),
    usual=3,
    minutes=5,
    credits="Registan",
    letter="W",
    rule_count=6,
    box_names=("well",),
)
