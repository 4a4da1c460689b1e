/** Khiva in the browser. */
import type { Line } from "../../lib/types";

export { default as Game } from "./Game.svelte";
export { result, tell } from "./words";

const RULES: Record<string, string> = { choose: "K3", move: "K5", take: "K8", deal: "K13" };

/** The rule that governs a line of the log. */
export const ruleOf = (line: Line): string | null => RULES[line.do ?? line.chance ?? ""] ?? null;
