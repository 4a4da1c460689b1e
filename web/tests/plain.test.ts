/** A game that the app does not know: everything comes from the house. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { coverOf, open, type GameModule } from "../src/games";
import { Refusal } from "../src/lib/api";
import { games } from "../src/lib/games.svelte";
import { lang, speak } from "../src/lib/messages.svelte";
import type { GameView, Move, TableView } from "../src/lib/types";
import GameCover from "../src/ui/GameCover.svelte";
import { brought, grouped, question, tell } from "../src/ui/plain/words";

const WORDS: Record<string, Record<string, string>> = {
  en: {
    "wells.view.water_left": "water in the well",
    "wells.view.bid": "sealed bid",
    "wells.colour.red": "crimson",
    "wells.tell.draw": "{who} draws {n, plural, one {# bucket} other {# buckets}} with {whom}.",
    "wells.tell.draw.offer": "draw {n, plural, one {# bucket} other {# buckets}}",
    "wells.tell.play": "{who} plays {cards}.",
    "wells.tell.rain": "It rains.",
    "wells.ask.bid": "How much do you bid?",
    "wells.do.play": "Play cards",
    "wells.part.water": "Water",
    "wells.item.gem": "{n, plural, one {# gem} other {# gems}}",
    "wells.open.rain": "the rain",
    "brings.points": "{sign}{n} points",
    "brings.gets": "you get {items}",
    "brings.pays": "you pay {items}",
    "brings.others": "{who}: {items}",
    "brings.open": "open: {words}",
    "brings.ends": "ends the game",
  },
  fr: { "wells.tell.draw.offer": "puiser {n, plural, one {# seau} other {# seaux}}", "wells.ask.bid": "Combien misez-vous ?" },
};
const CARD = { game: "wells", name: { en: "Five Wells", fr: "Cinq puits" } };

vi.stubGlobal("fetch", (path: string) => {
  const language = /^\/api\/games\/wells\/messages\/(\w+)$/.exec(path)?.[1];
  return Promise.resolve(Response.json(language ? WORDS[language] : path === "/api/games" ? [CARD] : null));
});

const who = (seat: number): string => ["Ann", "Bo"][seat]!;
const legal: Move[] = [
  { do: "draw", n: 1 },
  { do: "draw", n: 2 },
];
const view = {
  game: "wells",
  seat: 0,
  players: 2,
  asked: "bid",
  waiting: [0],
  legal,
  brings: [null, { points: 2, gets: [[2, "gem"]], pays: [[1, "old_rope"]], others: [[1, 1, "gem"]], open: ["rain"], ends: true }],
  water_left: 7,
  points: [4, 6],
  hand: [["red", 4], ["blue", 2]],
  piles: { north: { depth: 3, dry: false }, south: null },
  seats: [{ cards: 2, bid: null, score: null }, { cards: 3, bid: null, score: null }],
} as GameView;
const seat = { kind: "person", name: "Ann", level: "", host: true, away: false, resigned: false };
const table = {
  table: "t1",
  status: "running",
  you: 0,
  game: "wells",
  pace: { kind: "free", bank: 0, increment: 0, days: 0, tick: 0 },
  seats: [seat, { ...seat, name: "Bo" }],
  view,
  log: [],
} as unknown as TableView;

let wells: GameModule;
beforeAll(async () => {
  await speak("en");
  await games.ready();
  wells = await open("wells");
});
afterEach(cleanup);

describe("the plain board", () => {
  const shown = (play: (move: Move) => Promise<Refusal | null> = () => Promise.resolve(null)) =>
    render(wells.Game, { table, seat: 0, news: [], busy: false, play, ask: () => Promise.resolve(null), now: () => 0 });

  test("shows what lies there by the names that the game gives it", async () => {
    const { container } = shown();
    const list = await screen.findByRole("group", { name: "The table" });
    const rows = [...list.querySelectorAll("dl > div")].map((row) => row.textContent.replaceAll(/\s+/g, " ").trim());
    expect(rows).toContain("water in the well 7");
    expect(rows).toContain("hand red 4, blue 2");
    expect(rows).toContain("dry No");
    expect(rows).toContain("south –");
    expect(container.querySelector("article.me")?.textContent).toContain("sealed bid");
    const before = [...container.querySelectorAll("article.player")].map((one) => one.textContent.replaceAll(/\s+/g, " "));
    expect(before[0]).toContain("points 4");
    expect(before[1]).toContain("points 6");
  });

  test("offers the legal moves in words, with what each brings, and plays the one that is pressed", async () => {
    const played: Move[] = [];
    const { container } = shown((move) => {
      played.push(move);
      return Promise.resolve(new Refusal("illegal", "No water.", 0, "W3"));
    });
    expect(screen.getByText("How much do you bid?")).toBeTruthy();
    const buttons = [...container.querySelectorAll<HTMLElement>("[data-plain] button[data-move]")];
    expect(buttons.map((button) => button.querySelector("span")?.textContent)).toEqual(["draw 1 bucket", "draw 2 buckets"]);
    expect(buttons[1]!.textContent).toContain("you get 2 gems");
    await fireEvent.click(buttons[1]!);
    expect(played).toEqual([{ do: "draw", n: 2 }]);
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("No water.");
    expect(alert.querySelector("a")?.getAttribute("href")).toBe("/rules/wells#W3");
  });

  test("speaks the other language as well", async () => {
    await speak("fr");
    expect(lang()).toBe("fr");
    expect(wells.tell(legal[1]!, who)).toBe("puiser 2 seaux");
    expect(games.name("wells")).toBe("Cinq puits");
    await speak("en");
  });
});

describe("words", () => {
  test("lines of the log have the game's words, or the names of their fields", () => {
    expect(tell("wells", { do: "draw", seat: 0, n: 1, whom: 1 }, who)).toBe("Ann draws 1 bucket with Bo.");
    expect(tell("wells", { do: "play", seat: 1, cards: ["red-1", "red-2"] }, who)).toBe("Bo plays red-1, red-2.");
    expect(tell("wells", { chance: "rain", drops: 3 }, who)).toBe("It rains.");
    expect(tell("wells", { do: "pass_on", seat: 1, colour: "red", to_all: true }, who)).toBe("Bo: pass on: colour crimson, to all Yes.");
    expect(tell("wells", {}, who)).toBeNull();
  });

  test("what a move brings", () => {
    expect(brought("wells", view.brings[1], who)).toEqual([
      "+2 points",
      "you get 2 gems",
      "you pay 1 old rope",
      "Bo: 1 gem",
      "open: the rain",
      "ends the game",
    ]);
    expect(brought("wells", { points: -1 }, who)).toEqual(["−1 points"]);
    expect(brought("wells", null, who)).toEqual([]);
  });

  test("who is waited for", () => {
    expect(question("wells", { ...view, waiting: [1] }, false, who)).toBe("Waiting for Bo…");
    expect(question("wells", { ...view, waiting: [] }, false, who)).toBe("Game over.");
  });

  test("many moves come in groups, each with what it brings", () => {
    const many: Move[] = [1, 2, 3, 4, 5].flatMap((n) => ["red", "blue", "green"].map((colour) => ({ do: "play", colour, n })));
    const brings = many.map((_, i) => ({ points: i }));
    const groups = grouped("wells", { ...view, legal: [...many, { do: "pass" }], brings: [...brings, null] }, who);
    expect(groups.map(({ name, moves }) => [name, moves.length])).toEqual([
      ["Play cards · colour: crimson", 5],
      ["Play cards · colour: blue", 5],
      ["Play cards · colour: green", 5],
      ["pass", 1],
    ]);
    expect(groups[1]!.moves[1]).toEqual({ move: many[4], text: "Play cards: colour blue, n 2", brings: { points: 4 } });
    expect(grouped("wells", view, who)).toHaveLength(1);
  });

  test("moves that sound alike say in which way they differ", () => {
    const [group] = grouped("wells", { ...view, legal: [{ do: "draw", n: 1 }, { do: "draw", n: 1, colour: "red" }] }, who);
    expect(group!.moves.map(({ text }) => text)).toEqual(["draw 1 bucket", "draw 1 bucket (colour crimson)"]);
  });

  test("the points are broken down when the game is over", () => {
    expect(wells.result(view)).toBeNull();
    const plain = { ...view, waiting: [], seats: undefined };
    expect(wells.result(plain)).toEqual([4, 6].map((total, seat) => ({ seat, total, parts: [] })));
    const over = { ...view, seats: [{ score: { total: 5, water: 3, old_rope: 2, kept: ["red"] } }, { score: { total: 1, water: 1, old_rope: 0 } }] };
    expect(wells.result(over)?.[0]).toEqual({
      seat: 0,
      total: 5,
      parts: [
        { key: "water", value: 3, from: [] },
        { key: "old_rope", value: 2, from: [] },
      ],
    });
  });
});

test("a game without a picture has its name on star and cross", () => {
  expect(coverOf("wells")).toBeUndefined();
  expect(coverOf("khiva")).toBeDefined();
  const { container } = render(GameCover, { game: "wells" });
  expect(container.textContent).toContain("Five Wells");
});
