/** The games that have a board here: their pictures at once, the rest of each when somebody sits down to it. */
import type { Component } from "svelte";
import { load as loadMessages } from "../lib/messages.svelte";
import type { GameKey, GameProps, GameView, Line } from "../lib/types";

export interface Points {
  seat: number;
  total: number;
  parts: { key: string; value: number }[];
}

/** `index.ts` of a game's folder. */
export interface GameModule {
  Game: Component<GameProps>;
  /** A line of the log, or a move on offer (without `seat`), in words; null for lines of no interest. */
  tell(line: Line, who: (seat: number) => string): string | null;
  /** The rule that governs a line of the log, so that people can read why; null where no rule in particular is meant. */
  ruleOf(line: Line): string | null;
  /** The points broken down, when the game is over. */
  result(view: GameView): Points[] | null;
}

const MODULES = import.meta.glob<GameModule>("./*/index.ts");
const COVERS = import.meta.glob<Component>("./*/Cover.svelte", { eager: true, import: "default" });

/** The picture of a game, undefined if it has none. */
export function coverOf(game: GameKey): Component | undefined {
  return COVERS[`./${game}/Cover.svelte`];
}

/** A game with its words in the language spoken; one without a folder here gets the plain board. */
export async function open(game: GameKey): Promise<GameModule> {
  const fetched = MODULES[`./${game}/index.ts`]?.() ?? import("../ui/plain").then(({ plain }) => plain(game));
  const [module] = await Promise.all([fetched, loadMessages(game)]);
  return module;
}
