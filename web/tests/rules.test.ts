import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { GameModule } from "../src/games";
import type { Line } from "../src/lib/types";

const WORDS = import.meta.glob<Pick<GameModule, "ruleOf">>("../src/games/*/words.ts", { eager: true });

test.each<[string, Line, string]>([
  ["khiva", { do: "choose", seat: 0 }, "K3"],
  ["souk", { price: 4, stops: [1] }, "M6"],
  ["souk", { price: 0, stops: [] }, "M11"],
  ["samarkand", { do: "sell", seat: 1 }, "S14"],
  ["samarkand", { chance: "deck" }, "S9"],
])("a line of %s points to a rule that is told", (game, line, rule) => {
  expect(WORDS[`../src/games/${game}/words.ts`]?.ruleOf(line)).toBe(rule);
  expect(readFileSync(`../src/registan/games/${game}/rules.en.md`, "utf-8")).toContain(`**${rule}.**`);
});
