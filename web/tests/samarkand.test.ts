/** What a move would bring as text; the last turns; and the camera, which never loses the map. */
import { render } from "@testing-library/svelte";
import { beforeAll, expect, test } from "vitest";
import Brings from "../src/games/samarkand/Brings.svelte";
import { fit, held, lettering, nearest, opening, showing, zoomed } from "../src/games/samarkand/camera";
import { cardAt, fan, step } from "../src/games/samarkand/fan";
import { meetings } from "../src/games/samarkand/meeting";
import { lastTurns } from "../src/games/samarkand/turns";
import type { Brought, View } from "../src/games/samarkand/types";
import { outcome, placesOf, summary } from "../src/games/samarkand/words";
import { load, speak } from "../src/lib/messages.svelte";

const who = (seat: number): string => ["Ann", "Bo", "Cem"][seat]!;

beforeAll(async () => {
  await speak("en");
  await load("samarkand");
});

test.each<[string, Brought, string[]]>([
  ["nothing", {}, ["brings nothing at once"]],
  ["a marker and a card", { points: 5, good: 16, gets: [[1, "goods"]], cards: 4, open: ["sale"] }, ["marker 16", "your cards +4", "you may sell the card", "+5 points now"]],
  [
    "a meeting",
    { points: 5, meets: "persia", gets: [[2, "relation"], [3, "dirham"]], others: [[2, 1, "dirham"]], ends: true },
    ["meets persia: 2 relationship markers", "+3 dirhams", "Cem +1 dirham", "ends the game after this turn", "+5 points now"],
  ],
  ["a marriage", { points: -2, pays: [[5, "dirham"]], gets: [[3, "card"]], cards: 3, open: ["draw"] }, ["you pay 5 dirhams", "you draw 3 cards", "your cards +3"]],
])("%s is told as the house says it", (_, brought, lines) => {
  const { container, unmount } = render(Brings, { brought, who });
  expect([...container.querySelectorAll("li")].map((line) => line.textContent.trim())).toEqual(lines);
  unmount();
});

test("a line of the log says what a move brought, and to whom", () => {
  const told = (line: object, brings: Brought) => outcome({ seat: 0, ...line, brings }, who);
  expect(told({ do: "marry", family: "egypt" }, { pays: [[3, "dirham"]], gets: [[2, "card"]] })).toBe("pays 3 dirhams, draws 2 cards");
  expect(told({ do: "place", family: "egypt", space: "petra" }, { good: 9, gets: [[1, "goods"]] })).toContain("9");
  const met = told({ do: "place", family: "egypt", space: "petra" }, { meets: "persia", gets: [[2, "relation"], [3, "dirham"]], others: [[2, 1, "dirham"]] });
  for (const part of ["egypt", "persia", "Ann +3 dirhams", "Cem +1 dirham", "2 relationship markers"]) expect(met).toContain(part);
});

test("a screen reader says it in one sentence", () => {
  expect(summary({}, who)).toBe("brings nothing at once.");
  expect(summary({ good: 4, meets: "egypt", gets: [[1, "relation"]], others: [[1, 3, "dirham"]], cards: 1 }, who)).toBe(
    "marker 4, meets egypt: 1 relationship marker, Bo +3 dirhams, your cards +1.",
  );
});

test("the last turn of each player is both camels, whoever sells in between", () => {
  const log = [
    { seat: 0, do: "place", family: "levant", space: "tyre" },
    { seat: 1, do: "marry", family: "egypt" },
    { seat: 1, do: "discard", cards: 1 },
    { seat: 0, do: "place", family: "levant", space: "tarsus" },
    { seat: 1, do: "sell", good: 8 },
    { seat: 0, do: "place", family: "levant", space: "edessa" },
  ];
  const turns = lastTurns(log);
  expect(turns.get(0)!.spaces.map((one) => one.space)).toEqual(["tarsus", "edessa"]);
  expect(turns.get(1)).toEqual({ seat: 1, spaces: [], married: "egypt" });
  expect(turns.has(2)).toBe(false);
});

const map = { width: 1028, height: 652 };
const desk = { width: 1000, height: 500 };
const phone = { width: 360, height: 330 };

test("a fitted map is seen whole, in the middle", () => {
  const camera = fit(map, desk);
  expect(camera.k).toBeCloseTo(500 / 652);
  expect(camera.x * 2 + map.width * camera.k).toBeCloseTo(1000);
});

test("an upright phone begins so near that numbers can be read, whatever is left of its height", () => {
  for (const window of [phone, { width: 360, height: 180 }, { width: 390, height: 520 }]) {
    const camera = opening(map, window);
    expect(camera.k).toBeGreaterThanOrEqual(0.8);
    expect(lettering(15.2, 19, camera.k, 12)).not.toBe(null);
  }
  expect(opening(map, desk)).toEqual(fit(map, desk));
});

test("letters grow as the screen needs it, and are left out before they are too small", () => {
  expect(lettering(15, 19, 1, 11)).toBe(15);
  expect(lettering(15, 19, 0.65, 12)! * 0.65).toBeGreaterThanOrEqual(12);
  expect(lettering(15, 19, 0.5, 12)).toBe(null);
});

test("a look at much of the map keeps its size on a phone", () => {
  const box = { x0: 0, y0: 0, x1: 1000, y1: 600 };
  const before = opening(map, phone);
  expect(showing(before, box, map, phone, true).k).toBe(before.k);
  expect(showing(before, box, map, phone).k).toBeLessThan(before.k);
});

const CARD = 86;
test.each([[11, 336], [11, 780], [10, 362], [2, 336], [1, 336], [0, 336]])("a fan of %i cards is whole in %i pixels", (count, width) => {
  for (const open of [null, ...Array(count).keys()]) {
    const lefts = fan(count, width, CARD, open);
    expect(lefts).toHaveLength(count);
    for (const [i, left] of lefts.entries()) {
      expect(left + CARD).toBeLessThanOrEqual(width + 0.01);
      if (i) expect(left - lefts[i - 1]!).toBeGreaterThan(17);
    }
    if (open !== null && open < count - 1) expect(lefts[open + 1]! - lefts[open]!).toBeGreaterThan(CARD - 0.01);
  }
});

test("the card under the finger is the one whose corner is there, and it stays there when it opens", () => {
  const far = step(11, 336, CARD);
  for (let i = 0; i < 11; i++) {
    expect(cardAt(i * far + 10, 11, 336, CARD)).toBe(i);
    const left = fan(11, 336, CARD, i)[i]!;
    expect([left <= i * far + 10, left + CARD > i * far + 10]).toEqual([true, true]);
  }
});

test("families meet once, and everybody's coins are counted", () => {
  const view = (partners: string[], dirhams: (number | null)[], relations: number, here: string[]): View =>
    ({
      board: "oasis", camels: { yazd: here }, families: { egypt: { partners }, persia: { partners: [] } },
      seats: dirhams.map((n, i) => ({ dirhams: n, relations: i ? 0 : relations })),
    }) as unknown as View;
  const before = view([], [2, 5, null], 0, ["persia"]);
  const now = view(["persia"], [5, 6, null], 2, ["persia", "egypt"]);
  const news = [{ seat: 0, do: "place", family: "egypt", space: "yazd" }];
  expect(meetings(before, now, news)).toEqual([{ space: "yazd", families: ["egypt", "persia"], seat: 0, relations: 2, coins: [[0, 3], [1, 1]] }]);
  expect(meetings(now, now, news)).toEqual([]);
  expect(meetings(null, now, news)).toEqual([]);
});

test("the point under the finger stays where it is", () => {
  const before = fit(map, desk);
  const at = { x: 420, y: 200 };
  const after = zoomed(before, 3, at, map, desk);
  expect((at.x - after.x) / after.k).toBeCloseTo((at.x - before.x) / before.k);
  expect((at.y - after.y) / after.k).toBeCloseTo((at.y - before.y) / before.k);
});

test.each([
  [{ x: 9999, y: -9999, k: 2 }],
  [{ x: 0, y: 0, k: 0.001 }],
  [{ x: -5000, y: 300, k: 900 }],
])("no camera loses the map", (wild) => {
  const { x, y, k } = held(wild, map, phone);
  const least = fit(map, phone).k;
  expect(k).toBeGreaterThanOrEqual(least);
  for (const [at, length, room] of [[x, map.width * k, phone.width], [y, map.height * k, phone.height]] as const) {
    if (length > room) expect([at <= 0, at + length >= room]).toEqual([true, true]);
    else expect(at).toBeCloseTo((room - length) / 2);
  }
});

test("what is chosen comes into sight, and nothing moves when it is in sight already", () => {
  const camera = zoomed(fit(map, phone), 4, { x: 0, y: 0 }, map, phone);
  const box = { x0: 800, y0: 400, x1: 900, y1: 500 };
  const found = showing(camera, box, map, phone);
  expect(found).not.toEqual(camera);
  expect(found.x + box.x0 * found.k).toBeGreaterThanOrEqual(0);
  expect(found.x + box.x1 * found.k).toBeLessThanOrEqual(phone.width);
  expect(showing(found, box, map, phone)).toBe(found);
});

test("arrow keys go to the nearest space in their direction", () => {
  const here = { centre: [0, 0] as [number, number] };
  const right = { centre: [10, 3] as [number, number] };
  const far = { centre: [40, 0] as [number, number] };
  const above = { centre: [1, -8] as [number, number] };
  const all = [here, right, far, above];
  expect(nearest(here, all, 1, 0)).toBe(right);
  expect(nearest(here, all, 0, -1)).toBe(above);
  expect(nearest(here, all, -1, 0)).toBe(null);
});

test("cards that were discarded are lit where they are known, and nobody's number of cards is taken for a card", () => {
  expect(placesOf({ do: "discard", seat: 0, cards: [7, 20] })).toEqual(['.card[data-good="7"]', '.card[data-good="20"]', ".piles"]);
  expect(placesOf({ do: "discard", seat: 1, cards: 3 })).toEqual([".piles"]);
  expect(placesOf({ do: "sell", seat: 0, good: 9 })).toEqual(['.card[data-good="9"]', ".piles"]);
});
