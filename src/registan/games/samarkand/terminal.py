"""Samarkand in the terminal: families, players and cards as tables; spaces are described by what they would bring."""

from __future__ import annotations

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
from registan.games.samarkand.text import good, name
from registan.terminal.ask import Choice, Step
from registan.terminal.plain import FAINT, ME, NEWS, Plain, brought, heading, joined, stacked


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
        return Text(name("family", key, self.lang), Style(color=ink, bgcolor=colour, bold=True))

    def families(self, keys: list[str]) -> Text:
        """Return the names of families, one after the other."""
        return Text(", ").join(self.family(key) for key in keys) if keys else Text("–", FAINT)

    def space(self, key: str) -> str:
        """Return the name of a space."""
        return name("space", key, self.lang)

    def table(self, view: Json, before: Json | None = None) -> RenderableType | None:
        """Return the table as the seat sees it; nothing in the middle of a turn."""
        if before is not None and view["asked"] in ("discard", "second", "sale"):
            return None
        turn = view["turn"]
        key = "over" if view["asked"] == "over" else "mine" if turn == self.seat else ""
        where = self.word(f"samarkand.heading{'.' if key else ''}{key}", who=self.who(turn))
        piles = self.word("samarkand.deck", deck=view["deck"], discards=view["discards"], limit=view["limit"])
        piles += self.word("samarkand.bag", bag=view["bag"]) if view["players"] == 2 else ""
        head = heading(self.game.name[self.lang], where)
        return stacked([head, self._families(view), self._players(view), Text(piles, FAINT), self._hand(view)])

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
        card = Text(self.word("samarkand.card", good=good(number, self.lang), space=self.space(key)))
        if worth:
            card.append(f" = {self.word('samarkand.worth', n=worth)}", NEWS)
        return card

    def question(self, view: Json, step: Step) -> str:
        """Return what is asked."""
        move = step.choices[0].moves[0]
        if view["asked"] == "sale":
            return self.word("samarkand.ask.sale", good=good(view["good"], self.lang))
        if view["asked"] == "discard":
            return self.word("samarkand.ask.discard")
        does = {move["do"] for choice in step.choices for move in choice.moves}
        if "end" in does:
            return self.word("samarkand.ask.second", family=name("family", view["family"], self.lang))
        if does == {"marry"}:
            return self.word("samarkand.ask.marry")
        if does != {"place"}:
            return self.word("samarkand.ask.do")
        if step.field == "family" or not _one_family(step):
            return self.word("samarkand.ask.family")
        return self.word("samarkand.ask.space", family=name("family", move["family"], self.lang))

    def move(self, view: Json, move: Json) -> Text:
        """Return a move as it is offered, with what it would bring."""
        text = Text(self.game.tell(move, self.lang, self.who))
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
            notes.append(Text(self.word("samarkand.takes", good=good(entry["good"], self.lang)), NEWS))
        if "cards" in entry:
            notes.append(Text(self.word("samarkand.your_card"), NEWS))
        for other in view["camels"].get(key, ()):
            new, called = other == entry.get("meets"), name("family", other, self.lang)
            told = self.word("samarkand.meets" if new else "samarkand.joins", family=called)
            notes.append(Text(told, NEWS if new else FAINT))
        notes += [Text(tell_points(entry["points"], self.lang), NEWS)] if "points" in entry else []
        notes += [Text(say(self.lang, "brings.ends"), NEWS)] if "ends" in entry else []
        return Text.assemble((" → ", FAINT), Text(", ").join(notes)) if notes else Text()

    def tell(self, line: Json) -> str:
        """Return a line of the log as a sentence, with "you" for the player's own marriage."""
        if line.get("seat") == self.seat and line.get("do") == "marry":
            return self.word("samarkand.you_marry", family=name("family", line["family"], self.lang))
        return super().tell(line)

    def effect(self, before: Json | None, line: Json, after: Json) -> str:
        """Return what everybody gained or paid, as far as the player may see, and whom a family met."""
        if before is None:
            return ""
        parts = []
        family = line.get("family")
        if line.get("do") == "place" and family:
            known = before["families"][family]["partners"]
            met = [name("family", key, self.lang) for key in after["families"][family]["partners"] if key not in known]
            parts += [self.word("samarkand.meets", family=called) for called in met]
            taken = [number for number in before["goods"] if number not in after["goods"]]
            parts += [self.word("samarkand.takes", good=good(number, self.lang)) for number in taken]
        for seat, (old, new) in enumerate(zip(before["seats"], after["seats"])):
            if old["dirhams"] is not None and new["dirhams"] is not None and new["dirhams"] != old["dirhams"]:
                change = new["dirhams"] - old["dirhams"]
                sign = "+" if change > 0 else "-"
                parts.append(self.word("samarkand.got", who=self.who(seat), sign=sign, n=abs(change)))
        return ", ".join(parts)

    def standing(self, view: Json) -> RenderableType:
        """Return what everybody has, as far as the player may see."""
        return self._players(view)


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
