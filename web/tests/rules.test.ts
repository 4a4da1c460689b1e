import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Aid, GameModule } from "../src/games";
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

const AIDS = import.meta.glob<Aid>("../src/games/*/aid.ts", { eager: true });
const parsed = (path: string): Record<string, string> => JSON.parse(readFileSync(path, "utf-8")) as Record<string, string>;

test.each(["khiva", "samarkand", "souk"])("the player aid of %s has four pictures, texts for every part, and rules that exist", (game) => {
  const aid = AIDS[`../src/games/${game}/aid.ts`]!;
  const parts = { turn: aid.turn, scores: aid.scores, ends: aid.ends };
  const keys = Object.entries(parts).flatMap(([part, items]) => items.map((_, i) => `web.${game}.aid.${part}.${i + 1}`));
  expect(aid.turn).toHaveLength(4);
  for (const lang of ["en", "fr"]) {
    const told = Object.keys(parsed(`src/games/${game}/messages/${lang}.json`)).filter((key) => key.includes(".aid."));
    expect(told.sort()).toEqual(keys.toSorted());
    const page = readFileSync(`../src/registan/games/${game}/rules.${lang}.md`, "utf-8");
    for (const rule of Object.values(parts).flat(2)) expect(page).toContain(`**${rule}.**`);
  }
});
