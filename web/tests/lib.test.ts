import { describe, expect, test } from "vitest";
import { added } from "../src/lib/log";
import { fill, listing, number, speak } from "../src/lib/messages.svelte";
import { apply } from "../src/lib/patch";

describe("what was added to a log", () => {
  const [offer, stop, name, end, next] = [{ do: "offer" }, { price: 5 }, { do: "name" }, { price: 0 }, { do: "offer", value: 2 }];

  test("are the lines at its end", () => {
    expect(added([], [offer])).toEqual([offer]);
    expect(added([offer], [offer, stop, name])).toEqual([stop, name]);
    expect(added([offer, stop], [offer, stop])).toEqual([]);
  });

  test("are none when lines were taken back", () => {
    expect(added([offer, stop, offer], [offer])).toEqual([]);
    expect(added([offer, stop, name], [offer, stop])).toEqual([]);
  });

  test("are those after the last one that was there, when others cannot be read any more", () => {
    expect(added([offer, stop, name, end], [offer, end, next])).toEqual([next]);
    expect(added([offer, stop, end], [offer, end, next])).toEqual([next]);
  });
});

describe("updates", () => {
  const old = { seq: 1, log: [1, 2, 3], seats: [{ gems: 1 }, { gems: 2 }], gone: true };

  test("put, remove and replace the rest, and leave the old value alone", () => {
    const before = structuredClone(old);
    const now = apply(old, [
      [["seq"], 2],
      [["log", 2], [4, 5], "rest"],
      [["seats", 1, "gems"], 7],
      [["gone"]],
    ]);
    expect(now).toEqual({ seq: 2, log: [1, 2, 4, 5], seats: [{ gems: 1 }, { gems: 7 }] });
    expect(old).toEqual(before);
  });

  test("what no change touches stays the same object", () => {
    const now = apply(old, [[["seats", 1, "gems"], 7]]);
    expect(now.seats[0]).toBe(old.seats[0]);
    expect(now.log).toBe(old.log);
  });

  test("a value put as undefined's neighbour null is put, not removed", () => {
    expect(apply({ a: 1 } as Record<string, unknown>, [[["a"], null]])).toEqual({ a: null });
  });

  test("an empty path replaces everything", () => {
    expect(apply(old as unknown, [[[], 5]])).toBe(5);
  });
});

describe("messages", () => {
  const text = "{who} has {n, plural, one {# coin} other {# coins}}.";

  test("plurals follow the language: French says one for nought", () => {
    expect(fill(text, "en", { who: "Ann", n: 0 })).toBe("Ann has 0 coins.");
    expect(fill(text, "en", { who: "Ann", n: 1 })).toBe("Ann has 1 coin.");
    expect(fill("{n, plural, one {# pièce} other {# pièces}}", "fr", { n: 0 })).toBe("0 pièce");
    expect(fill("{n, plural, one {# pièce} other {# pièces}}", "fr", { n: 2 })).toBe("2 pièces");
  });

  test("lists and numbers are written as one writes them in each language", async () => {
    await speak("en");
    expect([listing([]), listing(["a"]), listing(["a", "b"]), listing(["a", "b", "c"])]).toEqual(["", "a", "a and b", "a, b and c"]);
    expect([number(0), number(999), number(1234), number(-2.5)]).toEqual(["0", "999", "1,234", "-2.5"]);
    await speak("fr");
    expect(listing(["a", "b", "c"])).toBe("a, b et c");
    expect([number(7), number(2.5)]).toEqual(["7", "2,5"]);
    await speak("en");
  });
});
