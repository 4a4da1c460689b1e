import { describe, expect, it } from "vitest";
import { divide } from "../src/games/samarkand/workshop/cells";
import {
  addSpace, fresh, frameOf, furnish, goodAt, join, leastFamilies, leastGoods, move, removeSpace, spaceOf, type Draft,
} from "../src/games/samarkand/workshop/draft"; // prettier-ignore
import { forLink, fromData, fromLink, toToml } from "../src/games/samarkand/workshop/files";
import { pack, unpack } from "../src/lib/packed";
import type { Point } from "../src/games/samarkand/types";

const named = (name: string) => ({ en: name, fr: name });
/** Families and goods as a full board has them. */
const FULL: Draft = {
  key: "full", name: named("Full"), players: null, cells: false, joins: {}, spaces: [],
  families: Array.from({ length: 10 }, (_, i) => ({ key: `f${i}`, name: named(`F${i}`), colour: "#123456", symbol: "cedar", start: "", dowry: 3 })),
  goods: Array.from({ length: 33 }, (_, i) => ({ key: `g${i}`, name: named(`G${i}`), space: "" })),
}; // prettier-ignore

const area = (ring: Point[]): number =>
  Math.abs(ring.reduce((sum, [x, y], i) => sum + x * ring[(i + 1) % ring.length]![1] - ring[(i + 1) % ring.length]![0] * y, 0)) / 2;
const inside = (ring: Point[], [x, y]: Point): boolean =>
  ring.every(([ax, ay], i) => (ring[(i + 1) % ring.length]![0] - ax) * (y - ay) - (ring[(i + 1) % ring.length]![1] - ay) * (x - ax) > 0);
const mutual = (draft: Draft): boolean =>
  draft.spaces.every(({ key, neighbours }) => neighbours.every((other) => spaceOf(draft, other)?.neighbours.includes(key)));

describe("cells", () => {
  it("divide the frame without gaps, each around its point", () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
    for (let round = 0; round < 20; round++) {
      const points = Array.from({ length: 2 + round * 4 }, (): Point => [10 + random() * 980, 10 + random() * 580]);
      const { outlines, near } = divide(points, [0, 0, 1000, 600]);
      expect(outlines.reduce((sum, ring) => sum + area(ring), 0)).toBeCloseTo(600_000, -3);
      outlines.forEach((ring, i) => expect(inside(ring, points[i]!)).toBe(true));
      near.forEach((others, i) => others.forEach((j) => expect(near[j]!.has(i)).toBe(true)));
    }
  });
});

describe("a draft", () => {
  for (const players of [2, 3, 4, 5])
    it(`from nothing for ${players} has what such a board needs`, () => {
      const draft = fresh(FULL, players);
      expect(draft.families).toHaveLength(players === 5 ? 10 : leastFamilies(players));
      expect(draft.goods).toHaveLength(players === 5 ? 33 : leastGoods(players));
      const used = [...draft.families.map(({ start }) => start), ...draft.goods.map(({ space }) => space)];
      expect(new Set(used).size).toBe(used.length);
      expect(used.every((key) => spaceOf(draft, key)?.kind === "land")).toBe(true);
      expect(mutual(draft)).toBe(true);
    });

  it("keeps its other borders when a space moves, and its frame", () => {
    const draft = fresh(FULL, 3);
    const one = draft.spaces[8]!;
    const moved = move(draft, one.key, [one.centre[0] + 30, one.centre[1] + 20]);
    expect(frameOf(moved)).toEqual(frameOf(draft));
    expect(spaceOf(moved, one.key)!.centre).toEqual([one.centre[0] + 30, one.centre[1] + 20].map((at) => Math.round(at * 10) / 10));
    expect(mutual(moved)).toBe(true);
    expect(move(draft, one.key, draft.spaces[9]!.centre)).toBe(draft);
  });

  it("remembers what was joined and separated by hand", () => {
    const draft = fresh(FULL, 3);
    const [a, b] = [draft.spaces[0]!.key, draft.spaces.at(-1)!.key];
    const beside = spaceOf(draft, a)!.neighbours[0]!;
    const changed = move(join(join(draft, a, b, true), a, beside, false), draft.spaces[12]!.key, [500, 300]);
    expect(spaceOf(changed, a)!.neighbours).toContain(b);
    expect(spaceOf(changed, b)!.neighbours).toContain(a);
    expect(spaceOf(changed, a)!.neighbours).not.toContain(beside);
  });

  it("keeps the neighbours of a drawn map when its outlines are cut for the first time", () => {
    const drawn = { ...join(fresh(FULL, 3), "place-1", "place-20", true), cells: false, joins: {} };
    const added = addSpace(drawn)!;
    expect(spaceOf(added.draft, "place-1")!.neighbours).toContain("place-20");
    expect(added.draft.spaces).toHaveLength(drawn.spaces.length + 1);
    expect(spaceOf(added.draft, added.key)!.neighbours.length).toBeGreaterThan(0);
  });

  it("gives up what was on a space that is removed", () => {
    const draft = fresh(FULL, 3);
    const home = draft.families[2]!.start;
    const without = removeSpace(draft, home);
    expect(without.families[2]!.start).toBe("");
    expect(without.spaces.some(({ neighbours }) => neighbours.includes(home))).toBe(false);
  });

  it("has one thing on a space", () => {
    const draft = fresh(FULL, 3);
    const at = draft.goods[4]!.space;
    const changed = furnish(draft, at, { family: "f1" });
    expect(changed.families[1]!.start).toBe(at);
    expect(goodAt(changed, at)).toBe(-1);
  });

  it("is the same again from a file's data and from a link", async () => {
    const draft = move(fresh(FULL, 3), "place-9", [400, 250]);
    expect(toToml(draft)).toContain("players = 3");
    const linked = fromLink(await unpack(await pack(forLink(draft))))!;
    expect(toToml(linked)).toBe(toToml(draft));
    const data = { ...draft, goods: draft.goods.map((good, i) => ({ ...good, number: i + 1 })) };
    expect(toToml(fromData(data))).toBe(toToml(draft));
    expect(fromLink({ spaces: "no" })).toBeNull();
    expect((await pack(forLink(draft))).length).toBeLessThan(6000);
  });

  it("takes any data for a draft without failing", () => {
    for (const data of [{}, { spaces: [1, null, {}] }, { families: [{}], goods: 7, name: 3, players: "x" }])
      expect(() => toToml(fromData(data))).not.toThrow();
  });
});
