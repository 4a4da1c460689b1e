"""Khiva, by Johannes Goupy and Guillaume Scholz: five camels, five paths, and what each is asked to do."""

from registan.core.game import Game, Option

GAME = Game(
    package=__name__,
    key="khiva",
    name={"en": "Khiva", "fr": "Khiva"},
    players=range(2, 6),
    usual=4,
    minutes=30,
    credits="Johannes Goupy, Guillaume Scholz; Camille Chaussy",
    letter="K",
    rule_count=18,
    box_names=("khiva",),
    options={"open_scores": Option(False), "carpets": Option("colour", ("colour", "hidden"))},
)
