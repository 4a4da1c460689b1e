/** The games with a board here: their pictures are bundled, the rest is loaded on demand. */
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
  /** A line of the log, or a legal move (without `seat`), as text; null to hide it. */
  tell(line: Line, who: (seat: number) => string): string | null;
  /** The rule behind a line of the log, null if there is none in particular. */
  ruleOf(line: Line): string | null;
  /** The points by part, when the game is over. */
  result(view: GameView): Points[] | null;
}

const MODULES = import.meta.glob<GameModule>("./*/index.ts");
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
