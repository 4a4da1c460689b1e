/** The three games: their pictures at once, the rest of each when somebody sits down to it. */
import type { Component } from "svelte";
import { load as loadMessages } from "../lib/messages.svelte";
import type { GameKey, GameProps, GameView, Line } from "../lib/types";

export const GAMES: readonly GameKey[] = ["samarkand", "khiva", "souk"];

export interface Points {
  seat: number;
  total: number;
  parts: { key: string; value: number }[];
}

export interface GameModule {
  Game: Component<GameProps>;
  /** A line of the log, or a move on offer (without `seat`), in words; null for lines of no interest. */
  tell(line: Line, who: (seat: number) => string): string | null;
  /** The points broken down, when the game is over. */
  result(view: GameView): Points[] | null;
}

const MODULES: Record<GameKey, () => Promise<GameModule>> = {
  samarkand: async () => (await import("./samarkand")) as unknown as GameModule,
  khiva: async () => (await import("./khiva")) as unknown as GameModule,
  souk: async () => (await import("./souk")) as unknown as GameModule,
};

/** A game with its words in the language spoken. */
export async function open(game: GameKey): Promise<GameModule> {
  const [module] = await Promise.all([MODULES[game](), loadMessages(game, `web-${game}`)]);
  return module;
}
