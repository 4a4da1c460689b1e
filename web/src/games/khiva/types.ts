/** Khiva as a seat sees it: `registan.games.khiva.view`. */
import type { Brings, GameView, Line, Move } from "../../lib/types";

/** Camels in the order in which they are activated. */
export const COLOURS = ["white", "blue", "green", "pink", "black"] as const;
export type Colour = (typeof COLOURS)[number];
export const SHOPS = 4;

/** A card as the record has it: "white-4". */
export type Card = `${Colour}-${number}`;
/** Path (the seat whose it is) and shop. Null is the Khiva board, or the counter where a camel would arrive. */
export type Place = [path: number, shop: number] | null;
export type Carpet = [colour: Colour, value: number];

export interface KhivaSeat {
  gems: number;
  cards: number;
  played: Card[];
  /** Values, or how many where they lie face down for us. */
  teapots: number[] | number;
  delivered: Carpet[] | number;
  undelivered: Carpet[];
  salt: number[];
  points: number | null;
}

/** What a move would bring, in Khiva's own terms too. */
export interface KhivaBrings extends Brings {
  /** Where the camel stops, null for the counter. */
  place?: Place;
  teapot?: number;
  delivers?: Carpet[];
  /** The colour of the carpet that can be had, if it is seen. */
  carpet?: Colour;
  /** The value of the sack that can be bought. */
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
  /** The colour of the top carpet; null where it is covered, or none is left. */
  piles: { teapots: number; carpets: number; top_carpet: Colour | null; salt: number[] };
  hand: Card[] | null;
  chosen: { play: Card[]; give: Card[] } | null;
  /** Gem icons on the cards of value 1, 2, … */
  icons: number[];
  shop_gems: Record<"1" | "3", number>;
  salt_price: number;
  /** Where the active camel would stop for 0, 1, … gems. */
  lands: Place[] | null;
  /** Where each card in hand would bring its camel as things stand, and what that would bring me. */
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
