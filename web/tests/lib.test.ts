import { describe, expect, test } from "vitest";
import { added, byName, sentence, turns } from "../src/lib/log";
import { fill, listing, number, speak } from "../src/lib/messages.svelte";
import { pacesOf } from "../src/lib/new_table";
import { apply } from "../src/lib/patch";
import { settings } from "../src/lib/settings.svelte";
import { commits } from "../src/lib/touch";

describe("a touch on the board", () => {
  test("makes a move when it is repeated, or at once for those who want that and without risk", () => {
    expect([commits(false, false), commits(true, false)]).toEqual([false, true]);
    settings.confirm = false;
    expect([commits(false, false), commits(false, true), commits(true, true)]).toEqual([true, false, true]);
    settings.confirm = true;
  });
});

describe("the paces of a game", () => {
  test("begin without a clock, unless the clock is the game", () => {
    expect(Object.keys(pacesOf([]))).toEqual(["free", "quick", "calm", "day", "days"]);
    expect(Object.keys(pacesOf([4, 2]))).toEqual(["ticking", "fast", "day", "days", "free"]);
    expect(Object.values(pacesOf([4, 2])).map(({ tick }) => tick)).toEqual([4, 2, undefined, undefined, undefined]);
  });
});

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

describe("the log by turns", () => {
  const who = (seat: number): string => ["Ann", "Anna"][seat]!;
  const tell = (line: { do?: string; seat?: number }): string | null => (line.do ? `${who(line.seat!)} ${line.do}` : null);
  const log = [{ do: "a", seat: 0 }, { do: "b", seat: 0 }, { chance: "x" }, { do: "c", seat: 1 }];

  test("a turn begins where another player moves, and hidden lines are left out", () => {
    expect(turns(log, { tell }, who).map((turn) => turn.lines.map((line) => line.text))).toEqual([["Ann a", "Ann b"], ["Anna c"]]);
  });
  test("a game may say itself where a turn begins", () => {
    const heading = (line: { do?: string }, before: unknown[]): string | null => (line.do === "b" ? `after ${before.length}` : null);
    expect(turns(log, { tell, heading }, who).map((turn) => turn.heading)).toEqual(["", "after 1"]);
  });
  test("what a move brought follows the line", () => {
    expect(sentence(log[0]!, { tell, outcome: () => "+3" }, who)).toBe("Ann a +3");
    expect(sentence(log[0]!, { tell: () => "Ann moves.", outcome: () => "the top carpet" }, who)).toBe("Ann moves. The top carpet.");
    expect(sentence(log[2]!, { tell, outcome: () => "+3" }, who)).toBe("");
  });
  test("names are found, the longer one first", () => {
    expect(byName("Anna pays Ann 3", ["Ann", "Anna"])).toEqual([
      { text: "Anna", seat: 1 },
      { text: " pays ", seat: null },
      { text: "Ann", seat: 0 },
      { text: " 3", seat: null },
    ]);
  });
});
