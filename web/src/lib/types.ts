/** What the house sends about a table: `registan.tables.views.show`. The game's own view has a type in its folder. */

import type { components } from "../../generated/house";
import type { Refusal } from "./api";

/** The key of a game. */
export type GameKey = string;
/** A move, or a line of the game record. */
export type Line = { [key: string]: unknown; do?: string; seat?: number; chance?: string; brings?: Brings };
export type Move = Line;

export interface Seat {
  kind: "person" | "bot" | "open";
  name: string;
  /** The drawing of a person; bots have their own. */
  face: string;
  level: string;
  host: boolean;
  away: boolean;
  resigned: boolean;
  /** The level at which a bot plays if that is not its own, and why. */
  lowered: { level: string; why: string } | null;
  /** How many hints the seat has taken. */
  hints?: number;
  /** Milliseconds left on the clock of a live table. */
  bank?: number;
  /** Since when this seat is to move, on the house's clock. */
  since?: number | null;
  until?: number | null;
}

export interface Pace {
  kind: "free" | "live" | "days";
  bank: number;
  increment: number;
  days: number;
  tick: number;
}

/** What a move would bring the mover; empty fields are left out. Games may add fields. */
export interface Brings {
  points?: number;
  gets?: [n: number, item: string][];
  pays?: [n: number, item: string][];
  others?: [seat: number, n: number, item: string][];
  /** What is still open; without it, everything is certain. */
  open?: string[];
  /** The game ends with this move, or after this turn. */
  ends?: boolean;
}

export interface GameView {
  game: GameKey;
  seat: number | null;
  players: number;
  asked: string;
  waiting: number[];
  legal: Move[];
  /** What each legal move would bring, null if nothing is known. */
  brings: (Brings | null)[];
}

/** How the chance of a table is made; lists are by seat. Tables of earlier versions have no scheme. */
export interface Fairness {
  scheme?: number;
  /** The SHA-256 of the house's secret. */
  commitment: string;
  owners?: string[];
  commitments?: string[];
  contributions?: string[];
  /** Shown when the game is over. */
  secret: string | null;
}

export interface TableView {
  table: string;
  seq: number;
  status: "open" | "dealing" | "running" | "paused" | "over" | "abandoned";
  you: number | null;
  game: GameKey;
  box: string;
  /** The SHA-256 of a box that was brought along, empty for one of the game's. */
  own_box: string;
  /** The file of such a box, if the game comes from a record rather than from a table. */
  box_toml?: string;
  options: Record<string, boolean | string>;
  /** The seat that begins, null to draw lots. */
  first: number | null;
  pace: Pace;
  listed: boolean;
  /** Whether the game counts for ratings: then there are no hints. */
  rated?: boolean;
  watch: "none" | "open" | "hands";
  /** By how many moves of each seat spectators who see all hands are behind. */
  delay: number;
  stand_in: string;
  before: string | null;
  /** The next table of the same people, and the seat that created it. */
  rematch: { seat: number; table: string } | null;
  /** The seat that proposed the pause. */
  paused_by: number | null;
  seats: Seat[];
  proposal: { seat: number; what: string; agreed: number[] } | null;
  fairness: Fairness;
  /** The seats whose contribution to chance is missing: to commit before the start, then to reveal. */
  awaited: number[];
  /** When the host may call off the deal, null if the table is not dealing. */
  call_off: number | null;
  view: GameView | null;
  log: Line[];
  /** Since when the current decision has been running against the clock. */
  counting: number | null;
  /** The seats that have won, when the game is over. */
  winners: number[] | null;
  undo?: boolean;
  /** Whether I may take hints. */
  hints?: boolean;
  stopped?: boolean;
  sale_until?: number | null;
  orders?: Record<string, unknown>;
  muted?: number[];
}

export type TableCard = components["schemas"]["ListedTable"];

/** The props of every game's `Game.svelte`. */
export interface GameProps {
  /** The table as shown now, which may lag behind the house by a few moves that are still being animated. */
  table: TableView;
  /** The seat whose view is shown, null for spectators. */
  seat: number | null;
  /** The lines that the current step added to the log, to be animated. */
  news: Line[];
  /** Whether nothing can be committed: a request is pending, or moves of others are still being shown. */
  busy: boolean;
  /** A move to preview: one of a hint. */
  preview?: Move | null;
  /** Commit a move. Resolves to null, or to the refusal, which may name the rule that it would break. */
  play(move: Move): Promise<Refusal | null>;
  /** Send any other request (see docs/protocol.md): order, undo … */
  ask(request: Record<string, unknown>): Promise<Refusal | null>;
  /** The house's clock in milliseconds. */
  now(): number;
}
