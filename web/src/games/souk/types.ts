/** The view of `registan.games.souk.view`. */
import type { Tallied } from "../../lib/points";
import type { Brings, GameView, Line, Move } from "../../lib/types";

export const TYPES = ["fruit", "jewels", "spices", "carpets", "clothes"] as const;
export type Type = (typeof TYPES)[number];
export type Goods = [type: Type, value: number];
export type Item = Goods | "camel";

export interface Score {
  total: number;
  riches: number;
  presents: number;
  harmony: number;
  empty: number;
  dirhams: number;
  capacity: number;
  carried: Goods[];
}

export interface Place {
  type: Type;
  /** How many cards the stall still has to sell. */
  cards: number;
  /** Their values, null behind another player's screen. */
  left: number[] | null;
  /** What was bought, null behind another player's screen (M8). */
  goods: Goods[] | null;
  /** The capacities of the camels, or their number. */
  camels: number[] | number;
  dirhams: number | null;
  score: Score | null;
  /** Where the points come from, when the game is over. */
  tally?: Tallied[];
}

export interface Sale {
  item: Goods;
  /** The seller, null for the bank. */
  seller: number | null;
}

/** Points now and then. */
type Change = [now: number, then: number];

/** What a move would bring, with this game's fields. */
export interface Bringing extends Brings {
  item?: Item;
  parts?: { presents: Change; harmony: Change; empty: Change };
  /** My camels cannot carry one more; the parts are as if they could. */
  roomless?: boolean;
  /** I cannot pay and would be fined. */
  fine?: boolean;
  /** For a stop: what each item that I could name would bring. */
  items?: Bringing[];
}

/** What my goods and camels would score now, without riches. */
export interface Worth {
  presents: number;
  harmony: number;
  /** What empty places cost: 0 or less. */
  empty: number;
  carried: number;
  capacity: number;
}

export interface SoukView extends GameView {
  game: "souk";
  brings: (Bringing | null)[];
  worth: Worth | null;
  asked: "offer" | "count" | "name" | "over";
  round: number;
  rounds: number;
  doyen: number;
  price: number | null;
  stopped: number[];
  for_sale: Sale[];
  /** The capacity of the camel that is for sale. */
  camel: number | null;
  camels_left: number;
  bank: { type: Type; cards: number } | null;
  discarded: Goods[];
  sealed: Move | null;
  seats: Place[];
}

/** A price at which somebody stopped; the price 0 is the end of the round. */
export type StopLine = Line & { price: number; stops?: number[] };
export type NameLine = Line & { seat: number; do: "name"; item: Item };

export function same(one: Item | null | undefined, other: Item | null | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function count(things: unknown[] | number): number {
  return typeof things === "number" ? things : things.length;
}

/** The types in play: one per seat, and with three players the bank's. */
export function typesInPlay(view: SoukView): Type[] {
  return [...view.seats.map((place) => place.type), ...(view.bank ? [view.bank.type] : [])];
}

/** The types whose cards a seat may buy: all but its own. */
export function foreign(view: SoukView, seat: number): Type[] {
  return typesInPlay(view).filter((type) => type !== view.seats[seat]!.type);
}

/** What an item would bring me if I named it now, or after a stop; null if I may not. */
export function bringing(view: SoukView, item: Item): Bringing | null {
  const named = view.legal.findIndex((move) => move.do === "name" && same(move.item as Item, item));
  if (named >= 0) return view.brings[named] ?? null;
  const items = view.brings.flatMap((one) => one?.items ?? []);
  return items.find((one) => same(one.item, item)) ?? null;
}

/** The change of points, as if camels had room for it; null if nothing is bought. */
export function gain({ parts }: Bringing): number | null {
  return parts ? Object.values(parts).reduce((sum, [now, then]) => sum + then - now, 0) : null;
}
