/** The rule that governs a line of the log, so that one can read why. */
import type { GameKey, Line } from "../lib/types";

const RULES: Record<GameKey, Record<string, string>> = {
  khiva: { choose: "K3", move: "K5", take: "K8", deal: "K13" },
  souk: { offer: "M5", stops: "M6", stop: "M6", wait: "M6", name: "M7", camels: "M3", round_end: "M11" },
  samarkand: {
    marry: "S6", place: "S11", sell: "S14", keep: "S14", discard: "S8", end: "S10", pass: "S5", deck: "S9", tile: "S23",
  }, // prettier-ignore
};

/** Its id, or null where no rule in particular is meant. */
export function ruleOf(game: GameKey, line: Line): string | null {
  const price = line.price === 0 ? "round_end" : line.price === undefined ? undefined : "stops";
  return RULES[game][line.do ?? line.chance ?? price ?? ""] ?? null;
}
