/** The view of `registan.games.samarkand.view`, and a board of `registan.games.samarkand.web`. */
import type { Tallied } from "../../lib/points";
import type { Brings, GameView, Move } from "../../lib/types";

export interface Domain {
  dowry: number;
  treasury: number;
  tiles: number;
  camels: number;
  markers: number;
  partners: string[];
}

export interface Score {
  total: number;
  cards: number;
  goods: number;
  relations: number;
  dirhams: number;
}

export interface Belongings {
  /** Null if money is hidden. */
  dirhams: number | null;
  cards: number;
  hand: number[] | null;
  sold: number[];
  tiles: string[];
  goods: number;
  relations: number;
  score: Score | null;
  /** Where the points come from, when the game is over. */
  tally?: Tallied[];
}

/** What a move would bring, with this game's fields. */
export interface Brought extends Brings {
  /** The good whose marker is taken. */
  good?: number;
  /** The family met for the first time. */
  meets?: string;
  /** What the cards in hand would gain. */
  cards?: number;
  /** What the card that may be sold is worth if it is kept. */
  worth?: number;
}

export interface View extends GameView {
  game: "samarkand";
  brings: (Brought | null)[];
  board: string;
  asked: "turn" | "second" | "sale" | "discard" | "over";
  ended_by: ("all_trade" | "five_partners" | "all_passed")[];
  turn: number;
  family: string | null;
  good: number | null;
  /** The families on every occupied space. */
  camels: Record<string, string[]>;
  /** The goods whose markers are still on the map. */
  goods: number[];
  families: Record<string, Domain>;
  deck: number;
  discards: number;
  bag: number;
  removed: string[];
  limit: number;
  hand: number[] | null;
  /** What each card of the hand is worth now. */
  worth: number[] | null;
  seats: Belongings[];
}

export type Named = Record<"en" | "fr", string>;
export type Point = [x: number, y: number];

export interface Space {
  key: string;
  name: Named;
  kind: "land" | "water";
  neighbours: string[];
  centre: Point;
  outline: string;
  /** The middle of the printed emblem of a good or a family. */
  emblem: Point | null;
  /** Where two camels stand, and how wide they are: they cover neither emblem nor name. */
  spots: [Point, Point];
  camel: number;
  label: Label;
}

/** The name of a space, as large as there is room for it. */
export interface Label {
  rows: string[];
  at: Point;
  size: number;
  /** In degrees. */
  slant: number;
}

export interface Good {
  number: number;
  key: string;
  name: Named;
  space: string;
}

export interface Family {
  key: string;
  name: Named;
  colour: string;
  symbol: string;
  start: string;
  dowry: number;
}

export interface Board {
  key: string;
  name: Named;
  lang: "en" | "fr";
  /** Left, top, width and height of the drawing. */
  frame: [number, number, number, number];
  unit: number;
  /** The most who can play on it. */
  players: number;
  spaces: Space[];
  goods: Good[];
  families: Family[];
  symbols: Record<string, string>;
  drawing: string;
}

export interface Place extends Move {
  do: "place";
  family: string;
  space: string;
}

/** The selection, not committed yet. */
export interface Choice {
  family: string | null;
  space: string | null;
}
