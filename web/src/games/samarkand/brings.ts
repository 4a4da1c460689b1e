/** What a move would bring, worked out from what lies open and one's own hand, before one commits. */
import type { Board, View } from "./types";

export interface Brought {
  /** Points for me in all, as far as they are certain: a sale comes on top. */
  points: number;
  /** S13: the good whose marker I take. */
  good: number | null;
  /** S14: the card of that good is in my hand, and I shall be asked whether to sell it. */
  sale: boolean;
  /** S16 to S18: the family met for the first time. */
  meets: string | null;
  /** S18: how many relationship markers I take. */
  markers: number;
  /** S17: dirhams by seat. */
  paid: number[];
  /** S20: what my cards would be worth more. */
  cards: number;
  /** S8: cards I draw. */
  draws: number;
  /** S6: dirhams I pay. */
  costs: number;
  /** S19: the game would end after this turn. */
  ends: boolean;
}

const NOTHING: Omit<Brought, "paid"> = {
  points: 0, good: null, sale: false, meets: null, markers: 0, cards: 0, draws: 0, costs: 0, ends: false,
};
const MARKERS = 5;

/** S20: what a card in the hand of a seat would score now. */
export function worth(view: View, board: Board, seat: number, good: number): number {
  const mine = view.seats[seat]!.tiles;
  const space = board.goods[good - 1]!.space;
  return (view.camels[space] ?? []).reduce((sum, family) => sum + (mine.includes(family) ? 4 : 1), 0);
}

/** What placing a camel of a family on a space would bring to the seat. */
export function placing(view: View, board: Board, seat: number, family: string, space: string): Brought {
  const here = view.camels[space] ?? [];
  const paid = view.seats.map(() => 0);
  const found: Brought = { ...NOTHING, paid, ends: wouldEnd(view, null, null) };
  const good = board.goods.find((one) => one.space === space);
  if (good && view.hand?.includes(good.number)) {
    found.cards = view.seats[seat]!.tiles.includes(family) ? 4 : 1;
    found.sale = here.length === 0;
  }
  if (here.length === 0) found.good = good?.number ?? null;
  const other = here[0];
  const land = board.spaces.find((one) => one.key === space)?.kind === "land";
  if (other && land && !view.families[family]!.partners.includes(other)) {
    found.meets = other;
    found.markers = Number(view.families[family]!.markers > 0) + Number(view.families[other]!.markers > 0);
    view.seats.forEach(({ tiles }, i) => (paid[i] = (tiles.includes(family) ? 3 : 0) + (tiles.includes(other) ? 1 : 0)));
    found.ends = wouldEnd(view, family, other);
  }
  found.points = Number(found.good !== null) + found.markers + paid[seat]! + found.cards;
  return found;
}

/** S19: whether a condition for the end is fulfilled once two families have met. */
function wouldEnd(view: View, family: string | null, other: string | null): boolean {
  const partners = Object.entries(view.families).map(
    ([key, domain]) => domain.partners.length + Number(key === family || key === other),
  );
  return partners.every((n) => n > 0) || partners.some((n) => n >= MARKERS);
}

/** What marrying into a family would bring to the seat; what the new cards are worth nobody knows. */
export function marrying(view: View, board: Board, seat: number, family: string): Brought {
  const me = view.seats[seat]!;
  const costs = view.families[family]!.dowry;
  let cards = 0;
  if (!me.tiles.includes(family)) {
    for (const good of view.hand ?? []) {
      if (view.camels[board.goods[good - 1]!.space]?.includes(family)) cards += 3;
    }
  }
  const draws = me.cards + me.sold.length < view.limit ? 3 : 0;
  return { ...NOTHING, paid: view.seats.map(() => 0), costs, cards, draws, points: cards - costs };
}
