"""Le Marché de Samarkand: a market, a falling price, and camels to carry it all home."""

from registan.core.game import Game, Option

GAME = Game(
    package=__name__,
    key="souk",
    name={"en": "The Market of Samarkand", "fr": "Le Marché de Samarkand"},
    players=range(3, 6),
    usual=4,
    minutes=30,
    credits="Bruno Fricout; Loïc Billiau; Krok Nik Douil, 2010",
    letter="M",
    rule_count=24,
    box_names=("souk",),
    options={"hidden_purchases": Option(False), "harmony": Option("table", ("table", "example"))},
    first="first_doyen",
)
