import { SvelteMap } from "svelte/reactivity";
import { expect, test, vi } from "vitest";
import type { GameModule } from "../src/games";
import { api, type HintedMove } from "../src/lib/api";
import { Hints } from "../src/lib/hints.svelte";
import type { Live } from "../src/lib/live.svelte";
import { load, speak } from "../src/lib/messages.svelte";
import { tellWhy } from "../src/lib/why";

const module = { tell: (line: { what?: unknown }) => `takes ${String(line.what)}.` } as unknown as GameModule;
const row = (...why: object[]): HintedMove => ({ move: {}, wins: 0.5, sure: 0.1, margin: 0, simulations: 9, why }) as unknown as HintedMove;
const who = (seat: number): string => `Bo${seat}`;

test("reasons are told as the command line tells them, with the words of the game", async () => {
  await load("souk");
  await speak("en");
  const told = row(
    { why: "more", part: "harmony", points: 1.26 },
    { why: "less", part: "riches", points: 0.5 },
    { why: "less", part: "empty", points: 2 },
    { why: "denies", seat: 2, points: 3 },
    { why: "reply", line: { seat: 2, what: "all" }, share: 0.62 },
  );
  expect(tellWhy("souk", told, 0, module, who)).toBe(
    "Compared with the other moves, it brings 1.3 more from harmony and 0.5 less from riches, loses 2 more for empty places and leaves 3 less to Bo2. Often then (62 %): takes all.",
  );
  await speak("fr");
  expect(tellWhy("souk", row({ why: "more", part: "total", points: 1.2 }), 1, module, who)).toBe(
    "Comparé au premier choix, celui-ci rapporte 1,2 de plus.",
  );
  expect(tellWhy("souk", row(), 1, module, who)).toBe("");
});

test("a hint stays while others answer, and goes when its question is over or another", async () => {
  const view = { seat: 0, asked: "choose", turn: 1, waiting: [0, 1], legal: [{ do: "a" }, { do: "b" }], brings: [null, null] };
  const at = (more: object, log: object[] = []): object => ({ status: "running", hints: true, log, view: { ...view, ...more } });
  const now = new SvelteMap([["table", at({})]]);
  const hints = new Hints({ id: "t", seat: 0, get shown() { return now.get("table"); } } as unknown as Live);
  vi.spyOn(api, "hint").mockResolvedValue([row()]);
  await hints.ask();
  expect(hints.rows).toHaveLength(1);
  const shown = (table: object): HintedMove[] => (now.set("table", table), hints.rows);
  expect(shown(at({ waiting: [0] }, [{ do: "choose", seat: 1 }]))).toHaveLength(1);
  expect(shown(at({ waiting: [1] }))).toHaveLength(0);
  expect(shown(at({ turn: 2 }))).toHaveLength(0);
  expect(shown(at({ legal: view.legal.toReversed() }))).toHaveLength(0);
  expect(shown(at({}))).toHaveLength(1);
  hints.close();
  expect(hints.rows).toHaveLength(0);
});
