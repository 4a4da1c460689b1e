import { beforeEach, describe, expect, test, vi } from "vitest";
import { bytes, digest, hex, hmac, plainHmac, sha256, utf8 } from "../src/lib/sha256";
import type { Fairness, Seat, TableView } from "../src/lib/types";

type Seen = Pick<TableView, "table" | "game" | "status" | "seats" | "fairness" | "awaited" | "box" | "own_box" | "options" | "first">;
type Deal = typeof import("../src/lib/deal");

const SECRET = hex(Uint8Array.from({ length: 32 }, (_, i) => i));
const HOUSE = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
const [A, C] = ["ab".repeat(32), "cd".repeat(32)];
const SEALED_C = "7969ec0fcb8b648dfde24b1d0ae24568d398dcc3a83b80a850f973238cdfd3d9";

const seat = (kind: Seat["kind"], name: string, level = ""): Seat => ({ kind, name, face: "", level, host: false, away: false, resigned: false, lowered: null });

function view(status: TableView["status"], fairness: Partial<Fairness> = {}, awaited: number[] = []): Seen {
  return {
    table: "t-1",
    game: "khiva",
    status,
    awaited,
    box: "khiva",
    own_box: "",
    options: {},
    first: null,
    seats: [seat("person", "Zoé"), seat("bot", "", "greedy"), seat("person", "Bo")],
    fairness: {
      scheme: 2,
      commitment: HOUSE,
      owners: ["person", "bot", "person"],
      commitments: ["", "", SEALED_C],
      contributions: ["", "", ""],
      secret: null,
      ...fairness,
    },
  };
}

/** A page that was just opened: what it had in memory is gone. */
async function opened(): Promise<Deal> {
  vi.resetModules();
  return import("../src/lib/deal");
}

/** Play my part at a table, and return what was committed and revealed. */
async function part(deal: Deal, mine = [0]): Promise<{ commitment: string; contribution: string; over: Seen }> {
  const asked: Record<string, unknown>[] = [];
  const ask = (request: Record<string, unknown>) => Promise.resolve(asked.push(request));
  await deal.takePart(view("open"), mine, ask);
  const commitment = asked[0]!.commitment as string;
  const commitments = [commitment, "", SEALED_C];
  await deal.takePart(view("dealing", { commitments }, [0, 2]), mine, ask);
  const contribution = asked[1]!.contribution as string;
  expect(asked.map((request) => request.do)).toEqual(["contribute", "reveal"]);
  const over = view("over", { commitments, contributions: [contribution, "", C], secret: SECRET });
  return { commitment, contribution, over };
}

beforeEach(() => localStorage.clear());

describe("SHA-256", () => {
  test("is the same with WebCrypto and without, at every length", async () => {
    for (const length of [0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 200]) {
      const data = Uint8Array.from({ length }, (_, i) => (i * 7) % 256);
      expect(hex(digest(data))).toBe(await sha256(data));
      expect(hex(plainHmac(bytes(A), data))).toBe(await hmac(bytes(A), data));
    }
    expect(await sha256(utf8("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

describe("my part in the deal", () => {
  test("commits to 32 bytes of my own, and reveals them when all is frozen", async () => {
    const { commitment, contribution } = await part(await opened());
    expect(contribution).toMatch(/^[0-9a-f]{64}$/);
    expect(await sha256(bytes(contribution))).toBe(commitment);
  });

  test("goes on after the page was opened again", async () => {
    const ask = vi.fn(() => Promise.resolve());
    await (await opened()).takePart(view("open"), [0], ask);
    const [[first]] = ask.mock.calls as unknown as [[{ commitment: string }]];
    const again = await opened();
    await again.takePart(view("dealing", { commitments: [first.commitment, "", SEALED_C] }, [0, 2]), [0], ask);
    expect(ask).toHaveBeenLastCalledWith(expect.objectContaining({ do: "reveal", seat: 0 }));
  });

  test("is asked for once, however many views arrive meanwhile", async () => {
    const deal = await opened();
    let done!: () => void;
    const ask = vi.fn(() => new Promise<void>((resolve) => (done = resolve)));
    const parts = [deal.takePart(view("open"), [0], ask), deal.takePart(view("open"), [0], ask)];
    await vi.waitFor(() => expect(ask).toHaveBeenCalled());
    done();
    await Promise.all(parts);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test("at a hot-seat table is made for each of my seats", async () => {
    const ask = vi.fn((request: Record<string, unknown>) => Promise.resolve(request));
    const open = view("open", { commitments: ["", "", ""] });
    await (await opened()).takePart(open, [0, 2], ask);
    const made = ask.mock.calls.map(([request]) => request.commitment);
    expect(new Set(made).size).toBe(2);
  });

  test("reveals nothing to a house that shows another commitment than before", async () => {
    const deal = await opened();
    const ask = vi.fn(() => Promise.resolve());
    expect(await deal.takePart(view("open"), [0], ask)).toBeNull();
    expect(await deal.takePart(view("dealing", { commitment: SEALED_C }, [0]), [0], ask)).toBe("changed");
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test("says so if the bytes are on another device", async () => {
    const ask = vi.fn(() => Promise.resolve());
    expect(await (await opened()).takePart(view("dealing", {}, [2]), [2], ask)).toBe("lost");
    expect(ask).not.toHaveBeenCalled();
  });

  test("is nothing at a table of an earlier version", async () => {
    const ask = vi.fn(() => Promise.resolve());
    const old = { ...view("open"), fairness: { commitment: HOUSE, contributions: ["a", "", "b"], secret: null } };
    expect(await (await opened()).takePart(old, [0], ask)).toBeNull();
    expect(ask).not.toHaveBeenCalled();
  });
});

describe("after the game", () => {
  const good = { house: true, mine: true, frozen: true };

  test("everything is as it was kept", async () => {
    const deal = await opened();
    const { over } = await part(deal);
    expect(await deal.checkDeal(over)).toEqual(good);
    expect(await (await opened()).checkDeal(over)).toEqual(good);
  });

  test("another secret is noticed", async () => {
    const deal = await opened();
    const { over } = await part(deal);
    const fairness = { ...over.fairness, secret: A, commitment: await sha256(bytes(A)) };
    expect(await deal.checkDeal({ ...over, fairness })).toMatchObject({ house: false });
  });

  test("another contribution in place of mine is noticed", async () => {
    const deal = await opened();
    const { over } = await part(deal);
    const fairness = { ...over.fairness, contributions: [A, "", C], commitments: [await sha256(bytes(A)), "", SEALED_C] };
    expect(await deal.checkDeal({ ...over, fairness })).toEqual({ house: true, mine: false, frozen: false });
  });

  test("what another seat changed after I had revealed is noticed", async () => {
    const deal = await opened();
    const { over, commitment, contribution } = await part(deal);
    const ground = { ...over.fairness, contributions: [contribution, "", A], commitments: [commitment, "", await sha256(bytes(A))] };
    expect(await deal.checkDeal({ ...over, fairness: ground })).toEqual({ ...good, frozen: false });
    const renamed = [over.seats[0]!, over.seats[1]!, seat("person", "Bob")];
    expect(await deal.checkDeal({ ...over, seats: renamed })).toEqual({ ...good, frozen: false });
    const unsealed = { ...over.fairness, contributions: [contribution, "", A] };
    expect(await deal.checkDeal({ ...over, fairness: unsealed })).toEqual({ ...good, frozen: false });
  });

  test("another seat to begin, other options or another box than before are noticed", async () => {
    const deal = await opened();
    const { over } = await part(deal);
    for (const changed of [{ first: 2 }, { options: { long: true } }, { box: "other" }, { own_box: "00" }])
      expect(await deal.checkDeal({ ...over, ...changed })).toEqual({ ...good, frozen: false });
  });

  test("a deal without the contribution that the house had accepted is noticed", async () => {
    const deal = await opened();
    const ask = vi.fn((request: Record<string, unknown>) => Promise.resolve(request));
    await deal.takePart(view("open"), [0], ask);
    const commitment = ask.mock.calls[0]![0].commitment as string;
    await deal.takePart(view("open", { commitments: [commitment, "", SEALED_C] }), [0], ask);
    await deal.takePart(view("open"), [0], ask); // it does not help the house to forget it again
    const ground = view("over", { contributions: ["", "", C], secret: SECRET });
    for (const page of [deal, await opened()])
      expect(await page.checkDeal(ground)).toEqual({ house: true, mine: false, frozen: null });
  });

  test("a deal in the way of an earlier version, whose contributions could be chosen, is noticed", async () => {
    const deal = await opened();
    const { over } = await part(deal);
    const fairness = { commitment: HOUSE, contributions: ["a", "", "b"], secret: SECRET };
    expect(await deal.checkDeal({ ...over, fairness })).toEqual({ house: true, mine: false, frozen: false });
  });

  test("a seat that I left before the deal is not mine", async () => {
    const deal = await opened();
    const ask = vi.fn((request: Record<string, unknown>) => Promise.resolve(request));
    await deal.takePart(view("open"), [0], ask);
    const left = ask.mock.calls[0]![0].commitment as string;
    await deal.takePart(view("open", { commitments: [left, "", SEALED_C] }), [0], ask);
    await deal.takePart(view("open", { commitments: ["", "", ""] }), [2], ask);
    const own = ask.mock.calls[1]![0].commitment as string;
    const commitments = [SEALED_C, "", own];
    await deal.takePart(view("dealing", { commitments }, [0, 2]), [2], ask);
    const contributions = [C, "", ask.mock.calls[2]![0].contribution as string];
    expect(await deal.checkDeal(view("over", { commitments, contributions, secret: SECRET }))).toEqual(good);
  });

  test("a browser that was not there says that it cannot tell", async () => {
    const deal = await opened();
    const { over } = await part(deal);
    localStorage.clear();
    expect(await (await opened()).checkDeal(over)).toEqual({ house: null, mine: null, frozen: null });
  });

  test("the key is the one that the house makes from the same things", async () => {
    const over = view("over", { contributions: [A, "", C], secret: SECRET });
    expect(await (await opened()).keyOf(over)).toBe("6b4c0f8562bf3bc8f28b93325da3bbc6fc6c66c19c4e30d79798e6506b846ea9");
  });
});
