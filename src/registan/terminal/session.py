"""One person at one table: asking, showing, telling, saving, taking back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from registan.advice.hint import tell_odds, tell_reasons
from registan.core.game import Json
from registan.core.match import Match
from registan.core.messages import ending_reasons, listing, say
from registan.terminal import pages
from registan.terminal.ask import Choice, Decision, Step, understand
from registan.terminal.hints import Adviser
from registan.terminal.plain import ACT, FAINT, NEWS, Order, Plain, listed, packed
from registan.terminal.saved import Saved
from registan.terminal.screens import screen_of

Choose = Callable[[Match, int], Json]
"""A bot at the table: given the match and its seat, it returns a legal move."""

SLOW = 1.0
"""Seconds after which we say that a bot is thinking."""


MANY = 5
"""More answers than these share lines if there is a picture above them."""


class Leave(Exception):
    """The person wants to leave."""


class Undone(Exception):
    """A decision was taken back: ask again."""


class Session:
    """One person at one table."""

    def __init__(
        self,
        match: Match,
        saved: Saved,
        bots: Callable[[int], Choose],
        names: Sequence[str | None],
        seat: int,
        lang: str,
        console: Console,
        read: pages.Read,
        drawn: bool = False,
    ) -> None:
        self.match, self.saved, self.names, self.seat = match, saved, list(names), seat
        self.lang, self.console, self.read = lang, console, read
        self.bots = {other: bots(other) for other in range(match.players) if other != seat}
        self.screen: Plain = screen_of(match.game, match.box, lang, names, seat, drawn)
        self.adviser = Adviser(match)
        self.decided: list[int] = []
        """How many moves had been played at each decision of the person: where `u` goes back to."""
        self.told = 0
        self.shown: Json | None = None
        self.order: Order | None = None
        self._typed: list[str] = []
        self._latest: tuple[int, Json | None] = (-1, None)
        """The last line that was told, and the table after it."""
        self._unsaved = False

    def word(self, key: str, **values: object) -> str:
        """Return one of the terminal's messages."""
        return say(self.lang, f"terminal.{key}", **values)

    def run(self) -> None:
        """Play to the end, or until the person leaves."""
        try:
            while not self.match.over:
                if self.seat in self.match.waiting:
                    # Ask the person first: leaving here then loses no sealed answers of bots.
                    with suppress(Undone):
                        self.play(self.seat, self.decide())
                else:
                    self.let_bot_play(self.match.waiting[0])
            self.finish()
        except (Leave, EOFError, KeyboardInterrupt):
            self.leave()
        finally:
            self.adviser.close()

    def play(self, seat: int, move: Json) -> None:
        """Play a move, save, and tell what has happened."""
        self.match.play(seat, move)
        self.save()
        self.tell_news()

    def let_bot_play(self, seat: int) -> None:
        """Let a bot choose; say that it is thinking if that takes long."""
        with self._thinking(seat):
            move = self.bots[seat](self.match, seat)
        self.play(seat, move)

    @contextmanager
    def _thinking(self, seat: int) -> Iterator[None]:
        """Say that a bot is thinking if it takes long."""

        def tell() -> None:
            # Some games ask a seat in secret: do not tell what the person may not know.
            known = seat in self.match.view(self.seat)["waiting"]
            who = self.screen.who(seat)
            text = self.word("thinking", who=who) if known else self.word("thinking.somebody")
            self.console.print(text, style=FAINT)

        timer = threading.Timer(SLOW, tell)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def save(self) -> None:
        """Write the record. A full disk must not end the game: say so once and go on."""
        try:
            self.saved.write(self.match.record(names=self.names, seat=self.seat, decided=self.decided))
            self._unsaved = False
        except OSError as error:
            if not self._unsaved:
                self.console.print(self.word("save.failed", file=self.saved.path, why=error.strerror), style=NEWS)
            self._unsaved = True

    def story(self, lines: Iterable[tuple[int, Json]]) -> Iterator[Text]:
        """Yield lines of the record, given with their numbers, as sentences with their effects."""
        for i, line in lines:
            at, before = self._latest
            if at != i - 1:
                before = self.match.view_after(i - 1, self.seat) if i > 0 else None
            after = self.match.view_after(i, self.seat)
            yield from self.screen.story(before, line, after)
            self._latest = i, after

    def tell_news(self) -> None:
        """Tell what was not told yet, even if it can never be read again."""
        new = ((i, self.match.line_for(i, self.seat)) for i in range(self.told, len(self.match.written)))
        self.tell((i, line) for i, line in new if line)

    def tell(self, lines: Iterable[tuple[int, Json]]) -> None:
        """Tell some lines of the record, after which nothing is news any more."""
        for text in self.story(lines):
            self.console.print(listed([(Text("•", NEWS), text)]))
        self.told = len(self.match.written)

    def decide(self) -> Json:
        """Return the move of the person: the only one, or the one that is chosen."""
        legal = self.match.legal(self.seat)
        if len(legal) == 1:
            return legal[0]
        move = self._ordered()
        if move is not None:
            return move
        self.show_table()
        before = self.match.moves_played
        while move is None:
            move = self._ordered() or self._chosen(legal)
        self.decided.append(before)
        return move

    def _ordered(self) -> Json | None:
        """Return the answer of an earlier order; the order ends when it has none."""
        move = self.order.answer(self.match) if self.order else None
        self.order = self.order if move is not None else None
        return move

    def _chosen(self, legal: list[Json]) -> Json | None:
        """Return the move that is chosen step by step; None to start the decision again."""
        decision = Decision(legal, self.screen.sets)
        while decision.move is None:
            step = self.screen.numbered(decision.step())
            choice = self.ask(step, begun=len(decision.moves) < len(legal))
            if choice is None:
                return None
            decision.take(step, choice)
        return decision.move

    def show_table(self) -> None:
        """Show the table as it is now."""
        view = self.match.view(self.seat)
        table = self.screen.table(view, self.shown)
        if table is not None:
            self.console.print()
            self.console.print(table)
        self.shown = view

    def ask(self, step: Step, begun: bool) -> Choice | None:
        """Ask one question until it is answered; None to start the decision again, or if an order answers it."""
        view = self.match.view(self.seat)
        if not self._typed:
            self.offer(view, step)
        while True:
            text = self._typed.pop(0) if self._typed else self.read(self.word("prompt")).strip()
            if begun and text.casefold() == "u":
                return None
            if not text:
                self.shown = None
                self.show_table()
            elif not self.command(text):
                self.order = self.screen.order(self.match, text)
                if self.order is not None:
                    self.console.print(self.order.text, style=FAINT)
                    return None
                choice = self.answer(view, step, text)
                if choice is not None:
                    return choice
                continue
            self.offer(view, step)

    def offer(self, view: Json, step: Step) -> None:
        """Print a question and what may be answered."""
        picture = self.screen.picture(view, step)
        if picture is not None:
            self.console.print(picture)
        rows = [(Text(str(choice.number), ACT), self.screen.label(view, step, choice)) for choice in step.choices]
        self.console.print(listed([(Text("▸", ACT), Text(self.screen.question(view, step), "bold"))]))
        answers = [Text(" ").join(row) for row in rows]
        if picture is not None and len(rows) > MANY:  # one below the other, they would push the picture off the screen
            shown: RenderableType = packed(answers, self.console.width - 2)
        elif all(label.cell_len < self.console.width // 3 for _, label in rows):
            shown = Columns(answers, padding=(0, 3))
        else:
            shown = listed(rows)
        self.console.print(Padding(shown, (0, 0, 0, 2)))

    def answer(self, view: Json, step: Step, text: str) -> Choice | None:
        """Return what a line of input means, or explain what can be answered. Further words answer the next steps."""

        def words(choice: Choice) -> list[str]:
            return self.screen.names_of(view, step, choice)

        found = understand(text, step.choices, words)
        parts = text.replace(",", " ").split()
        if not found and len(parts) > 1:
            found = understand(parts[0], step.choices, words)
            self._typed = parts[1:] if len(found) == 1 else []
        if len(found) == 1:
            return found[0]
        self._typed = []
        if found:
            self.console.print(self.word("answer.several", text=text, numbers=self._numbers(found)), style=NEWS)
            return None
        numbers = self._numbers(step.choices)
        example = self.screen.example(view, step)
        key = "answer.example" if example else "answer.number"
        self.console.print(self.word(key, text=text, numbers=numbers, example=example), style=NEWS)
        return None

    def _numbers(self, choices: Sequence[Choice]) -> str:
        """Return the numbers of choices as in a sentence: "1 to 5", or "1, 3 or 4"."""
        numbers = [choice.number for choice in choices]
        if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
            return self.word("numbers.range", first=numbers[0], last=numbers[-1])
        first, last = ", ".join(map(str, numbers[:-1])), numbers[-1]
        return self.word("numbers.list", first=first, last=last) if first else str(last)

    def command(self, text: str) -> bool:
        """Carry out a command; return whether it was one."""
        word, _, rest = text.casefold().partition(" ")
        match word:
            case "help" | "aide":
                self.console.print(pages.help_text(self.match.game, self.lang, self.screen.own("help")))
            case "h" | "hint" | "conseil" if not rest:
                self.hint()
            case "s" if not rest:
                self.console.print(self.screen.standing(self.match.view(self.seat)))
            case "l" | "log" | "journal":
                pages.log(self.console, self.read, self.lang, self.history(), rest.strip())
            case "u" | "undo" | "annuler" if not rest:
                self.undo()
            case "q" | "quit" | "quitter" if not rest:
                raise Leave
            case asked if asked.startswith("?"):
                pages.rules(self.console, self.read, self.match.game, self.lang, text[1:])
            case _:
                found = self.screen.look_up(self.match.view(self.seat), text)
                if found is not None:
                    self.console.print(found)
                return found is not None
        return True

    def hint(self) -> None:
        """Show what a strong player would think of."""
        self.console.print(self.word("hint.thinking"), style=FAINT)
        hint = self.adviser.hint(self.seat, self.lang)
        view, rows = self.match.view(self.seat), [(Text("•", NEWS), Text(remark)) for remark in hint.remarks]
        for place, row in enumerate(hint.moves):
            text = self.screen.move(view, row["move"])
            text.append("".join(f" ({odds})" for odds in filter(None, [tell_odds(row, self.lang)])), NEWS)
            why = tell_reasons(self.match.game, self.match.box, row, place, self.lang, self.screen.who)
            rows.append((Text("★" if place == 0 else "·", NEWS), text.append(f" {why}" if why else "")))
        self.console.print(listed(rows))
        if hint.glance:
            key = "compiling" if self.adviser.compiling else "glance"
            self.console.print(self.word(f"hint.{key}"), style=FAINT)

    def history(self) -> list[pages.Turn]:
        """Return everything that has happened as far as the person may read it, turn by turn."""
        turns: list[pages.Turn] = []
        for i, line in self.match.readable(self.seat):
            before = self.match.view_after(i - 1, self.seat) if i > 0 else None
            after = self.match.view_after(i, self.seat)
            title = self.screen.turn(before, line, after)
            if not turns or turns[-1].title != title:
                turns.append(pages.Turn(title, []))
            turns[-1].lines.extend(self.screen.story(before, line, after))
        return turns

    def undo(self) -> None:
        """Take back the person's last decision and everything that bots have done since; they choose again."""
        if not self.decided:
            self.console.print(self.word("undo.nothing"), style=NEWS)
            return
        back_to = self.decided.pop()
        while self.match.moves_played > back_to:
            self.match.undo()
        self.told, self.shown, self._latest = len(self.match.written), None, (-1, None)
        self.console.print(self.word("undone"), style=NEWS)
        self.save()
        raise Undone

    def leave(self) -> None:
        """Save, and say how to continue later."""
        self.save()
        self.console.print()
        if not self._unsaved:
            self.console.print(self.word("left", file=self.saved.path), soft_wrap=True)

    def finish(self) -> None:
        """Show how the game ended."""
        scores, winners = self.match.scores(), self.match.winners()
        view = self.match.view(self.seat)
        self.console.print()
        self.console.print(self.screen.table(view) or "")
        self.console.print()
        reasons = ending_reasons(self.lang, self.match.game.key, int(self.match.state.over))
        if reasons:
            self.console.print(self.word("ending", why=listing(self.lang, reasons)))
        self.console.print(self.screen.result(scores, winners))
        self.console.print()
        points = scores[winners[0]]["total"]
        who = listing(self.lang, [self.screen.who(seat) for seat in winners])
        key = "won.shared" if len(winners) > 1 else "won.you" if self.seat in winners else "won.other"
        self.console.print(Text(self.word(key, who=who, n=points), f"bold {NEWS}"))
        self.save()
        if not self._unsaved:
            self.console.print(self.word("finished", file=self.saved.path), style=FAINT, soft_wrap=True)
