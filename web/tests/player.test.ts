/** The seat of a bot says that it thinks, and why it plays below its level. */
import { cleanup, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FACES, faceOf, figure } from "../src/lib/faces";
import { nameOf } from "../src/lib/names";
import { LEVELS } from "../src/lib/new_table";
import type { TableView } from "../src/lib/types";
import Player from "../src/ui/Player.svelte";

const bot = { kind: "bot", name: "", face: "", level: "master", host: false, away: false, resigned: false, lowered: null };
const table = { table: "t", status: "running", you: null, pace: { kind: "free" }, counting: null, log: [], seats: [bot], view: { waiting: [0] } };

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** Show the seat, and wait for some time. */
async function shown(changes: object, ms: number): Promise<void> {
  const view = { ...table, ...changes } as unknown as TableView;
  render(Player, { table: view, seat: 0, now: () => 0 });
  await tick();
  vi.advanceTimersByTime(ms);
  await tick();
}

test("a bot that is asked thinks, but nobody says so within the first second", async () => {
  await shown({}, 999);
  expect(screen.queryByRole("status")).toBeNull();
  vi.advanceTimersByTime(1);
  await tick();
  expect(screen.getByRole("status").textContent).toBe("thinking…");
});

test.each([
  ["it is not asked", { view: { waiting: [] } }],
  ["the game is paused", { status: "paused" }],
  ["everybody waits for the clock", { counting: 1 }],
  ["a person sits there", { seats: [{ ...bot, kind: "person" }] }],
])("nobody is said to think when %s", async (_, changes) => {
  await shown(changes, 5000);
  expect(screen.queryByRole("status")).toBeNull();
});

test("the bot of somebody who is away thinks too", async () => {
  await shown({ seats: [{ ...bot, kind: "person", away: true }] }, 1000);
  expect(screen.getByRole("status")).toBeTruthy();
});

test("a seat says why its bot plays below its level", async () => {
  await shown({ seats: [{ ...bot, lowered: { level: "greedy", why: "failed" } }] }, 0);
  expect(screen.getByText("Plays at a glance: its program failed.")).toBeTruthy();
});

test.each(["a", "ZHR_cC1vGy8M", "another"])("no two bots of table %s have the same name or face", (id) => {
  for (const levels of [...LEVELS.map((level) => [level]), LEVELS.slice(0, 5), LEVELS.slice(2), ["novice", "greedy", "random", "merchant", "master"]]) {
    const seats = Array.from({ length: 5 }, (_, i) => ({ ...bot, level: levels[i % levels.length] }));
    const full = { ...table, table: id, seats } as unknown as TableView;
    expect(new Set(seats.map((_, i) => nameOf(full, i))).size).toBe(5);
    expect(new Set(seats.map((_, i) => faceOf(full, i))).size).toBe(5);
    // In a replay nobody thinks: bots are people there, and keep their faces.
    const replayed = { ...full, seats: seats.map((one, i) => ({ ...one, level: one.level!, kind: "person" as const, face: figure(full.table, i, one.level!) })) };
    expect(seats.map((_, i) => faceOf(replayed, i))).toEqual(seats.map((_, i) => faceOf(full, i)));
  }
});

test("a person has the face that was chosen, or one that follows from the name", () => {
  const seats = ["fur", ""].map((face) => ({ ...bot, kind: "person", name: "Ann", face }));
  const full = { ...table, seats } as unknown as TableView;
  expect(faceOf(full, 0)).toBe(FACES.fur);
  expect(Object.values(FACES)).toContain(faceOf(full, 1));
});

test("everybody sees that a program is one", () => {
  const seats = ["program", "fur"].map((face) => ({ ...bot, kind: "person", name: "Robbie", face }));
  const full = { ...table, seats } as unknown as TableView;
  expect(seats.map((_, i) => nameOf(full, i))).toEqual(["Robbie (bot)", "Robbie"]);
  expect(Object.values(FACES)).toContain(faceOf(full, 0));
});
