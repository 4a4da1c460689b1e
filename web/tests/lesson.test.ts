/** Lessons: moves that are asked for, others, and none of the lesson's; going back, skipping, and coming again. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Moment } from "../src/lib/film.svelte";
import { Lesson, progressOf, sameMove, type LessonData, type Step } from "../src/lib/lesson.svelte";
import { settings } from "../src/lib/settings.svelte";

const text = (en: string) => ({ en, fr: en });
const step = (more: Partial<Step>): Step => ({ text: text("read"), ask: null, lit: [], rules: [], patches: [], others: [], tries: [], ...more });
const first = { status: "running", you: 0, winners: null, view: { game: "g", seat: 0, legal: [{ do: "a", cards: [1, 2] }, { do: "b" }, { do: "c" }], brings: [null, null, null], n: 0 }, log: [] } as unknown as Moment;
const count = (lesson: Lesson): number => (lesson.moment.view as unknown as { n: number }).n;

const data: LessonData = {
  game: "g",
  lesson: "first",
  title: text("title"),
  scenes: [
    {
      box: "b", options: {}, players: 2, seat: 0, first, bots: "", guided: 0, record: null,
      steps: [
        step({}),
        step({
          ask: { do: "a", cards: [1, 2] },
          patches: [[[["view", "n"], 1]], [[["view", "n"], 2]]],
          others: [{ move: { do: "b" }, text: text("no"), patches: [[[["view", "n"], 9]]] }],
          tries: [{ text: text("may I"), move: { do: "d" }, rule: "G1", refusal: text("not so") }],
        }),
        step({}),
      ],
    },
  ],
};

const settled = async (lesson: Lesson): Promise<void> => {
  while (lesson.showing) await new Promise((done) => setTimeout(done));
};

describe("a lesson", () => {
  beforeEach(() => {
    localStorage.clear();
    settings.speed = "instant";
  });

  it("asks for a move, and shows all that follows", async () => {
    const lesson = new Lesson(data);
    expect(lesson.asks).toBe(false);
    lesson.next();
    expect([lesson.at, lesson.asks, count(lesson)]).toEqual([1, true, 0]);
    lesson.play({ cards: [2, 1], do: "a" });
    expect(lesson.asks).toBe(false);
    await settled(lesson);
    expect([lesson.at, count(lesson)]).toEqual([2, 2]);
    lesson.next();
    expect([lesson.over, progressOf("g", "first")]).toEqual([true, { step: 3, done: true }]);
  });

  it("carries out a move that teaches something, and takes it back", async () => {
    const lesson = new Lesson(data);
    lesson.next();
    lesson.play({ do: "b" });
    await settled(lesson);
    expect([lesson.erred?.en, count(lesson), lesson.asks]).toEqual(["no", 9, false]);
    lesson.back();
    expect([lesson.at, lesson.erred, count(lesson), lesson.asks]).toEqual([1, null, 0, true]);
  });

  it("does not make a move of which it says nothing, and cites the rule of a forbidden one", () => {
    const lesson = new Lesson(data);
    lesson.next();
    lesson.play({ do: "c" });
    expect([lesson.strayed, lesson.at, count(lesson)]).toEqual([{ do: "c" }, 1, 0]);
    lesson.try(lesson.step.tries[0]!);
    expect([lesson.strayed, lesson.tried?.rule]).toEqual([null, "G1"]);
  });

  it("goes back a step, skips what is being shown, and goes on where one left", () => {
    const lesson = new Lesson(data);
    lesson.next();
    lesson.next();
    expect(lesson.showing).toBe(true);
    lesson.next();
    expect([lesson.at, lesson.showing]).toEqual([2, false]);
    lesson.back();
    expect([lesson.at, count(lesson)]).toEqual([1, 0]);
    expect(new Lesson(data).at).toBe(1);
  });

  it("knows equal moves by their meaning", () => {
    expect(sameMove({ do: "a", cards: [1, 2] }, { cards: [2, 1], do: "a" })).toBe(true);
    expect(sameMove({ do: "a", cards: [1, 2] }, { do: "a", cards: [1] })).toBe(false);
  });
});
