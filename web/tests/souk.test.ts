import { readFileSync } from "node:fs";
import { render } from "@testing-library/svelte";
import { beforeAll, describe, expect, it } from "vitest";
import Preview from "../src/games/souk/Preview.svelte";
import { overRounds, remembered, scenes } from "../src/games/souk/scenes";
import { bringing, gain, type Bringing, type SoukView } from "../src/games/souk/types";
import { outcome } from "../src/games/souk/words";
import { load, speak } from "../src/lib/messages.svelte";
import type { Line } from "../src/lib/types";

interface Settled {
  before: SoukView;
  after: SoukView;
  lines: Line[];
  truth: { able: number[]; bought: number[] };
}
const made = JSON.parse(readFileSync("tests/fixtures/souk.json", "utf8")) as { settled: Settled[] };

const jewels: Bringing = {
  item: ["jewels", 7],
  points: 5,
  pays: [[4, "dirham"]],
  gets: [[1, "goods"]],
  parts: { presents: [0, 7], harmony: [1, 1], empty: [-4, -6] },
  open: ["dispute", "riches"],
};
const camel: Bringing = { item: "camel", points: -6, pays: [[4, "dirham"]], parts: { presents: [0, 0], harmony: [1, 1], empty: [0, -6] } };

beforeAll(async () => {
  await speak("en");
  await load("souk");
});

describe("what an item would bring", () => {
  const view = made.settled[0]!.before;
  const naming = { ...view, legal: [{ do: "name", item: "camel" }, { do: "name", item: ["jewels", 7] }], brings: [camel, jewels] };
  const counting = { ...view, legal: [{ do: "stop" }, { do: "wait" }], brings: [{ items: [camel, jewels] }, null] };

  it("is what the house says, of a name as of a stop", () => {
    for (const here of [naming, counting]) {
      expect(bringing(here, ["jewels", 7])).toBe(jewels);
      expect(bringing(here, "camel")).toBe(camel);
      expect(bringing(here, ["fruit", 1])).toBeNull();
    }
  });

  it("is a gain or a loss of points, or neither where nothing is bought", () => {
    expect([gain(jewels), gain(camel), gain({ fine: true })]).toEqual([5, -6, null]);
  });

  it("is previewed with what is left in the purse", async () => {
    const { container, rerender } = render(Preview, { item: ["jewels", 7], brings: jewels, dirhams: 9, capacity: 0 });
    const text = () => container.textContent.replaceAll(/\s+/g, " ");
    for (const part of ["worth +5 points", "Presents 0 → 7", "Empty places −4 → −6", "you would keep 5 dirhams", "dispute"]) expect(text()).toContain(part);
    await rerender({ brings: { fine: true, pays: [[1, "dirham"]] } });
    expect(text()).toContain("a fine of 1 dirham");
  });
});

describe("scenes of stops", () => {
  it("say who bought, who could not pay and what was disputed, as it really was", () => {
    const seen = new Set<string>();
    for (const { before, after, lines, truth } of made.settled) {
      const [scene, ...more] = scenes(before, after, lines);
      expect(more).toEqual([]);
      expect(scene!.stops).toEqual(before.stopped);
      const deals = scene!.deals;
      for (const deal of deals) {
        seen.add(deal.outcome);
        const able = deal.names.filter((seat) => truth.able.includes(seat));
        const bought = deal.names.filter((seat) => truth.bought.includes(seat));
        const hidden = before.seats.some((place) => place.goods === null);
        if (!hidden || deal.outcome !== "unknown") expect(deal.buyer === null ? [] : [deal.buyer]).toEqual(bought);
        expect(deal.fined.filter((seat) => able.includes(seat))).toEqual([]);
        if (deal.outcome === "dispute") expect(able.length).toBeGreaterThan(1);
        if (deal.outcome === "unsold") expect(able).toEqual([]);
        if (deal.outcome === "doyen") expect(deal.buyer).toBe(before.doyen);
        if (deal.outcome === "sold") expect(able).toEqual(bought);
      }
    }
    expect([...seen].sort()).toEqual(expect.arrayContaining(["dispute", "doyen", "sold", "unsold"]));
  });

  it("tell sales behind screens as far as open things do (M8)", () => {
    const covered = (view: SoukView): SoukView => ({ ...view, seats: view.seats.map((place) => ({ ...place, goods: null })) });
    let sold = 0;
    for (const { before, after, lines, truth } of made.settled) {
      for (const deal of scenes(covered(before), covered(after), lines).flatMap((scene) => scene.deals)) {
        if (deal.buyer !== null) expect(truth.bought).toContain(deal.buyer);
        if (deal.outcome === "unsold") expect(deal.names.filter((seat) => truth.able.includes(seat))).toEqual([]);
        if (deal.outcome === "sold" && deal.item !== "camel") sold += 1;
      }
    }
    expect(sold).toBeGreaterThan(5);
  });

  it("are remembered from the log without saying more than it tells", () => {
    for (const { before, after, lines, truth } of made.settled) {
      if (after.round !== before.round || after.asked === "over") continue;
      const stop: Line = { price: before.price, stops: before.stopped };
      for (const deal of remembered(after, [stop, ...lines]).flatMap((scene) => scene.deals)) {
        if (deal.buyer !== null) expect(truth.bought).toContain(deal.buyer);
        if (deal.outcome === "unsold") expect(deal.names.filter((seat) => truth.able.includes(seat))).toEqual([]);
        if (deal.outcome === "dispute") expect(deal.names.filter((seat) => truth.bought.includes(seat))).toEqual([]);
      }
    }
  });

  it("are told in the log: price, buyer, dispute and fine", () => {
    const who = (seat: number) => ["Ann", "Bo", "Cy"][seat]!;
    const told = (brings: object): string => outcome({ seat: 0, do: "name", item: ["jewels", 3], brings } as Line, who);
    expect(told({ buyer: 0, seller: 1, pays: [[4, "dirham"]] })).toBe("→ buys it: 4 dirhams to Bo");
    expect(told({ buyer: 2 })).toBe("→ goes without: Cy is the doyen");
    expect(told({ disputed: true, seller: null, pays: [[1, "dirham"]] })).toBe("→ dispute: nobody gets it, 1 dirham to the bank all the same");
    expect(told({ fined: true, pays: [[1, "dirham"]] })).toBe("→ cannot pay: a fine of 1 dirham");
  });

  it("are those of one round", () => {
    const [stop, end, offer]: Line[] = [{ price: 4, stops: [1] }, { price: 0, stops: [] }, { seat: 0, do: "offer", value: 3 }];
    expect([[], [stop!, end!], [stop!, end!, offer!], [offer!, stop!]].map(overRounds)).toEqual([false, false, false, false]);
    expect(overRounds([stop!, end!, offer!, stop!])).toBe(true);
  });

  it("show a stop whose names are still awaited", () => {
    const { before } = made.settled[0]!;
    const counting = { ...before, asked: "count" as const, stopped: [] };
    const stop: Line = { price: before.price, stops: before.stopped };
    expect(scenes(counting, before, [stop])).toEqual([
      { price: before.price, stops: before.stopped, doyen: before.doyen, deals: [] },
    ]);
  });
});
