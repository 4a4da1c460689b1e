/** What the house sends about a table: `registan.tables.views.show`. The game's own view has a type in its folder. */

import type { components } from "../../generated/house";

/** The key of a game, as the house has it. */
export type GameKey = string;
/** A move, or a line of the game record. */
export type Line = { [key: string]: unknown; do?: string; seat?: number; chance?: string };
export type Move = Line;

export interface Seat {
  kind: "person" | "bot" | "open";
  name: string;
  level: string;
  host: boolean;
  away: boolean;
  resigned: boolean;
  /** Milliseconds left on the clock of a live table. */
  bank?: number;
  /** Since when this seat has been asked, by the house's clock. */
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

/** What a move would bring to the mover, as the house says it; what is empty is left out. A game may add to it. */
export interface Brings {
  points?: number;
  gets?: [n: number, item: string][];
  pays?: [n: number, item: string][];
  others?: [seat: number, n: number, item: string][];
  /** What is still open; without it all of this is sure. */
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
  /** What each of the legal moves would bring, null for nothing to speak of. */
  brings: (Brings | null)[];
}

export interface TableView {
  table: string;
  seq: number;
  status: "open" | "running" | "paused" | "over" | "abandoned";
  you: number | null;
  game: GameKey;
  box: string;
  options: Record<string, boolean | string>;
  /** The seat that begins; null for by lot. */
  first: number | null;
  pace: Pace;
  listed: boolean;
  watch: "none" | "open" | "hands";
  /** By how many moves of each seat spectators who see all hands are behind. */
  delay: number;
  stand_in: string;
  before: string | null;
  seats: Seat[];
  proposal: { seat: number; what: string; agreed: number[] } | null;
  fairness: { commitment?: string; [key: string]: unknown };
  chat: { seat: number; at: number; text?: string; phrase?: string }[];
  view: GameView | null;
  log: Line[];
  /** Since when a question that runs against the clock has been asked. */
  counting: number | null;
  /** The seats that have won, when the game is over. */
  winners: number[] | null;
  undo?: boolean;
  stopped?: boolean;
  sale_until?: number | null;
  orders?: Record<string, unknown>;
  muted?: number[];
}

export type TableCard = components["schemas"]["ListedTable"];

/** What every game's `Game.svelte` is given. */
export interface GameProps {
  /** The table as shown now: it may lag behind the house by a few moves that are still being played out. */
  table: TableView;
  /** The seat one looks from, null for spectators. */
  seat: number | null;
  /** The lines that were added to the log by the step just shown, to be animated. */
  news: Line[];
  /** Whether a request of ours is under way, or moves of others are still being shown: nothing may be committed. */
  busy: boolean;
  /** Commit a move. Resolves to null, or to the refusal in words. */
  play(move: Move): Promise<string | null>;
  /** Anything else that may be asked of a table (see docs/protocol.md): order, undo … */
  ask(request: Record<string, unknown>): Promise<string | null>;
  /** The house's clock in milliseconds. */
  now(): number;
}
