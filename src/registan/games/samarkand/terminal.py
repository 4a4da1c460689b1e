"""Samarkand in the terminal: the map with its camels; families, players and cards as tables.

Spaces are also described in words, by what a camel would bring there, so the map is never needed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from rich.color import Color
from rich.console import RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from registan.core.brings import tell_points
from registan.core.game import Json
from registan.core.messages import say
from registan.games.samarkand.map.board import Board
from registan.games.samarkand.map.drawn import Drawn
from registan.games.samarkand.text import good, name
from registan.terminal.ask import Choice, Step, plain
from registan.terminal.plain import CHOICE, FAINT, ME, NEWS, Plain, Roomy, brought, heading, joined, stacked


class Screen(Plain):
    """The screen of Samarkand. The board itself comes from the box."""

    sets = frozenset({"cards"})

    @property
    def board(self) -> Board:
        """The board of this match."""
        board: Board = self.box.names.board
        return board

    def family(self, key: str) -> Text:
        """Return the name of a family in its colour."""
        colour = next(family.colour for family in self.board.families if family.key == key)
        red, green, blue = Color.parse(colour).get_truecolor()
        # As a background, every colour is readable on any terminal, even black and white.
        ink = "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "bright_white"
        return Text(self.called("family", key), Style(color=ink, bgcolor=colour, bold=True))

    def families(self, keys: list[str]) -> Text:
        """Return the names of families, one after the other."""
        return Text(", ").join(self.family(key) for key in keys) if keys else Text("–", FAINT)

    def called(self, kind: str, key: str | int) -> str:
        """Return the name of a family, good or space."""
        return name(self.box, kind, key, self.lang)

    def space(self, key: str) -> str:
        """Return the name of a space."""
        return self.called("space", key)

    def good(self, number: int) -> str:
        """Return the name of a good: "Papyrus (16)"."""
        return good(self.box, number, self.lang)

    def table(self, view: Json, before: Json | None = None) -> RenderableType | None:
        """Return the table as the seat sees it; nothing in the middle of a turn."""
        if before is not None and view["asked"] in ("discard", "second", "sale"):
            return None
        turn = view["turn"]
        key = "over" if view["asked"] == "over" else "mine" if turn == self.seat else ""
        where = self.word(f"samarkand.heading{'.' if key else ''}{key}", who=self.who(turn))
        head, tables = heading(self.game.name[self.lang], where), self.standing(view)
        if not self.drawn or key == "over":
            return stacked([head, tables, self._hand(view)])
        legend = Text(self.word("samarkand.legend"), FAINT)
        return stacked([head, Roomy(tables), self._map(view, before), legend, self._purse(view), self._hand(view)])

    def picture(self, view: Json, step: Step) -> RenderableType | None:
        """Return the map with the numbers of the spaces that are offered."""
        places = [choice for choice in step.choices if "space" in choice.moves[0] and len(choice.moves) == 1]
        if not self.drawn or not places or step.field == "do":
            return None
        numbers: dict[str, str] = {}
        for choice in places:
            key = choice.moves[0]["space"]
            numbers[key] = f"{numbers[key]}/{choice.number}" if key in numbers else str(choice.number)
        return self._map(view, None, {key: f"[{number}]" for key, number in numbers.items()})

    def _map(self, view: Json, before: Json | None, names: Mapping[str, str] = MappingProxyType({})) -> Drawn:
        """Return the map with camels and goods; `names` are written on their spaces, as what one may do is."""
        hand, markers = set(view["hand"] or ()), set(view["goods"])
        goods = {found.space: found.number for found in self.board.goods}
        labels = {}
        for space in self.board.spaces:
            key, label = space.key, Text.assemble((names.get(space.key, ""), CHOICE))
            number = goods.get(key)
            if number in hand or number in markers:
                label.append("★" if number in hand else "•", "bold")
                label.append("" if key in names else str(number), "bold" if number in hand else "")
            old = before["camels"].get(key, ()) if before else None
            for family in view["camels"].get(key, ()):
                label.append_text(self.camel(family))
                label.append("+" if old is not None and family not in old else "", "bold")
            labels[key] = label
        return Drawn(self.board, labels)

    def camel(self, key: str) -> Text:
        """Return a camel on the map: the first letters of its family, in its colour."""
        family = self.family(key)
        return Text(self._letters[key], family.style)

    @cached_property
    def _letters(self) -> dict[str, str]:
        """Two letters for each family: the first, and the first other one that tells it from those before."""
        found: dict[str, str] = {}
        for family in self.board.families:
            called = self.called("family", family.key)
            pairs = [called[0] + letter for letter in called[1:] if letter.isalpha()]
            found[family.key] = next((pair for pair in pairs if pair not in found.values()), called[:3])
        return found

    def _purse(self, view: Json) -> Text:
        """Return what the player has, in a line."""
        mine = view["seats"][self.seat]
        parts = [
            Text(self.word("samarkand.purse", n=mine["dirhams"]), ME),
            Text(self.word("samarkand.held", n=mine["cards"] + len(mine["sold"]), limit=view["limit"])),
            self.families(mine["tiles"]),
            Text(self.word("samarkand.worth", n=mine["score"]["total"])),
        ]
        return Text.assemble((f"{self.who(self.seat)}  ", FAINT), joined(" · ", parts))

    def look_up(self, view: Json, text: str) -> RenderableType | None:
        """Answer `w ephesus`: what lies on a space, what is next to it, and where it is on the map."""
        asked = re.fullmatch(r"w\s+(.+)", text.strip(), re.IGNORECASE)
        if not asked:
            return None
        wanted = plain(asked[1])
        called = {space.key: plain(self.space(space.key)) for space in self.board.spaces}
        goods = {found.space: found.number for found in self.board.goods}
        called |= {key: f"{called[key]} {plain(self.good(number))}" for key, number in goods.items()}
        found = [key for key, names in called.items() if wanted.split() == names.split()[: len(wanted.split())]]
        found = found or [key for key, names in called.items() if all(word in names for word in wanted.split())]
        if not wanted or not found:
            return Text(self.word("samarkand.where.none", text=asked[1]), NEWS)
        shown = [self._described(view, key) for key in found]
        names = {key: f"[{self.space(key)}]" for key in found}
        return stacked([self._map(view, None, names) if self.drawn else None, *shown])

    def _described(self, view: Json, key: str) -> Text:
        """Return what lies on a space and what is next to it."""
        space = next(space for space in self.board.spaces if space.key == key)
        parts = [Text(self.word("samarkand.water"))] if space.kind == "water" else []
        for found in self.board.goods:
            if found.space == key:
                called = self.good(found.number)
                lies = found.number in view["goods"]
                parts.append(Text(called if lies else self.word("samarkand.where.goods.gone", good=called)))
        parts += [self.family(family) for family in view["camels"].get(key, ())]
        beside = ", ".join(self.space(other) for other in space.neighbours)
        text = Text.assemble((self.space(key), ME), self.word("colon") if parts else "", Text(", ").join(parts), ". ")
        return text.append(self.word("samarkand.where.beside", spaces=beside))

    def turn(self, before: Json | None, line: Json, after: Json) -> str:
        """Return whose turn a line of the log belongs to."""
        return self.who(before["turn"] if before else line["seat"] if "seat" in line else after["turn"])

    def _piles(self, view: Json) -> Text:
        piles = self.word("samarkand.deck", deck=view["deck"], discards=view["discards"], limit=view["limit"])
        piles += self.word("samarkand.bag", bag=view["bag"]) if view["players"] == 2 else ""
        return Text(piles, FAINT)

    def _families(self, view: Json) -> Table:
        grid = _grid(self, "family", "dowry", "treasury", "tiles", "camels", "members", "partners")
        for key, has in view["families"].items():
            members = [self.name(seat) for seat, player in enumerate(view["seats"]) if key in player["tiles"]]
            figures = [Text(str(has[part])) for part in ("dowry", "treasury", "tiles", "camels")]
            married = Text(", ").join(members) if members else Text("–", FAINT)
            grid.add_row(self.family(key), *figures, married, self.families(has["partners"]))
        return grid

    def _players(self, view: Json) -> Table:
        grid = _grid(self, "", "dirhams", "cards", "sold", "goods", "relations", "points")
        for seat, has in enumerate(view["seats"]):
            mark = ("▸" if seat == view["turn"] and view["asked"] != "over" else " ", NEWS)
            dirhams = "?" if has["dirhams"] is None else str(has["dirhams"])
            points = str(has["score"]["total"]) if has["score"] else "?"
            figures = [dirhams, str(has["cards"]), str(len(has["sold"])), str(has["goods"]), str(has["relations"])]
            grid.add_row(Text.assemble(mark, self.name(seat)), *figures, Text(points, ME))
        return grid

    def _hand(self, view: Json) -> Text | None:
        """Return the cards in hand with their spaces, and what they are worth now (S20)."""
        if view["hand"] is None:
            return None
        cards = [self._card(view, number) for number in view["hand"]] or [Text(self.word("samarkand.no_cards"))]
        return Text.assemble((f"{self.word('samarkand.hand')}  ", FAINT), joined(" · ", cards))

    def _card(self, view: Json, number: int) -> Text:
        key = next(found.space for found in self.board.goods if found.number == number)
        worth = view["worth"][view["hand"].index(number)]
        card = Text(self.word("samarkand.card", good=self.good(number), space=self.space(key)))
        if worth:
            card.append(f" = {self.word('samarkand.worth', n=worth)}", NEWS)
        return card

    def question(self, view: Json, step: Step) -> str:
        """Return what is asked."""
        move = step.choices[0].moves[0]
        if view["asked"] == "sale":
            return self.word("samarkand.ask.sale", good=self.good(view["good"]))
        if view["asked"] == "discard":
            return self.word("samarkand.ask.discard")
        does = {move["do"] for choice in step.choices for move in choice.moves}
        if "end" in does:
            return self.word("samarkand.ask.second", family=self.called("family", view["family"]))
        if does == {"marry"}:
            return self.word("samarkand.ask.marry")
        if does != {"place"}:
            return self.word("samarkand.ask.do")
        if step.field == "family" or not _one_family(step):
            return self.word("samarkand.ask.family")
        return self.word("samarkand.ask.space", family=self.called("family", move["family"]))

    def move(self, view: Json, move: Json) -> Text:
        """Return a move as it is offered, with what it would bring."""
        text = Text(self.game.tell(self.box, move, self.lang, self.who))
        if move["do"] == "place":
            return text.append_text(self._brings(view, move))
        entry = brought(view, move) or {}
        notes = []
        if move["do"] == "marry":
            notes.append(self.word("samarkand.dowry", n=entry["pays"][0][0]))
        elif move["do"] == "keep":
            notes.append(self.word("samarkand.worth", n=entry["worth"]))
        elif "points" in entry:
            notes.append(tell_points(entry["points"], self.lang))
        notes += [say(self.lang, "brings.ends")] if "ends" in entry else []
        return text.append(f" → {', '.join(notes)}", FAINT) if notes else text

    def value(self, view: Json, field: str, value: Any) -> Text:
        """Return a family, a space or a card as it is offered."""
        if field == "cards":
            return self._card(view, value)
        return self.family(value) if field == "family" else Text(self.space(value))

    def label(self, view: Json, step: Step, choice: Choice) -> Text:
        """Return an answer as it is offered, with what it costs or brings."""
        move = choice.moves[0]
        if step.field == "do" and choice.value == "place" and view["asked"] == "second":
            return Text(self.word("samarkand.do.second"))
        if move["do"] == "place" and step.field in (None, "space") and _one_family(step):
            return Text(self.space(move["space"])) + self._brings(view, move)
        text = super().label(view, step, choice)
        if step.field == "family":
            has = view["families"][choice.value]
            key = "samarkand.dowry" if move["do"] == "marry" else "samarkand.means"
            text.append(f" ({self.word(key, n=has['dowry'], camels=has['camels'], treasury=has['treasury'])})", FAINT)
        return text

    def _brings(self, view: Json, move: Json) -> Text:
        """Return what a camel would find on a space, and what that would bring."""
        entry, key = brought(view, move) or {}, move["space"]
        notes: list[Text] = []
        if next(space.kind for space in self.board.spaces if space.key == key) != "land":
            notes.append(Text(self.word("samarkand.water"), FAINT))
        if "good" in entry:
            notes.append(Text(self.word("samarkand.takes", good=self.good(entry["good"])), NEWS))
        if "cards" in entry:
            notes.append(Text(self.word("samarkand.your_card"), NEWS))
        for other in view["camels"].get(key, ()):
            new, called = other == entry.get("meets"), self.called("family", other)
            told = self.word("samarkand.meets" if new else "samarkand.joins", family=called)
            notes.append(Text(told, NEWS if new else FAINT))
        notes += [Text(tell_points(entry["points"], self.lang), NEWS)] if "points" in entry else []
        notes += [Text(say(self.lang, "brings.ends"), NEWS)] if "ends" in entry else []
        return Text.assemble((" → ", FAINT), Text(", ").join(notes)) if notes else Text()

    def tell(self, line: Json) -> str:
        """Return a line of the log as a sentence, with "you" for the player's own marriage."""
        if line.get("seat") == self.seat and line.get("do") == "marry":
            return self.word("samarkand.you_marry", family=self.called("family", line["family"]))
        return super().tell(line)

    def effect(self, before: Json | None, line: Json, after: Json) -> str:
        """Return what everybody gained or paid, as far as the player may see, and whom a family met."""
        if before is None:
            return ""
        parts = []
        family = line.get("family")
        if line.get("do") == "place" and family:
            known = before["families"][family]["partners"]
            met = [self.called("family", key) for key in after["families"][family]["partners"] if key not in known]
            parts += [self.word("samarkand.meets", family=called) for called in met]
            taken = [number for number in before["goods"] if number not in after["goods"]]
            parts += [self.word("samarkand.takes", good=self.good(number)) for number in taken]
        for seat, (old, new) in enumerate(zip(before["seats"], after["seats"])):
            if old["dirhams"] is not None and new["dirhams"] is not None and new["dirhams"] != old["dirhams"]:
                change = new["dirhams"] - old["dirhams"]
                sign = "+" if change > 0 else "-"
                parts.append(self.word("samarkand.got", who=self.who(seat), sign=sign, n=abs(change)))
        return ", ".join(parts)

    def standing(self, view: Json) -> RenderableType:
        """Return what families and players have, as far as the player may see."""
        return stacked([self._families(view), self._players(view), self._piles(view)])


def _one_family(step: Step) -> bool:
    """Whether all camels of a question are of one family, which then need not be named for each."""
    return len({move["family"] for choice in step.choices for move in choice.moves if "family" in move}) == 1


def _grid(screen: Plain, first: str, *columns: str) -> Table:
    """Return an empty table: names left-aligned, figures right-aligned, lists left-aligned."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=FAINT)
    grid.add_column(screen.word(f"samarkand.column.{first}") if first else "", no_wrap=True)
    for column in columns:
        side: Any = "left" if column in ("members", "partners") else "right"
        grid.add_column(screen.word(f"samarkand.column.{column}"), justify=side)
    return grid
