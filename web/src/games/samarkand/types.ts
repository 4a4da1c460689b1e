/** The view as `registan.games.samarkand.view` makes it, and a board as `registan.games.samarkand.web` tells it. */
import type { GameView, Move } from "../../lib/types";

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
  /** Null where money is hidden. */
  dirhams: number | null;
  cards: number;
  hand: number[] | null;
  sold: number[];
  tiles: string[];
  goods: number;
  relations: number;
  score: Score | null;
}

export interface View extends GameView {
  game: "samarkand";
  board: string;
  asked: "turn" | "second" | "sale" | "discard" | "over";
  ended_by: ("all_trade" | "five_partners" | "all_passed")[];
  turn: number;
  family: string | null;
  good: number | null;
  /** The families on every space that is occupied. */
  camels: Record<string, string[]>;
  /** The goods whose markers still lie on the map. */
  goods: number[];
  families: Record<string, Domain>;
  deck: number;
  discards: number;
  bag: number;
  removed: string[];
  limit: number;
  hand: number[] | null;
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
  /** Where two camels stand. */
  spots: [Point, Point];
  /** The printed disc of a good or a family: x, y, radius. */
  disc: [number, number, number] | null;
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

/** What somebody has picked but not committed. */
export interface Choice {
  family: string | null;
  space: string | null;
}
