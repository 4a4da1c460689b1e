"""Le Marché de Samarkand in the terminal: what is for sale, what everybody has bought, and the falling price."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from registan.core.brings import tell_points
from registan.core.errors import RegistanError
from registan.core.game import Json
from registan.core.match import Match
from registan.core.messages import listing, say
from registan.games.souk import orders
from registan.games.souk.text import item
from registan.terminal.ask import Step
from registan.terminal.plain import FAINT, ME, NEWS, Order, Plain, brought, heading, joined, stacked

STYLES = {"fruit": "red", "jewels": "magenta", "spices": "yellow", "carpets": "blue", "clothes": "green"}
PASSING = ("asked", "price", "waiting", "stopped", "sealed", "legal", "brings")
"""The fields that change while the price counts down; the table is not shown again for them."""


class Screen(Plain):
    """The screen of the market."""

    def item(self, name: Any) -> Text:
        """Return the name of an item for sale."""
        return Text(item(name, self.lang), "" if name == "camel" else STYLES.get(name[0], ""))

    def table(self, view: Json, before: Json | None = None) -> RenderableType | None:
        """Return the table as the seat sees it; nothing if only the price has changed."""
        if before is not None and _lasting(view) == _lasting(before):
            return None
        where = self.turn(view, {}, view)
        return stacked(
            [heading(self.game.name[self.lang], where), self._stalls(view), self._sale(view), self._private(view)]
        )

    def _sale(self, view: Json) -> Text:
        goods = [
            Text.assemble(self.item(sale["item"]), (f" ({self._seller(sale['seller'])})", FAINT))
            for sale in view["for_sale"]
        ]
        if view["camel"]:
            goods.append(Text(self.word("souk.camel", n=view["camel"])))
        shown = joined(" · ", goods) if goods else Text(self.word("souk.nothing"), FAINT)
        pile = self.word("souk.pile", n=view["camels_left"])
        return Text.assemble((f"{self.word('souk.for_sale')}  ", FAINT), shown, (f"   {pile}", FAINT))

    def _seller(self, seat: int | None) -> str:
        return self.word("souk.bank") if seat is None else self.who(seat)

    def _stalls(self, view: Json) -> Table:
        """Return a row for each player, and for the bank if it sells."""
        grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=FAINT)
        grid.add_column("", no_wrap=True)
        grid.add_column(self.word("souk.column.sells"))
        grid.add_column(self.word("souk.column.left"), justify="right")
        grid.add_column(self.word("souk.column.camels"), justify="right")
        grid.add_column(self.word("souk.column.goods"))
        for seat, has in enumerate(view["seats"]):
            name = Text.assemble(("★" if seat == view["doyen"] else " ", NEWS), self.name(seat))
            camels = has["camels"] if isinstance(has["camels"], int) else len(has["camels"])
            grid.add_row(name, self._type(has["type"]), str(has["cards"]), str(camels), self._goods(has["goods"]))
        if view["bank"]:
            bank = view["bank"]
            grid.add_row(
                Text(f" {self.word('souk.bank')}", FAINT), self._type(bank["type"]), str(bank["cards"]), "", ""
            )
        return grid

    def _type(self, kind: str) -> Text:
        return Text(say(self.lang, f"souk.type.{kind}"), STYLES.get(kind, ""))

    def _goods(self, goods: list[list[Any]] | None) -> Text:
        """Return goods by type: "fruit 1 3, jewels 7", or that they are behind a screen (M8)."""
        if goods is None:
            return Text(self.word("souk.hidden"), FAINT)
        kinds = dict.fromkeys(kind for kind, _ in goods)
        parts = [
            Text.assemble(self._type(kind), " ", (" ".join(str(v) for k, v in goods if k == kind), ME))
            for kind in kinds
        ]
        return Text(", ").join(parts) if parts else Text("–", FAINT)

    def _private(self, view: Json) -> Text | None:
        """Return what is behind the player's own screen."""
        if view["seat"] is None or view["asked"] == "over":
            return None
        mine = view["seats"][view["seat"]]
        camels = "+".join(map(str, mine["camels"])) or "–"
        parts = [Text(self.word("souk.dirhams", n=mine["dirhams"]), ME)]
        goods = len(mine["goods"])
        parts.append(Text(self.word("souk.my_camels", camels=camels, room=sum(mine["camels"]), n=goods)))
        parts.append(Text(self.word("souk.my_cards", values=" ".join(map(str, mine["left"])) or "–")))
        return Text.assemble((f"{self.word('souk.mine')}  ", FAINT), joined(" · ", parts))

    def turn(self, before: Json | None, line: Json, after: Json) -> str:
        """Return the round that a line of the log belongs to."""
        view = before or after
        return self.word("souk.heading", round=view["round"], rounds=view["rounds"], doyen=self.who(view["doyen"]))

    def question(self, view: Json, step: Step) -> str:
        """Return what is asked."""
        return self.word(f"souk.ask.{view['asked']}", price=view["price"])

    def move(self, view: Json, move: Json) -> Text:
        """Return a move as it is offered, with the points it would bring."""
        entry = brought(view, move) or {}
        if move["do"] == "name":
            camel = move["item"] == "camel"
            text = Text(self.word("souk.camel", n=view["camel"])) if camel else self.item(move["item"])
            if "fine" not in entry:
                text.append(f" → {tell_points(entry.get('points', 0), self.lang)}", FAINT)
            return text
        if move["do"] == "offer":
            return Text(self.word("souk.card", value=move["value"]))
        price = view["price"]
        if move["do"] == "stop":
            poor = self.word("souk.poor", n=view["seats"][self.seat]["dirhams"]) if "fine" in entry else ""
            return Text.assemble(self.word("souk.stop", price=price), (poor, NEWS))
        return Text(self.word("souk.wait") + (self.word("souk.wait.to", price=price // 2) if price > 1 else ""))

    def numbered(self, step: Step) -> Step:
        """Number the cards to offer by their value: a second number would mislead."""
        if any(choice.moves[0]["do"] != "offer" for choice in step.choices):
            return step
        return replace(step, choices=tuple(replace(c, number=c.moves[0]["value"]) for c in step.choices))

    def order(self, match: Match, text: str) -> Order | None:
        """Parse `w4`: wait down to price 4, unless something unforeseen happens."""
        typed = re.fullmatch(r"w\s*(\d+)", text.strip().casefold())
        if not typed:
            return None
        line = {"do": "wait", "down_to": int(typed[1])}
        try:
            given = orders.give(match.box, match.hidden(self.seat)[0], self.seat, line)
        except RegistanError:
            return None

        def answer(now: Match) -> Json | None:
            hidden = now.hidden(self.seat)[0]
            action = orders.answer(now.box, hidden, self.seat, given)
            return None if action is None else now.game.moves.write(now.box, hidden, self.seat, action)

        key = "souk.order" if given["price"] else "souk.order.end"
        return Order(self.word(key, price=given["price"]), answer)

    def tell(self, line: Json) -> str:
        """Return a line of the log as a sentence, with "you" for the player's own stop."""
        if self.seat not in line.get("stops", ()):
            return super().tell(line)
        others = [self.who(seat) for seat in line["stops"] if seat != self.seat]
        if not others:
            return self.word("souk.you_stop", price=line["price"])
        return self.word("souk.you_stop_too", others=listing(self.lang, others), price=line["price"])

    def asides(self, before: Json | None, line: Json, after: Json) -> list[str]:
        """Return who bought what, what left the game, and what the player has left."""
        if before is None or (before["round"] != after["round"] and line.get("price") != 0):
            return []
        told = []
        for seat, (old, new) in enumerate(zip(before["seats"], after["seats"])):
            told += self._bought(seat, old, new)
        told += self._sold(before, after)
        gone = [card for card in after["discarded"] if card not in before["discarded"]]
        gone = gone if len(gone) == len(after["discarded"]) - len(before["discarded"]) else []
        if gone:
            items = listing(self.lang, [item(card, self.lang) for card in gone])
            told.append(_capital(self.word("souk.lost", items=items, n=len(gone))))
        money = after["seats"][self.seat]["dirhams"]
        if money != before["seats"][self.seat]["dirhams"]:
            told.append(self.word("souk.money", n=money))
        return told

    def _bought(self, seat: int, old: Json, new: Json) -> list[str]:
        mine = "_mine" if seat == self.seat else ""
        told = []
        if old["goods"] is not None and new["goods"] is not None:
            cards = [item(card, self.lang) for card in _more(old["goods"], new["goods"])]
            told += [self.word(f"souk.bought{mine}", item=card, who=self.who(seat)) for card in cards]
        camels = [c if isinstance(c, int) else len(c) for c in (old["camels"], new["camels"])]
        if camels[1] > camels[0]:
            told.append(self.word(f"souk.got_camel{mine}", who=self.who(seat)))
        return [_capital(text) for text in told]

    def _sold(self, before: Json, after: Json) -> list[str]:
        """Return what others bought and took behind their screens (M8); who named it was told before."""
        if None not in (seat["goods"] for seat in after["seats"]):
            return []
        mine = _more(before["seats"][self.seat]["goods"], after["seats"][self.seat]["goods"])
        kept = [*(sale["item"] for sale in after["for_sale"]), *_more(before["discarded"], after["discarded"]), *mine]
        sold = _more(kept, [sale["item"] for sale in before["for_sale"]])
        return [_capital(self.word("souk.bought_hidden", item=item(card, self.lang))) for card in sold]


def _lasting(view: Json) -> Json:
    return {name: value for name, value in view.items() if name not in PASSING}


def _more(old: list[list[Any]], new: list[list[Any]]) -> list[list[Any]]:
    """Return what the new list has more than the old one, counting duplicates."""
    rest = list(old)
    more = []
    for card in new:
        if card in rest:
            rest.remove(card)
        else:
            more.append(card)
    return more


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
