/**
 * What goods and camels are worth at the end (M19 to M22), for one's own preview. The house counts the real score;
 * a test holds this against values of the Python engine. Riches (M18) cannot be known before the screens come down.
 */
import type { Goods, Type } from "./types";

export interface Worth {
  presents: number;
  harmony: number;
  /** What empty places cost: 0 or less. */
  empty: number;
  total: number;
  /** How many goods are carried home, and how many the camels could carry. */
  carried: number;
  capacity: number;
}

const EMPTY = -2;
const HARMONY = { table: [0, 0, 1, 2, 4, 8, 16], example: [0, 0, 2, 3, 4, 8, 16] };
export type Harmony = keyof typeof HARMONY;

/** The points of goods carried on camels, with the best choice of what to leave behind (M19, M23). */
export function worth(goods: Goods[], camels: number[], types: Type[], harmony: Harmony): Worth {
  const capacity = camels.reduce((sum, size) => sum + size, 0);
  const carried = Math.min(goods.length, capacity);
  const empty = EMPTY * (capacity - carried) || 0;
  const { presents, points } = best(goods, carried, types, HARMONY[harmony]);
  return { presents, harmony: points - presents, empty, total: points + empty, carried, capacity };
}

interface Best {
  presents: number;
  /** Presents and harmony together. */
  points: number;
}

/** M19, M20, M21: the best of all ways to carry so many of the goods. */
function best(goods: Goods[], room: number, types: Type[], table: number[]): Best {
  let found: Best = { presents: 0, points: 0 };
  for (const present of types) {
    const here = bestFor(present, goods, room, types, table);
    if (here && better(here, found)) found = here;
  }
  return found;
}

function better(one: Best, other: Best): boolean {
  return one.points > other.points || (one.points === other.points && one.presents > other.presents);
}

/** The best way in which this type is among those with the fewest cards, or null if there is none. */
function bestFor(present: Type, goods: Goods[], room: number, types: Type[], table: number[]): Best | null {
  // Value by value: for every number of cards kept of each type (the key), the best points so far.
  let reached = new Map<string, { kept: number[]; best: Best }>([
    ["", { kept: types.map(() => 0), best: { presents: 0, points: 0 } }],
  ]);
  for (const value of new Set(goods.map(([, value]) => value))) {
    const own = types.map((type) => goods.filter(([t, v]) => t === type && v === value).length);
    const next: typeof reached = new Map();
    for (const { kept, best } of reached.values()) {
      for (const choice of choices(own)) {
        const sum = kept.map((n, i) => n + choice[i]!);
        if (total(sum) > room) continue;
        const presents = value * choice[types.indexOf(present)]!;
        const points = best.points + presents + table[Math.min(total(choice), table.length - 1)]!;
        const here = { points, presents: best.presents + presents };
        const known = next.get(sum.join());
        if (!known || better(here, known.best)) next.set(sum.join(), { kept: sum, best: here });
      }
    }
    reached = next;
  }
  let found: Best | null = null;
  for (const { kept, best } of reached.values()) {
    const fewest = Math.min(...kept) === kept[types.indexOf(present)];
    if (total(kept) === room && fewest && (!found || better(best, found))) found = best;
  }
  return found;
}

/** All ways to keep some of so many cards of each type. */
function choices(own: number[]): number[][] {
  return own.reduce<number[][]>(
    (ways, n) => ways.flatMap((way) => Array.from({ length: n + 1 }, (_, kept) => [...way, kept])),
    [[]],
  );
}

function total(numbers: number[]): number {
  return numbers.reduce((sum, n) => sum + n, 0);
}
