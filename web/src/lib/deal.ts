/** This browser's part in the deal: it commits to bytes of its own, reveals them, and checks the deal in the end.
 *
 * docs/house.md describes the deal. What is kept here was seen before anything was revealed: nothing that the house
 * says later can replace it.
 */
import { bytes, hex, hmac, sha256, utf8 } from "./sha256";
import { store, stored } from "./stored";
import type { TableView } from "./types";

/** What the deal must be made of, besides contributions. */
interface Frozen {
  commitments: string[];
  owners: string[];
  names: string[];
  box: string;
  options: TableView["options"];
  first: number | null;
}

interface Kept {
  /** The commitment of the house when this browser first saw the table. */
  house: string;
  /** By seat: the bytes of this browser. */
  mine: Record<number, string>;
  /** My seats for which the house has shown my commitment: it cannot deal without these bytes. */
  accepted?: number[];
  /** The table as it was before this browser revealed. */
  frozen?: Frozen;
}

type Seen = Pick<TableView, "table" | "game" | "status" | "seats" | "fairness" | "awaited" | "box" | "own_box" | "options" | "first">;
type Ask = (request: Record<string, unknown>) => Promise<unknown>;
/** Why this browser takes no part: another commitment of the house than before, or bytes that are not here. */
export type Trouble = "changed" | "lost" | null;

/** What was found: true, false, or null if this browser does not know enough. */
export interface Checks {
  house: boolean | null;
  mine: boolean | null;
  frozen: boolean | null;
}

// Also for browsers that forbid local storage, and for two tabs that commit at the same time.
const memory = new Map<string, Kept>();
const asking = new Set<string>();

function known(table: string): Kept | null {
  return memory.get(table) ?? stored<Kept | null>(`deal.${table}`, null);
}

function keep(table: string, kept: Kept): void {
  memory.set(table, kept);
  store(`deal.${table}`, kept);
}

function frozenNow({ seats, fairness, box, own_box, options, first }: Seen): Frozen {
  return {
    commitments: fairness.commitments ?? [],
    owners: fairness.owners ?? [],
    names: seats.map((seat) => seat.name || seat.level),
    box: own_box ? `${box} ${own_box}` : box,
    options,
    first,
  };
}

async function once(name: string, ask: () => Promise<unknown>): Promise<void> {
  if (asking.has(name)) return;
  asking.add(name);
  await ask().finally(() => asking.delete(name));
}

/** Commit or reveal for my seats, if the table waits for that. */
export async function takePart(view: Seen, mine: number[], ask: Ask): Promise<Trouble> {
  const { table, fairness, status } = view;
  if (fairness.scheme !== 2 || fairness.secret) return null;
  const kept = known(table) ?? { house: fairness.commitment, mine: {} };
  if (!memory.has(table)) keep(table, kept);
  if (kept.house !== fairness.commitment) return "changed";
  if (status !== "open" && status !== "dealing") return null;
  let trouble: Trouble = null;
  kept.accepted = kept.accepted?.filter((seat) => mine.includes(seat)) ?? [];
  for (const seat of mine) {
    const committed = fairness.commitments?.[seat] ?? "";
    if (status === "open" && !committed) {
      kept.mine[seat] ??= hex(crypto.getRandomValues(new Uint8Array(32)));
      keep(table, kept);
      const commitment = await sha256(bytes(kept.mine[seat]));
      await once(`${table} ${seat}`, () => ask({ do: "contribute", seat, commitment }));
    } else if (committed) {
      const contribution = await own(table, seat, committed);
      if (!contribution) {
        trouble = "lost";
        continue;
      }
      kept.mine[seat] = contribution;
      if (!kept.accepted.includes(seat)) kept.accepted.push(seat);
      const reveals = status === "dealing" && view.awaited.includes(seat);
      if (reveals) kept.frozen ??= frozenNow(view);
      keep(table, kept);
      if (reveals) {
        await once(`${table} ${seat}`, () => ask({ do: "reveal", seat, contribution }));
      }
    }
  }
  return trouble;
}

/** The bytes that a commitment of mine is for: this tab's, or those of another one. */
async function own(table: string, seat: number, commitment: string): Promise<string | null> {
  for (const kept of [memory.get(table), stored<Kept | null>(`deal.${table}`, null)]) {
    const found = kept?.mine[seat];
    if (found && (await sha256(bytes(found))) === commitment) return found;
  }
  return null;
}

/** The SHA-256 of a name, which is all that is left of one whose owner wanted to be forgotten. */
const digest = (name: string): string | Promise<string> => (name.startsWith("sha256:") ? name.slice(7) : sha256(utf8(name)));

const withDigests = async (frozen: Frozen): Promise<string> =>
  JSON.stringify({ ...frozen, names: await Promise.all(frozen.names.map(digest)) });

/** The key of the deal, from what this browser saw before it revealed where it has it. */
export async function keyOf(view: Seen): Promise<string> {
  const { owners, names } = known(view.table)?.frozen ?? frozenNow(view);
  const lines = ["registan/2", await sha256(utf8(view.table)), view.game];
  for (const [seat, owner] of owners.entries())
    lines.push(`${owner} ${await digest(names[seat]!)} ${view.fairness.contributions?.[seat] || "-"}`);
  return hmac(bytes(view.fairness.secret ?? ""), utf8(lines.join("\n")));
}

/** Check what the house revealed at the end against what this browser has kept. */
export async function checkDeal(view: Seen): Promise<Checks> {
  const kept = known(view.table);
  const { secret, scheme, contributions = [], commitments = [] } = view.fairness;
  if (!kept || !secret) return { house: null, mine: null, frozen: null };
  const house = (await sha256(bytes(secret))) === kept.house;
  // A deal that was made without what this browser has committed to, or in the earlier way, could be chosen.
  const seats = kept.accepted ?? [];
  const mine = seats.length ? seats.every((seat) => contributions[seat] === kept.mine[seat]) : null;
  if (scheme !== 2) return { house, mine, frozen: false };
  if (!kept.frozen) return { house, mine, frozen: null };
  const told = await Promise.all(contributions.map((made) => (made ? sha256(bytes(made)) : "")));
  const same = (await withDigests(frozenNow(view))) === (await withDigests(kept.frozen));
  return { house, mine, frozen: same && JSON.stringify(told) === JSON.stringify(commitments) };
}
