import { describe, expect, test } from "vitest";
import { marked, read, search } from "../src/lib/rulebook.svelte";

const PAGE = `# A game

What it is.

## Set-up

**W1.** Everybody gets
a *camel*.

![A thirsty camel](figure:thirst)

**W2.** Nobody drinks.

## End

**W3.** Le chameau le plus pressé gagne.

- A well
- Some camels
`;

describe("the rulebook", () => {
  const blocks = read(PAGE);

  test("is read block by block", () => {
    expect(blocks.map(({ kind }) => kind)).toEqual(["h1", "p", "h2", "rule", "figure", "rule", "h2", "rule", "li", "li"]);
    expect(blocks[3]).toEqual({ kind: "rule", id: "W1", text: "Everybody gets a camel." });
    expect(blocks[4]).toEqual({ kind: "figure", id: "thirst", text: "A thirsty camel" });
  });

  test("is searched by words and ids, without case and accents, and keeps the headings of what it found", () => {
    const texts = (asked: string): string[] => search(blocks, asked).map(({ text }) => text);
    expect(texts("CAMEL")).toEqual(["Set-up", "Everybody gets a camel.", "A thirsty camel", "End", "Some camels"]);
    expect(texts("presse chameau")).toEqual(["End", "Le chameau le plus pressé gagne."]);
    expect(texts("w2")).toEqual(["Set-up", "Nobody drinks."]);
    expect(texts("dragon")).toEqual([]);
    expect(search(blocks, "  ")).toBe(blocks);
  });

  test("marks what was searched for", () => {
    expect(marked("Un chameau pressé", "presse")).toEqual([
      { text: "Un chameau ", hit: false },
      { text: "pressé", hit: true },
    ]);
  });
});
