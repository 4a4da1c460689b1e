/** Le Marché de Samarkand in the browser. */
import { t } from "../../lib/messages.svelte";
import type { GameView, Line } from "../../lib/types";
import type { Points } from "..";
import type { SoukView } from "./types";

export { default as Game } from "./Game.svelte";
export { tell } from "./words";

const PARTS = ["riches", "presents", "harmony", "empty"] as const;

/** The points broken down, when the game is over. */
export function result(view: GameView): Points[] | null {
  const { seats } = view as SoukView;
  if (seats.some((place) => !place.score)) return null;
  return seats.map(({ score }, seat) => ({
    seat,
    total: score!.total,
    parts: PARTS.map((key) => ({ key, label: t(`web.souk.part.${key}`), value: score![key] })),
  }));
}

const RULES: Record<string, string> = { offer: "M5", stop: "M6", wait: "M6", name: "M7", camels: "M3" };

/** The rule that governs a line of the log: M6 for a stop, M11 for the end of a round. */
export function ruleOf(line: Line): string | null {
  if (line.price !== undefined) return line.price === 0 ? "M11" : "M6";
  return RULES[line.do ?? line.chance ?? ""] ?? null;
}
