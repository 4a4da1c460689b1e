import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** The module as a new page has it: what was kept is read when it loads. */
async function page(): Promise<typeof import("../src/lib/puzzles.svelte")> {
  vi.resetModules();
  return import("../src/lib/puzzles.svelte");
}
const on = (day: string): void => void vi.setSystemTime(new Date(`${day}T10:00:00Z`));

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ toFake: ["Date"] });
  on("2026-11-17");
});
afterEach(() => void vi.useRealTimers());

test("only the first answer to a puzzle counts, and it is kept", async () => {
  const { progress } = await page();
  progress.answer("khiva", "a1", 1300, false, false);
  progress.answer("khiva", "a1", 1300, true, false);
  progress.answer("khiva", "a2", 1300, true, false);
  progress.answer("souk", "a1", 1300, true, false);
  const again = (await page()).progress;
  expect([again.tried("khiva", "a1"), again.tried("khiva", "a2"), again.tried("khiva", "a3")]).toEqual([false, true, undefined]);
  expect([again.solved("khiva"), again.solved("souk"), again.run, again.best]).toEqual([1, 1, 2, 2]);
});

test("days in a row are those with a solved puzzle of the day, and end with a day that was missed", async () => {
  const { progress } = await page();
  progress.answer("khiva", "d1", 1300, true, true);
  progress.answer("souk", "d1", 1300, true, true);
  expect(progress.days).toBe(1);
  on("2026-11-18");
  expect(progress.days).toBe(1);
  progress.answer("khiva", "t1", 1300, true, false);
  progress.answer("khiva", "d2", 1300, false, true);
  expect(progress.days).toBe(1);
  progress.answer("souk", "d2", 1300, true, true);
  expect(progress.days).toBe(2);
  on("2026-11-20");
  expect(progress.days).toBe(0);
  progress.answer("khiva", "d4", 1300, true, true);
  expect(progress.days).toBe(1);
});

test("a rating rises with right answers, more for hard puzzles, and settles", async () => {
  const { rated } = await page();
  expect(rated(1200, 1500, true, 0)).toBeGreaterThan(rated(1200, 1200, true, 0));
  expect(rated(1200, 1500, true, 0)).toBeGreaterThan(rated(1200, 1500, true, 40));
  expect(rated(1200, 1200, false, 0)).toBeLessThan(1200);
  expect(rated(1200, 1200, true, 0) - 1200).toBe(1200 - rated(1200, 1200, false, 0));
});

test("training goes on with the puzzle nearest to one's rating that was not tried", async () => {
  const { following, progress } = await page();
  const puzzles = [1000, 1210, 1250, 1600].map((rating) => ({ id: `p${rating}`, rating }));
  expect(following("khiva", puzzles)?.id).toBe("p1210");
  expect(following("khiva", puzzles, "p1210")?.id).toBe("p1250");
  for (const { id, rating } of puzzles.slice(0, 3)) progress.answer("khiva", id, rating, false, false);
  expect(following("khiva", puzzles)?.id).toBe("p1600");
  progress.answer("khiva", "p1600", 1600, true, false);
  expect(following("khiva", puzzles)).toBeUndefined();
});

test("what was tried on another device is read back: answers, rating, streak", async () => {
  const at = (day: string): number => Date.parse(`${day}T09:00:00Z`);
  const there = [
    { game: "khiva", puzzle: "d2", right: true, rating: 1400, daily: true, at: at("2026-11-17") },
    { game: "khiva", puzzle: "d1", right: true, rating: 1300, daily: true, at: at("2026-11-16") },
    { game: "khiva", puzzle: "t1", right: false, rating: 1300, daily: false, at: at("2026-11-15") },
  ];
  const answers: Record<string, unknown> = { "/api/me": { name: "Ann", face: "", lang: "en" }, "/api/me/puzzles": there };
  vi.stubGlobal("fetch", (url: string) => Promise.resolve(new Response(JSON.stringify(answers[url]), { status: 200 })));
  const { progress, rated } = await page();
  progress.answer("khiva", "d1", 1300, false, true);
  progress.answer("souk", "s1", 1200, true, false);
  await progress.read();
  expect([progress.tried("khiva", "t1"), progress.tried("khiva", "d1"), progress.tried("souk", "s1")]).toEqual([false, true, true]);
  expect([progress.days, progress.run, progress.best]).toEqual([2, 3, 3]);
  expect(progress.rating("khiva")).toBe(rated(rated(rated(1200, 1300, false, 0), 1300, true, 1), 1400, true, 2));
  expect((await page()).progress.tried("khiva", "d2")).toBe(true);
  progress.forget();
  expect((await page()).progress.tried("khiva", "d2")).toBeUndefined();
  vi.unstubAllGlobals();
});
