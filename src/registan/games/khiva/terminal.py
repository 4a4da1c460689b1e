"""Khiva in the terminal: paths, camels and what everybody has, in twelve lines of 80 columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from registan.core.game import Json
from registan.core.messages import listing, say
from registan.terminal.ask import Choice, Step
from registan.terminal.plain import FAINT, ME, NEWS, Plain, brought, heading, joined, sheet, stacked

SHOPS = 4
CELL = 8
"""The width of a shop on a path."""
STYLES = {
    "white": "bold black on #f2eee2",
    "blue": "bold white on #1f5fa8",
    "green": "bold white on #2a7d46",
    "pink": "bold black on #f2a0bd",
    "black": "bold #f2eee2 on #303030",
}


class Screen(Plain):
    """The screen of Khiva. A camel is a letter in its colour with its teapot, `W(5)`; a card is `W4`."""

    sets = frozenset({"play", "give"})

    def letter(self, colour: str) -> str:
        """Return the letter of a colour."""
        return self.word(f"khiva.letter.{colour}")

    def chip(self, colour: str, text: object, close: str = "") -> Text:
        """Return something in a camel's colour: its letter and a value."""
        return Text(f"{self.letter(colour)}{text}{close}", STYLES[colour])

    def card(self, name: str) -> Text:
        """Return a card in short form."""
        colour, value = name.split("-")
        return self.chip(colour, value)

    def cards(self, names: Iterable[str]) -> Text:
        """Return cards in short form, one after the other."""
        return Text(" ").join(self.card(name) for name in names)

    def carpets(self, carpets: Iterable[list[Any]]) -> Text:
        """Return carpets in short form."""
        return Text(" ").join(self.chip(colour, value) for colour, value in carpets)

    def camel(self, view: Json, colour: str) -> Text:
        """Return a camel with the teapot on its back."""
        return self.chip(colour, f"({view['camels'][colour]['teapot'] or '-'})")

    def table(self, view: Json, before: Json | None = None) -> RenderableType:
        """Return the table as the seat sees it."""
        where = self.turn(view, {}, view)
        return stacked(
            [
                heading(self.game.name[self.lang], where),
                self._legend(view),
                self._paths(view),
                self._piles(view),
                self._gone(view),
                self._private(view),
            ]
        )

    def _legend(self, view: Json) -> Text:
        """Return the camels in the order of activation, as a key to their letters."""
        camels = []
        for colour in view["camels"]:
            name = say(self.lang, f"khiva.colour.{colour}")
            camels.append(Text.assemble(self.camel(view, colour), " ", (name, ME if colour == view["camel"] else "")))
        return Text.assemble((f"{self.word('khiva.camels')}  ", FAINT), joined(" > ", camels))

    def _paths(self, view: Json) -> Table:
        """Return a row for each path, with what its owner has."""
        grid = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style=FAINT, collapse_padding=True)
        grid.add_column("", no_wrap=True)
        grid.add_column(self._shops(view), no_wrap=True, min_width=SHOPS * CELL + 2)
        for name in ("gems", "carpets", "salt", "teapots", "delivered"):
            grid.add_column(
                self.word(f"khiva.column.{name}"), justify="left" if name in ("carpets", "salt") else "right"
            )
        showing = any(seat["played"] for seat in view["seats"])
        if showing:
            grid.add_column(self.word("khiva.column.played"), no_wrap=True)
        home = [self.camel(view, camel) for camel, at in view["camels"].items() if at["place"] is None]
        grid.add_row(" Khiva", Text("  ").join(home) if home else Text("–", FAINT))
        for seat, has in enumerate(view["seats"]):
            mover = view["asked"] != "choose" and seat in view["waiting"]
            row = [Text.assemble(("▸" if mover else " ", NEWS), self.name(seat)), self._path(view, seat)]
            row += [Text(f"◆{has['gems']}", ME), self.carpets(has["undelivered"])]
            row += [Text(" ".join(map(str, has["salt"]))), _count(has["teapots"]), _count(has["delivered"])]
            grid.add_row(*row, *([self.cards(has["played"])] if showing else []))
        return grid

    def _shops(self, view: Json) -> Text:
        """Return the shops' numbers and what they offer, each above its place on the paths."""
        gems = {shop: "◆" * n if n < 4 else f"{n}◆" for shop, n in view["shop_gems"].items()}
        offers = [gems["1"], self.word("khiva.shop.carpet"), gems["3"], self.word("khiva.shop.salt")]
        first, second = "", ""
        for i, offer in enumerate(offers):
            first += str(i + 1).center(CELL)
            # The last label is wider than its shop and may overlap on both sides.
            second = second.ljust(i * CELL + (CELL - len(offer)) // 2) if i < SHOPS - 1 else second.rstrip()
            second = second.ljust(i * CELL + (CELL - len(offer)) // 2) + offer
        return Text(f"{first}\n{second}")

    def _path(self, view: Json, seat: int) -> Text:
        """Return a path with the camels on it, from the Khiva board to the counter."""
        camels = {
            at["place"][1]: camel for camel, at in view["camels"].items() if at["place"] and at["place"][0] == seat
        }
        path = Text()
        for shop in range(1, SHOPS + 1):
            here = self.camel(view, camels[shop]) if shop in camels else Text("·")
            left = (CELL - here.cell_len) // 2
            path.append("─" * left, FAINT).append_text(here).append("─" * (CELL - left - here.cell_len), FAINT)
        return path.append("─▣", FAINT)

    def _piles(self, view: Json) -> Text:
        piles = view["piles"]
        top = piles["top_carpet"]
        parts = [
            Text(self.word("khiva.pile.teapots", n=piles["teapots"])),
            Text(self.word("khiva.pile.carpets", n=piles["carpets"])),
            Text(self.word("khiva.pile.salt", sacks=" ".join(map(str, piles["salt"])) or "–")),
        ]
        if top:
            parts[1].append(self.word("khiva.pile.top"))
            parts[1].append_text(self.chip(top, ""))
            parts[1].append(f" {say(self.lang, f'khiva.colour.{top}')}")
        elif piles["carpets"]:
            parts[1].append(self.word("khiva.pile.covered"))
        return Text.assemble((f"{self.word('khiva.piles')}  ", FAINT), joined(" · ", parts))

    def _gone(self, view: Json) -> Text | None:
        """Return the cards that nobody can hold any more, and with two players those shown."""
        parts = []
        for key, names in (("shown", view["shown"]), ("discarded", view["discarded"])):
            if names:
                parts.append(Text.assemble((f"{self.word(f'khiva.{key}')}  ", FAINT), self.cards(names)))
        return Text("   ").join(parts) if parts else None

    def _private(self, view: Json) -> Text | None:
        """Return what only the seat knows: its points, its tokens and, unless it is listed as moves, its hand."""
        if view["seat"] is None or view["asked"] == "over":
            return None
        mine = view["seats"][view["seat"]]
        tokens = [
            Text(self.word("khiva.my_points", n=mine["points"])),
            Text(self.word("khiva.my_teapots", values=" ".join(map(str, mine["teapots"])) or "–")),
            Text.assemble(self.word("khiva.my_delivered"), " ", self.carpets(mine["delivered"]) or "–"),
        ]
        line = Text.assemble((f"{self.word('khiva.mine')}  ", FAINT), joined(" · ", tokens))
        if view["asked"] == "choose" and view["chosen"] is None:
            return line
        hand = Text("  ").join(self._with_icons(view, name) for name in view["hand"])
        return Text.assemble(line, "\n", (f"{self.word('khiva.hand')}  ", FAINT), hand)

    def _with_icons(self, view: Json, name: str) -> Text:
        icons = view["icons"][int(name.split("-")[1]) - 1]
        return Text.assemble(self.card(name), ("◆" * icons, "cyan"))

    def turn(self, before: Json | None, line: Json, after: Json) -> str:
        """Return the deal and the turn that a line of the log belongs to."""
        view = before or after
        turn = min(view["turn"], view["turns"])
        return self.word("khiva.heading", deal=view["deal"], turn=turn, turns=view["turns"])

    def question(self, view: Json, step: Step) -> str:
        """Return what is asked."""
        move = step.choices[0].moves[0]
        if step.field == "play":
            return self.counted(self.word("khiva.ask.play"), step)
        if step.field == "give":
            left = self.who((self.seat + 1) % view["players"])
            played = listing(self.lang, [self.card(name).plain for name in move["play"]])
            return self.counted(self.word("khiva.ask.give", left=left, played=played), step)
        camel = say(self.lang, f"khiva.camel.{view['camel']}")
        if move["do"] == "move":
            mine = [name for name in view["seats"][self.seat]["played"] if name.startswith(view["camel"])]
            steps = min(int(name.split("-")[1]) for name in mine)
            return self.word("khiva.ask.move", camel=camel, n=steps)
        return self.word("khiva.ask.take", camel=camel)

    def value(self, view: Json, field: str, value: Any) -> Text:
        """Return a card as it is offered: short form, name and gem icons."""
        colour, number = value.split("-")
        icons = view["icons"][int(number) - 1]
        return Text.assemble(
            self.card(value), f" {say(self.lang, f'khiva.colour.{colour}')}", (" " + "◆" * icons, "cyan")
        )

    def names_of(self, view: Json, step: Step, choice: Choice) -> list[str]:
        """Return what the player may type for an answer: a card's short form or name, else what is offered."""
        if step.field not in self.sets or choice.closes:
            return super().names_of(view, step, choice)
        colour, number = choice.value.split("-")
        return [f"{self.letter(colour)}{number}", f"{say(self.lang, f'khiva.colour.{colour}')} {number}"]

    def example(self, view: Json, step: Step) -> str | None:
        """Return a card to type."""
        return self.card(step.choices[0].value).plain if step.field in self.sets else None

    def move(self, view: Json, move: Json) -> Text:
        """Return a move as it is offered, with its destination."""
        if move["do"] != "move":
            return super().move(view, move)
        key = "khiva.offer.gems" if move["gems"] else "khiva.offer.no_gems"
        return Text.assemble(self.word(key, **move), (f" → {self.brings(view, move)}", FAINT))

    def brings(self, view: Json, move: Json) -> str:
        """Return where a camel would stop and what that would bring, or what is taken."""
        entry = brought(view, move) or {}
        told = []
        if entry.get("place", move) is None:
            told.append(self._counter(self.seat, entry.get("teapot"), entry.get("delivers", [])))
        elif "place" in entry:
            taken = [item for _, item in entry.get("gets", ())] or entry.get("open", [])
            things = self.word("or").join(self._thing(entry, item) for item in taken) or self.word("khiva.nothing")
            told.append(f"{self._place(entry['place'])}{self.word('colon')}{things}")
        elif move.get("what") == "salt":
            told.append(self.word("khiva.salt_for", value=entry["salt"], n=entry["pays"][0][0]))
        elif move.get("what") == "carpet":
            told.append(self._thing(entry, "carpet"))
        if "ends" in entry:
            told.append(say(self.lang, "brings.ends"))
        return ", ".join(told)

    def _thing(self, entry: Json, item: str) -> str:
        """Return an item that a move brings; the price of salt is shown with its offer."""
        if item == "salt":
            return self.word("khiva.salt", value=entry["salt"])
        if item == "carpet" and "carpet" in entry:
            return self.word("khiva.top_carpet", colour=say(self.lang, f"khiva.colour.{entry['carpet']}"))
        number = {got: n for n, got in entry.get("gets", ())}
        return say(self.lang, f"khiva.item.{item}", n=number.get(item, 1))

    def _place(self, place: list[int]) -> str:
        if place[0] == self.seat:
            return self.word("khiva.my_shop", shop=place[1])
        return self.word("khiva.shop_of", shop=place[1], who=self.who(place[0]))

    def _counter(self, seat: int, teapot: int | None, carpets: list[list[Any]]) -> str:
        mine = seat == self.seat
        where = self.word("khiva.my_counter") if mine else self.word("khiva.counter_of", who=self.who(seat))
        got = [self.word("khiva.teapot", n=teapot)] if teapot else []
        if carpets:
            got.append(self.word("khiva.delivers", carpets=self.carpets(carpets).plain, n=len(carpets)))
        return f"{where}{self.word('colon')}{listing(self.lang, got)}" if got else where

    def effect(self, before: Json | None, line: Json, after: Json) -> str:
        """Return where a camel went and what that brought, or what was taken."""
        if before is not None and line.get("do") == "move":
            return self._moved(before, line, after)
        if before is not None and line.get("do") == "take":
            return self._took(before, line["seat"], after)
        return ""

    def asides(self, before: Json | None, line: Json, after: Json) -> list[str]:
        """Return who earns a gem because the next camel follows somebody else (K4)."""
        gems = _consoled(before, after)
        camel = say(self.lang, f"khiva.camel.{after['camel']}") if gems else ""
        return [self.word("khiva.consoled", who=self.who(seat), n=n, camel=camel) for seat, n in gems.items()]

    def _moved(self, before: Json, line: Json, after: Json) -> str:
        seat, camel = line["seat"], line["camel"]
        place = after["camels"][camel]["place"]
        if place is None:
            kept = after["seats"][seat]["undelivered"]
            brought = [carpet for carpet in before["seats"][seat]["undelivered"] if carpet not in kept]
            return self._counter(seat, before["camels"][camel]["teapot"], brought)
        took = self._took(before, seat, after)
        if place[1] in (1, 3):
            took = self.word("khiva.gems", n=before["shop_gems"][str(place[1])])
        return f"{self._place(place)}{self.word('colon')}{took}" if took else self._place(place)

    def _took(self, before: Json, seat: int, after: Json) -> str:
        """Return the carpet or the sack that a player has taken."""
        old, new = before["seats"][seat], after["seats"][seat]
        carpets = [carpet for carpet in new["undelivered"] if carpet not in old["undelivered"]]
        sacks = [sack for sack in new["salt"] if sack not in old["salt"]]
        if sacks:
            return self.word("khiva.salt", value=sacks[0])
        return self.word("khiva.carpet", carpet=self.carpets(carpets).plain) if carpets else ""

    def standing(self, view: Json) -> RenderableType:
        """Return what everybody's points are made of, as far as the player may see."""
        parts = ("teapots", "delivered", "salt", "gems", "points")
        grid = sheet("", *(self.word(f"khiva.standing.{part}") for part in parts))
        for seat, has in enumerate(view["seats"]):
            teapots, delivered = (
                str(sum(v if isinstance(v, int) else v[1] for v in has[part]))
                if isinstance(has[part], list)
                else self.word("khiva.face_down", n=has[part])
                for part in ("teapots", "delivered")
            )
            points = str(has["points"]) if has["points"] is not None else f"{sum(has['salt']) + has['gems']} + ?"
            grid.add_row(self.name(seat), teapots, delivered, str(sum(has["salt"])), str(has["gems"]), Text(points, ME))
        return grid


def _consoled(before: Json | None, after: Json) -> dict[int, int]:
    """K4: who has earned gems because the active camel follows somebody else."""
    if after["asked"] != "move" or (before is not None and before["camel"] == after["camel"]):
        return {}
    mover = after["waiting"][0]
    gems = {}
    for seat, has in enumerate(after["seats"]):
        n = sum(card.startswith(after["camel"]) for card in has["played"]) - (seat == mover)
        if n > 0:
            gems[seat] = n
    return gems


def _count(tokens: list[Any] | int) -> Text:
    n = tokens if isinstance(tokens, int) else len(tokens)
    return Text(str(n), "" if n else FAINT)
