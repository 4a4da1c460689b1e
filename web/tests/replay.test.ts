import { afterEach, describe, expect, test, vi } from "vitest";
import { around, Film } from "../src/lib/film.svelte";
import { turningPoints } from "../src/lib/turning";
import { fromLink, toLink, tree, Variations, type Variation } from "../src/lib/variations.svelte";

describe("turning points", () => {
  test("are the largest swings between turns, in the order of the game", () => {
    const points = [[0, 0], [1, 0], [1, 9], [2, 9], [20, 9], [20, 10]];
    expect(turningPoints(points, [0, 1, 2, 3, 4, 5], 2)).toEqual([
      { at: 2, seat: 1, gain: 9 },
      { at: 4, seat: 0, gain: 18 },
    ]);
  });

  test("count what happened in the whole turn", () => {
    expect(turningPoints([[0, 0], [3, 0], [7, 0]], [0, 2])).toEqual([{ at: 2, seat: 0, gain: 7 }]);
  });

  test("are none where nobody gains, or nothing is known", () => {
    expect(turningPoints([[0, 0], [2, 2]], [0, 1])).toEqual([]);
    expect(turningPoints([], [0, 3])).toEqual([]);
  });
});

describe("a film", () => {
  afterEach(() => vi.unstubAllGlobals());

  /** A house with a game of some lines, in which each line adds one to the turn. */
  function house(lines: number): number[] {
    const asked: number[] = [];
    vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
      const { at, to, seat } = JSON.parse(body) as { at: number; to: number; seat: number | null };
      asked.push(at);
      const last = Math.min(to, lines);
      const first = { status: "running", you: seat, winners: null, view: { turn: at }, log: Array.from({ length: at }, (_, n) => ({ n })) };
      const patches = Array.from({ length: last - at }, (_, i) => [[["view", "turn"], at + i + 1], [["log", at + i], [{ n: at + i }], "rest"]]);
      const points = Array.from({ length: last - at + 1 }, (_, i) => [at + i, 0]);
      const head = { game: "well", version: 1, box: "well", options: {}, players: 2, lines, read: Array.from({ length: lines }, (_, n) => n + 1) };
      return Promise.resolve(new Response(JSON.stringify({ ...head, at, first, patches, points, moves: null, lowered: "" })));
    });
    return asked;
  }

  test("fetches each chunk once, the moment that is wanted first, and then knows every moment", async () => {
    const asked = house(150);
    const film = new Film({ table: "t" });
    await film.all(1, 100);
    await film.all(1, 100);
    expect(asked).toEqual([96, 144, 0, 24, 48, 72, 120]);
    for (const at of [0, 23, 24, 100, 150]) {
      expect(film.moment(1, at)!.view).toEqual({ turn: at });
      expect(film.moment(1, at)!.log).toHaveLength(at);
    }
    expect(film.moment(0, 100)).toBeUndefined();
    expect(film.points).toHaveLength(151);
    expect(film.log(1)).toHaveLength(150);
  });

  test("fetches a moment that somebody waits for alone, unless it is on its way", async () => {
    const asked = house(150);
    const film = new Film({ table: "t" });
    await film.only(1, 100);
    expect(film.moment(1, 100)!.view).toEqual({ turn: 100 });
    expect(film.moment(1, 101)).toBeUndefined();
    void film.load(1, 100);
    await film.only(1, 101);
    expect(film.moment(1, 101)!.view).toEqual({ turn: 101 });
    expect(asked).toEqual([100, 96]);
  });

  test("of a record has its names, or numbers", () => {
    const head = { game: "well", box: "well", options: {}, players: 3 };
    expect(around(head, { names: ["Ann", "Bo", 7] }).seats.map(({ name }) => name)).toEqual(["Ann", "Bo", "Seat 3"]);
    expect(around(head, {}).seats.map(({ name }) => name)).toEqual(["Seat 1", "Seat 2", "Seat 3"]);
  });
});

describe("variations", () => {
  const one = (id: string, at: number, parent: string | null = null): Variation => ({ id, name: id, at, seat: 0, bots: "greedy", seed: 1, moves: [{ seat: 0, do: id }], parent });

  test("are a tree in the order of the game", () => {
    const all = [one("late", 9), one("early", 3), one("other", 9, "late"), one("deep", 9, "other"), one("lost", 5, "gone")];
    expect(tree(all).map(({ one: { id }, depth }) => `${depth} ${id}`)).toEqual(["0 early", "0 lost", "0 late", "1 other", "2 deep"]);
  });

  test("are kept in this browser, and what branches off from a deleted one stays", () => {
    localStorage.clear();
    const kept = new Variations("t");
    for (const each of [one("a", 1), one("b", 1, "a"), one("c", 1, "b")]) kept.keep(each);
    kept.keep({ ...one("a", 1), name: "renamed" });
    kept.forget(one("b", 1, "a"));
    const again = new Variations("t").all;
    expect(again.map(({ id, name, parent }) => [id, name, parent])).toEqual([["a", "renamed", null], ["c", "c", "a"]]);
    expect(new Variations("other").all).toEqual([]);
  });

  test("go through a link", async () => {
    const variation = { ...one("x", 7), name: "Été – « et si » ?" };
    const hash = await toLink({ variation });
    expect(hash).toMatch(/^v=[\w-]+$/);
    const found = await fromLink(`#${hash!}`);
    expect(found?.variation).toEqual({ ...variation, id: expect.any(String) as string, parent: null });
    expect(found?.record).toBeUndefined();
    const record = { game: "well", moves: [{ seat: 0, do: "lead" }] };
    expect((await fromLink((await toLink({ variation, record }))!))?.record).toEqual(record);
  });

  test("that are none, or too long, are no links", async () => {
    for (const bad of ["", "#", "#v=", "#v=xyz", "#v=%%%", "#at=3"]) expect(await fromLink(bad)).toBeNull();
    const noise = Array.from({ length: 9000 }, (_, i) => ((i * 7919) ** 3).toString(36));
    expect(await toLink({ variation: one("x", 1), record: { noise } })).toBeNull();
  });
});
