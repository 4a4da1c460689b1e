/** The view as `registan.games.souk.view` makes it. */
import type { GameView, Line, Move } from "../../lib/types";

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
  /** Their values; null behind another's screen. */
  left: number[] | null;
  /** What was bought; null where it is behind another's screen (M8). */
  goods: Goods[] | null;
  /** The capacities of the camels, or how many there are. */
  camels: number[] | number;
  dirhams: number | null;
  score: Score | null;
}

export interface Sale {
  item: Goods;
  /** Null: the bank sells it. */
  seller: number | null;
}

export interface SoukView extends GameView {
  game: "souk";
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

/** The types in play: one a seat, and with three players the bank's. */
export function typesInPlay(view: SoukView): Type[] {
  return [...view.seats.map((place) => place.type), ...(view.bank ? [view.bank.type] : [])];
}
