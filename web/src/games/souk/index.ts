/** Le Marché de Samarkand in the browser. */
import type { GameView } from "../../lib/types";
import type { Points } from "..";
import type { SoukView } from "./types";

export { default as Game } from "./Game.svelte";
export { ruleOf, tell } from "./words";

const PARTS = ["riches", "presents", "harmony", "empty"] as const;

/** The points by part, when the game is over. */
export function result(view: GameView): Points[] | null {
  const { seats } = view as SoukView;
  if (seats.some((place) => !place.score)) return null;
  return seats.map(({ score }, seat) => ({
    seat,
    total: score!.total,
    parts: PARTS.map((key) => ({ key, value: score![key] })),
  }));
}
