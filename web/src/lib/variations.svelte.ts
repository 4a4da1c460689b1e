/** Variations: other ways in which a game could have gone on. They are kept in this browser, and shared by link. */
import { pack, unpack } from "./packed";
import { store, stored } from "./stored";
import type { Move } from "./types";

export interface Variation {
  id: string;
  name: string;
  /** The line of the record after which it leaves the game, and the seat that plays. */
  at: number;
  seat: number;
  /** The level of the bots in the other seats. */
  bots: string;
  seed: number;
  moves: Move[];
  /** The variation from which it branches off. */
  parent: string | null;
}

/** The longest link that messengers and browsers let through. */
const LONGEST = 8000;
/** How many variations of a game are kept; the oldest go first. */
const MOST = 50;

export const fresh = (): string => Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(36)).join("");

export class Variations {
  all: Variation[] = $state.raw([]);
  readonly #key: string;

  constructor(game: string) {
    this.#key = `variations.${game}`;
    this.all = stored<Variation[]>(this.#key, []);
  }

  keep(one: Variation): void {
    const known = this.all.some(({ id }) => id === one.id);
    this.#put(known ? this.all.map((other) => (other.id === one.id ? one : other)) : [...this.all, one].slice(-MOST));
  }

  /** Forget a variation; those that branch off from it stay. */
  forget(one: Variation): void {
    const rest = this.all.filter(({ id }) => id !== one.id);
    this.#put(rest.map((other) => (other.parent === one.id ? { ...other, parent: one.parent } : other)));
  }

  #put(all: Variation[]): void {
    this.all = all;
    store(this.#key, all);
  }
}

/** The variations as a tree: in the order of the game, each followed by those that branch off from it. */
export function tree(all: Variation[]): { one: Variation; depth: number }[] {
  const known = new Set(all.map(({ id }) => id));
  const below = (parent: string | null, depth: number): { one: Variation; depth: number }[] =>
    all
      .filter((one) => (one.parent !== null && known.has(one.parent) ? one.parent : null) === parent)
      .sort((a, b) => a.at - b.at)
      .flatMap((one) => [{ one, depth }, ...below(one.id, depth + 1)]);
  return below(null, 0);
}

/** What a link says: the variation and, if the house does not have the game, its record. */
export interface Shared {
  variation: Variation;
  record?: Record<string, unknown>;
}

/** The part of an address after "#", null if it would be too long. */
export async function toLink({ variation, record }: Shared): Promise<string | null> {
  const { name, at, seat, bots, seed, moves } = variation;
  const packed = await pack({ name, at, seat, bots, seed, moves, record });
  return packed.length > LONGEST ? null : `v=${packed}`;
}

export async function fromLink(hash: string): Promise<Shared | null> {
  const packed = /^#?v=([\w-]+)$/.exec(hash)?.[1];
  const found = packed ? ((await unpack(packed)) as Partial<Variation & Shared> | null) : null;
  if (!found || !Array.isArray(found.moves) || typeof found.at !== "number" || typeof found.seat !== "number") return null;
  const { at, seat, moves, record } = found;
  const [name, bots, seed] = [String(found.name ?? ""), String(found.bots ?? "greedy"), Number(found.seed ?? 0)];
  return { variation: { id: fresh(), parent: null, name, at, seat, bots, seed, moves }, record };
}
