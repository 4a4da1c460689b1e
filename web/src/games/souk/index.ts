/** Le Marché de Samarkand in the browser. */
import type { GameView } from "../../lib/types";
import { pointsOf, type Points } from "../../lib/points";
import type { SoukView } from "./types";

export { default as Game } from "./Game.svelte";
export { default as Tallied } from "./Tallied.svelte";
export { ending, hand, heading, icon, outcome, placesOf, ruleOf, tell } from "./words";

const PARTS = ["riches", "presents", "harmony", "empty"] as const;

/** The points by part, when the game is over. */
export function result(view: GameView): Points[] | null {
  const { seats } = view as SoukView;
  if (seats.some((place) => !place.score)) return null;
  return seats.map(({ score, tally }, seat) => pointsOf(seat, { ...score! }, PARTS, tally));
}
