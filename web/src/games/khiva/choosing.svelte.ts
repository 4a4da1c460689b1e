/** The current selection: cards to play and to give, or one of the legal moves. */
import type { Move } from "../../lib/types";
import type { Card, KhivaView } from "./types";

export class Choosing {
  play: Card[] = $state([]);
  give: Card[] = $state([]);
  /** Which of the legal moves, -1 for none yet. */
  pick = $state(-1);

  /** Clear the selection for the next question. */
  clear = (pick = -1): void => {
    this.play = [];
    this.give = [];
    this.pick = pick;
  };

  /** Select a move. */
  show = (move: Move, view: KhivaView): void => {
    this.clear(view.legal.findIndex((one) => JSON.stringify(one) === JSON.stringify(move)));
    if (move.do !== "choose") return;
    this.play = [...(move.play as Card[])];
    this.give = [...(move.give as Card[])];
  };

  /** Toggle a card: it is played, or given if enough are played, and deselected when touched again. */
  touch = (card: Card, each: number): void => {
    if (this.play.includes(card) || this.give.includes(card)) this.put(card, null, each);
    else this.put(card, this.play.length < each ? "play" : "give", each);
  };

  /** Add a card to those to play or to give; if there are too many, the first goes back to the hand. */
  put = (card: Card, where: "play" | "give" | null, each: number): void => {
    const without = (cards: Card[]): Card[] => cards.filter((other) => other !== card);
    this.play = without(this.play);
    this.give = without(this.give);
    if (where) this[where] = [...this[where], card].slice(-each);
  };

  /** The card whose walk is shown: one that is played or could still be, never one that is given. */
  walking(looked: Card | null, each: number): Card | undefined {
    const open = looked !== null && (this.play.includes(looked) || (this.play.length < each && !this.give.includes(looked)));
    return open ? looked : this.play.at(-1);
  }

  swap = (): void => {
    [this.play, this.give] = [this.give, this.play];
  };

  /** Whether all cards are chosen. */
  full(each: number): boolean {
    return this.play.length === each && this.give.length === each;
  }

  /** The move of the record, with the cards in the order of the hand. */
  move(view: KhivaView): { do: "choose"; play: Card[]; give: Card[] } {
    const sorted = (cards: Card[]): Card[] => (view.hand ?? []).filter((card) => cards.includes(card));
    return { do: "choose", play: sorted(this.play), give: sorted(this.give) };
  }
}

/** The legal move that brings most by what is certain, the cheapest of them. */
export function best(view: KhivaView): number {
  const points = view.legal.map((_, i) => view.brings[i]?.points ?? 0);
  return points.indexOf(Math.max(...points));
}
