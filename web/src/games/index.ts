/** The games with a board here: their pictures are bundled, the rest is loaded on demand. */
import type { Component } from "svelte";
import { load as loadMessages } from "../lib/messages.svelte";
import type { Points, Tallied } from "../lib/points";
import type { GameKey, GameProps, GameView, Line } from "../lib/types";

/** `index.ts` of a game's folder. */
export interface GameModule {
  Game: Component<GameProps>;
  /** A line of the log, or a legal move (without `seat`), as text; null to hide it. */
  tell(line: Line, who: (seat: number) => string): string | null;
  /** What the move of a line brought, as everybody saw it; empty if nothing. */
  outcome?(line: Line, who: (seat: number) => string): string;
  /** The heading of the turn that a line begins, null if it goes on; `before` are the lines before it. */
  heading?(line: Line, before: Line[], who: (seat: number) => string): string | null;
  /** A drawing for a line of the log: an SVG path in 24 × 24. */
  icon?(line: Line): string | null;
  /** Where a line of the log happened: selectors of what lights up on the board, besides the seat of the line. */
  placesOf?(line: Line): string[];
  /** The rule behind a line of the log, null if there is none in particular. */
  ruleOf(line: Line): string | null;
  /** What only its seat sees in a view, in words; empty if nothing. */
  hand?(view: GameView): string;
  /** Why the game ended, as a sentence; empty if there is nothing to say. */
  ending?(view: GameView): string;
  /** The rule that breaks a tie in points, and what decided for a winner, if the game has one. */
  tiebreak?: { rule: string; why(view: GameView, winner: number, other: number): string };
  /** The points by part, when the game is over. */
  result(view: GameView): Points[] | null;
  /** Draws something that brought points. */
  Tallied?: Component<{ one: Tallied }>;
}

/** `aid.ts` of a game's folder. The texts are the messages `web.<game>.aid.<part>.<n>`. */
export interface Aid {
  /** Draws a picture of the turn, counted from 1. */
  Picture: Component<{ n: number }>;
  /** The drawings that pictures use. */
  Symbols: Component;
  /** The rules behind each picture of the turn, each thing that scores, and each way to end. */
  turn: string[][];
  scores: string[][];
  ends: string[][];
}

/** `figures.ts` of a game's folder: positions from real games for the rules. */
export interface Figures {
  /** Draws a position with the game's own board. */
  Figure: Component<{ name: string; view: GameView }>;
  views: Record<string, GameView>;
}

/** `workshop/index.ts` of a game's folder: a page to make boxes of its own. */
export interface Workshop {
  Workshop: Component;
}

const MODULES = import.meta.glob<GameModule>("./*/index.ts");
const AIDS = import.meta.glob<Aid>("./*/aid.ts");
const FIGURES = import.meta.glob<Figures>("./*/figures.ts");
const WORKSHOPS = import.meta.glob<Workshop>("./*/workshop/index.ts");
const COVERS = import.meta.glob<Component>("./*/Cover.svelte", { eager: true, import: "default" });

/** The picture of a game, undefined if there is none. */
export function coverOf(game: GameKey): Component | undefined {
  return COVERS[`./${game}/Cover.svelte`];
}

/** Load a game with its messages in the current language; without a folder here it gets the plain board. */
export async function open(game: GameKey): Promise<GameModule> {
  const fetched = MODULES[`./${game}/index.ts`]?.() ?? import("../ui/plain").then(({ plain }) => plain(game));
  const [module] = await Promise.all([fetched, loadMessages(game)]);
  return module;
}

/** Load the player aid of a game with its messages, null if it has none. */
export async function aidOf(game: GameKey): Promise<Aid | null> {
  const fetched = AIDS[`./${game}/aid.ts`]?.();
  const [aid] = await Promise.all([fetched, loadMessages(game)]);
  return aid ?? null;
}

/** Load the positions that the rules of a game show, null if there are none. */
export async function figuresOf(game: GameKey): Promise<Figures | null> {
  return (await FIGURES[`./${game}/figures.ts`]?.()) ?? null;
}

/** The games whose boxes can be made in a workshop. */
export const inWorkshop = (): GameKey[] => Object.keys(WORKSHOPS).map((path) => path.split("/")[1]!);

/** Load the workshop of a game with its messages, null if it has none. */
export async function workshopOf(game: GameKey): Promise<Workshop | null> {
  const fetched = WORKSHOPS[`./${game}/workshop/index.ts`]?.();
  const [found] = await Promise.all([fetched, loadMessages(game), loadMessages("workshop")]);
  return found ?? null;
}
