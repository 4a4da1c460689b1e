/** Khiva as a seat sees it: `registan.games.khiva.view`. */
import type { Tallied } from "../../lib/points";
import type { Brings, GameView, Line, Move } from "../../lib/types";

/** Camels in the order in which they are activated. */
export const COLOURS = ["white", "blue", "green", "pink", "black"] as const;
export type Colour = (typeof COLOURS)[number];
export const SHOPS = 4;

/** A card as in the record: "white-4". */
export type Card = `${Colour}-${number}`;
/** Path (the seat whose it is) and shop. Null is the Khiva board, or the counter where a camel would arrive. */
export type Place = [path: number, shop: number] | null;
export type Carpet = [colour: Colour, value: number];

export interface KhivaSeat {
  gems: number;
  cards: number;
  played: Card[];
  /** Values, or their number if they are face down. */
  teapots: number[] | number;
  delivered: Carpet[] | number;
  undelivered: Carpet[];
  salt: number[];
  points: number | null;
  /** The points by part and where they come from, when the game is over. */
  score?: { total: number } & Record<string, number>;
  tally?: Tallied[];
}

/** What a move would bring, with Khiva's fields. */
export interface KhivaBrings extends Brings {
  /** Where the camel stops, null for the counter. */
  place?: Place;
  teapot?: number;
  delivers?: Carpet[];
  /** The colour of the available carpet, if visible. */
  carpet?: Colour;
  /** The value of the available sack. */
  salt?: number;
}

export interface KhivaView extends GameView {
  brings: (KhivaBrings | null)[];
  asked: "choose" | "move" | "take" | "over";
  turn: number;
  turns: number;
  deal: number;
  camel: Colour | null;
  camels: Record<Colour, { place: Place; teapot: number | null }>;
  /** The colour of the top carpet, null if it is covered or none is left. */
  piles: { teapots: number; carpets: number; top_carpet: Colour | null; salt: number[] };
  hand: Card[] | null;
  chosen: { play: Card[]; give: Card[] } | null;
  /** Gem icons on the cards of value 1, 2, … */
  icons: number[];
  shop_gems: Record<"1" | "3", number>;
  salt_price: number;
  /** Where the active camel would stop for 0, 1, … gems. */
  lands: Place[] | null;
  /** Where each card in hand would move its camel now, and what that would bring. */
  reach: Record<Card, KhivaBrings> | null;
  shown: Card[];
  discarded: Card[];
  seats: KhivaSeat[];
}

export interface Choice extends Move {
  do: "choose";
  play: Card[];
  give: Card[];
}
export interface Walk extends Move {
  do: "move";
  camel: Colour;
  gems: number;
}
export interface Taking extends Move {
  do: "take";
  what: "salt" | "carpet" | "nothing";
}
export type KhivaMove = Choice | Walk | Taking;
export type KhivaLine = Line & { seat: number };

export function colourOf(card: Card): Colour {
  return card.slice(0, card.lastIndexOf("-")) as Colour;
}

export function valueOf(card: Card): number {
  return Number(card.slice(card.lastIndexOf("-") + 1));
}
