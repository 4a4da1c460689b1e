import { render } from "@testing-library/svelte";
import { beforeAll, describe, expect, test } from "vitest";
import Brings from "../src/games/khiva/Brings.svelte";
import { best, Choosing } from "../src/games/khiva/choosing.svelte";
import { closer, counter, covered, distance, farther, overlap, plan, route, standing } from "../src/games/khiva/geometry";
import { bids, compare } from "../src/games/khiva/steps";
import type { Card, Carpet, KhivaBrings, KhivaSeat, KhivaView } from "../src/games/khiva/types";
import { bringsWords, outcome, placeWords, result, tell, tiebreak } from "../src/games/khiva/words";
import { load, speak } from "../src/lib/messages.svelte";

const who = (seat: number): string => ["Ann", "Bo", "Cem"][seat]!;

function seat(given: Partial<KhivaSeat> = {}): KhivaSeat {
  return { gems: 0, cards: 5, played: [], teapots: 0, delivered: 0, undelivered: [], salt: [], points: null, ...given };
}

function view(given: Partial<KhivaView> = {}): KhivaView {
  const home = (teapot: number) => ({ place: null, teapot });
  return {
    game: "khiva",
    seat: 0,
    players: 3,
    asked: "choose",
    waiting: [0, 1, 2],
    legal: [],
    brings: [],
    turn: 1,
    turns: 4,
    deal: 1,
    camel: null,
    camels: { white: home(4), blue: home(2), green: home(7), pink: home(7), black: home(5) },
    piles: { teapots: 17, carpets: 15, top_carpet: "green", salt: [10, 9, 8, 7, 6] },
    hand: ["white-5", "green-3", "green-5", "black-1", "black-3"],
    chosen: null,
    icons: [2, 2, 1, 1, 0],
    shop_gems: { "1": 1, "3": 2 },
    salt_price: 3,
    lands: null,
    reach: null,
    shown: [],
    discarded: [],
    seats: [seat(), seat(), seat()],
    ...given,
  };
}

beforeAll(async () => {
  await load("khiva");
  await speak("en");
});

describe("the oasis", () => {
  for (const players of [2, 3, 4, 5])
    for (const [width, height] of [[1280, 360], [820, 720], [390, 350], [360, 240]] as const)
      test(`camels and teapots stand apart with ${players} players in ${width}×${height}, and clear of the shops`, () => {
        const board = plan(players, 0, width, height);
        const camels = board.homes.map((home) => covered(home, board.spot));
        for (const [i, one] of camels.entries()) for (const other of camels.slice(i + 1)) expect(overlap(one, other)).toBe(false);
        for (const { x, y } of board.homes)
          for (const shop of board.arms.flatMap((arm) => arm.spots)) expect(distance({ x, y }, shop)).toBeGreaterThan(board.spot);
      });

  test("a small board is seen from close by, a large one whole", () => {
    const small = plan(4, 0, 360, 240);
    const points = [small.homes[0]!, small.arms[0]!.spots[0]!];
    const { scale, x, y } = closer(small, points)!;
    expect(scale).toBeGreaterThan(1.2);
    for (const point of points) {
      const box = covered(point, small.spot);
      expect(box.left).toBeGreaterThanOrEqual(x);
      expect(box.right).toBeLessThanOrEqual(x + 360 / scale);
      expect(box.top).toBeGreaterThanOrEqual(y);
      expect(box.bottom).toBeLessThanOrEqual(y + 240 / scale);
    }
    expect(closer(plan(4, 0, 1280, 420), points)).toBeNull();
    // Where less is in sight, the same board is seen whole, in the middle, from farther away.
    const sight = small.height * 0.8;
    const away = farther(small, sight)!;
    expect(away.scale * small.height).toBeCloseTo(sight);
    expect((small.width / 2 - away.x) * away.scale).toBeCloseTo(small.width / 2);
    expect(farther(small, small.height)).toBeNull();
    const low = closer(small, points, sight)!;
    expect(low.y + sight / low.scale).toBeLessThanOrEqual(small.height + 0.01);
  });
});

describe("a choice", () => {
  test("previews the card that is played, never the one that is given", () => {
    const choosing = new Choosing();
    expect(choosing.walking("white-5", 1)).toBe("white-5");
    choosing.touch("white-5", 1);
    expect(choosing.walking("green-3", 1)).toBe("white-5");
    choosing.touch("green-3", 1);
    expect(choosing.walking("green-3", 1)).toBe("white-5");
    choosing.put("white-5", null, 1);
    expect(choosing.walking("green-3", 1)).toBeUndefined();
    expect(choosing.walking("black-1", 1)).toBe("black-1");
  });

  test("begins with the move that brings most, the cheapest of them", () => {
    const legal = [0, 1, 2].map((gems) => ({ do: "move", camel: "blue", gems }));
    expect(best(view({ legal, brings: [{ points: 1 }, { points: 3 }, { points: 3 }] }))).toBe(1);
    expect(best(view({ legal, brings: [{}, { points: -1 }, null] }))).toBe(0);
  });
});

describe("the board", () => {
  const rooms = [
    [1000, 460],
    [360, 210],
    [360, 380],
    [430, 180],
    [1400, 500],
  ] as const;
  for (const players of [2, 3, 4, 5])
    for (const [width, height] of rooms)
      test(`${players} paths in ${width}×${height} lie on the board and never on each other`, () => {
        const board = plan(players, 0, width, height);
        const spots = board.arms.flatMap((arm) => arm.spots);
        expect(spots).toHaveLength(players * 5);
        for (const { x, y } of spots) {
          expect(x).toBeGreaterThan(board.spot);
          expect(x).toBeLessThan(width - board.spot);
          expect(y).toBeGreaterThan(board.spot);
          expect(y).toBeLessThan(height - board.spot);
        }
        for (const one of spots) for (const other of spots) if (one !== other) expect(distance(one, other)).toBeGreaterThan(board.spot * 1.4);
      });

  test("my counter lies before me, the next player's to my left", () => {
    const board = plan(4, 2, 800, 600);
    expect(counter(board, 2).x).toBeCloseTo(400);
    expect(counter(board, 2).y).toBeGreaterThan(450);
    expect(counter(board, 3).x).toBeLessThan(150);
  });

  test("a camel goes back to the oasis before it takes the mover's path (K6)", () => {
    const board = plan(3, 0, 800, 600);
    const way = route(board, 0, [1, 2], 0, [0, 1]);
    expect(way[0]).toEqual(standing(board, 0, [1, 2]));
    expect(way).toContain(board.arms[1]!.spots[0]);
    expect(way).toContain(board.arms[1]!.gate);
    expect(way).toContain(board.arms[0]!.gate);
    expect(way.at(-1)).toEqual(standing(board, 0, [0, 1]));
  });

  test("on the mover's own path it walks outwards to the counter", () => {
    const board = plan(3, 0, 800, 600);
    const way = route(board, 0, [0, 3], 0, null);
    expect(way).not.toContain(board.arms[0]!.gate);
    expect(way.at(-1)).toEqual(counter(board, 0));
  });

  test("a short walk may end on somebody else's path", () => {
    const board = plan(3, 0, 800, 600);
    expect(route(board, 0, [1, 4], 0, [1, 3]).at(-1)).toEqual(standing(board, 0, [1, 3]));
  });
});

describe("choosing cards", () => {
  const [a, b, c, d, e]: Card[] = ["white-1", "blue-2", "green-3", "pink-4", "black-5"];

  test("the first card touched is played, the second given; a second touch takes it back", () => {
    const choosing = new Choosing();
    choosing.touch(a!, 1);
    choosing.touch(b!, 1);
    expect([choosing.play, choosing.give]).toEqual([[a], [b]]);
    expect(choosing.full(1)).toBe(true);
    choosing.touch(a!, 1);
    choosing.touch(c!, 1);
    expect([choosing.play, choosing.give]).toEqual([[c], [b]]);
    choosing.swap();
    expect([choosing.play, choosing.give]).toEqual([[b], [c]]);
  });

  test("with two players two are played and two given, and the eldest makes room", () => {
    const choosing = new Choosing();
    for (const card of [a!, b!, c!]) choosing.touch(card, 2);
    expect([choosing.play, choosing.give]).toEqual([[a, b], [c]]);
    choosing.put(d!, "play", 2);
    choosing.put(e!, "give", 2);
    expect(choosing.move(view({ hand: [a!, b!, c!, d!, e!] }))).toEqual({ do: "choose", play: [b, d], give: [c, e] });
  });
});

describe("what a step did", () => {
  test("a camel that comes to the counter leaves its teapot and takes the carpets of its colour (K9)", () => {
    const before = view({ asked: "move", camel: "white", seats: [seat({ undelivered: [["white", 5], ["blue", 3]] }), seat(), seat()] });
    const after = view({
      camels: { ...before.camels, white: { place: null, teapot: 6 } },
      seats: [seat({ teapots: 1, delivered: 1, undelivered: [["blue", 3]] }), seat(), seat()],
    });
    const step = compare(before, after, [{ seat: 0, do: "move", camel: "white", gems: 0 }]);
    expect(step.walk).toEqual({ camel: "white", seat: 0, from: null, to: null, teapot: 4 });
    expect(step.gains.map((gain) => [gain.kind, gain.text])).toEqual([
      ["teapot", "+4"],
      ["carpet", "+5"],
    ]);
    expect(step.changes[0]).toEqual({ teapots: 1, delivered: 1, undelivered: -1 });
  });

  test("what was taken at shop 4 is shown there (K8)", () => {
    const before = view({ asked: "take", camel: "pink", seats: [seat({ gems: 4 }), seat(), seat()] });
    before.camels.pink = { place: [0, 4], teapot: 7 };
    const after = view({ camels: before.camels, seats: [seat({ gems: 1, salt: [10] }), seat(), seat()] });
    const { gains } = compare(before, after, [{ seat: 0, do: "take", what: "salt" }]);
    expect(gains).toEqual([{ seat: 0, place: [0, 4], kind: "sack", text: "10" }]);
  });

  test("the lowest card moves the camel, all others are paid (K4)", () => {
    const log = [
      { do: "choose", seat: 0, play: ["white-4"], give: 1 },
      { do: "choose", seat: 1, play: ["white-2"], give: 1 },
      { do: "choose", seat: 2, play: ["pink-1"], give: 1 },
    ];
    const shown = bids(view({ asked: "move", camel: "white" }), log);
    expect(shown.white.map((bid) => [bid.seat, bid.moves])).toEqual([
      [1, true],
      [0, false],
    ]);
    expect(shown.blue).toEqual([]);
  });
});

describe("what a move brings, drawn", () => {
  const drawn = (brings: KhivaBrings): string[] => {
    const { container, unmount } = render(Brings, { brings });
    const found = [...container.querySelectorAll("use")].map((use) => use.getAttribute("href")!.replace("#kv-", ""));
    unmount();
    return found;
  };

  test("is what the house says of it", () => {
    expect(drawn({ gets: [[2, "gem"]] })).toEqual(["gem", "gem"]);
    expect(drawn({ gets: [[1, "teapot"]], teapot: 6 })).toEqual(["teapot"]);
    expect(drawn({ carpet: "pink", salt: 8, open: ["salt", "carpet"] })).toEqual(["sack", "carpet"]);
    expect(drawn({})).toEqual([]);
  });
});

describe("words", () => {
  test("places and what they bring", () => {
    expect(placeWords([1, 2], 0, who)).toBe("Bo’s shop 2");
    expect(placeWords(null, 0, who)).toBe("your counter");
    const home = { place: null, gets: [[1, "teapot"], [1, "delivery"]] as [number, string][], points: 9, teapot: 4, delivers: [["white", 5]] as Carpet[] };
    expect(bringsWords(home, 3)).toBe("the teapot worth 4 and delivery of white carpet 5");
    expect(bringsWords({ place: [0, 1], gets: [[1, "gem"]], points: 1 }, 3)).toBe("1 gem");
    expect(bringsWords({ place: [0, 4], carpet: "green", salt: 10, open: ["salt", "carpet"] }, 3)).toBe("salt worth 10 for 3 gems or the top carpet (green)");
    expect(bringsWords({ place: [0, 4], carpet: "green", open: ["carpet"] }, 3)).toBe("the top carpet (green)");
    expect(bringsWords({ place: [0, 2], gets: [[1, "carpet"]] }, 3)).toBe("the top carpet (covered)");
    expect(bringsWords({ place: [0, 2] }, 3)).toBe("nothing to take");
  });

  test("lines of the log, also where cards are not to be known", () => {
    expect(tell({ do: "choose", seat: 1, play: ["white-4"], give: 1 as never }, who)).toBe("Bo plays white 4 and gives 1 card to the left.");
    expect(tell({ do: "move", seat: 0, camel: "pink", gems: 2 }, who)).toBe("Ann moves the pink camel and spends 2 gems.");
    expect(tell({ do: "take", what: "salt" }, who)).toBe("buy the top sack of salt");
    expect(tell({ chance: "deal" }, who)).toBe("The cards are shuffled and dealt.");
  });

  test("the log says where a camel went and what it brought", () => {
    const went = (brings: KhivaBrings) => outcome({ do: "move", seat: 0, camel: "pink", brings }, who);
    const bought: KhivaBrings = { salt: 10, pays: [[3, "gem"]] };
    expect(went({ place: [1, 3], gets: [[2, "gem"]] })).toMatch(/Bo’s shop 3.*2 gems/);
    expect(went({ place: null, gets: [[1, "teapot"]], teapot: 6 })).toMatch(/Ann.*teapot worth 6/);
    expect(went({ place: [0, 4], carpet: "green", salt: 10, open: ["salt", "carpet"] })).toMatch(/shop 4/);
    expect(outcome({ do: "take", seat: 0, what: "salt", brings: bought }, who)).toBe("salt worth 10 for 3 gems");
    expect(outcome({ do: "choose", seat: 0 }, who)).toBe("");
  });

  test("the result is broken down when the game is over (K15)", () => {
    expect(result(view())).toBeNull();
    const over = view({
      asked: "over",
      seats: [
        seat({
          points: 25,
          score: { total: 25, teapots: 11, carpets: 3, salt: 9, gems: 2 },
          tally: [
            { part: "teapots", points: 4 },
            { part: "teapots", points: 7 },
            { part: "carpets", points: 3, colour: "pink", value: 3 },
            { part: "carpets", points: 0, colour: "blue", value: 5 },
            { part: "salt", points: 9 },
            { part: "gems", points: 2 },
          ],
        }),
      ],
    });
    const [ann] = result(over)!;
    expect(ann!.total).toBe(25);
    expect(Object.fromEntries(ann!.parts.map((part) => [part.key, part.value]))).toEqual({ teapots: 11, carpets: 3, salt: 9, gems: 2 });
    expect(ann!.parts.map((part) => part.from.length)).toEqual([2, 2, 1, 1]);
  });

  test("the tie-break that decided is named (K16)", () => {
    const tied = (one: number[], other: number[]) =>
      view({ asked: "over", seats: [seat({ teapots: one, salt: [9, 4] }), seat({ teapots: other, salt: [10] })] });
    expect(tiebreak.why(tied([1, 2], [3]), 0, 1)).toBe("More teapots: 2 to 1.");
    expect(tiebreak.why(tied([3], [3]), 1, 0)).toBe("The more valuable sack of salt: 10 to 9.");
  });
});
