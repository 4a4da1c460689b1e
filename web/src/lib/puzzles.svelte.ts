/** My puzzles: which I have tried, my streak and my rating. They are kept in this browser. */
import { api, type PuzzleBook } from "./api";
import { store, stored } from "./stored";

/** What is kept. Only the first answer to a puzzle counts. */
interface Kept {
  /** By game and id: whether the first answer was right. */
  tries: Record<string, Record<string, boolean>>;
  /** Right answers in a row, and the most there have been. */
  run: number;
  best: number;
  /** The days in a row on which a puzzle of the day was solved, and the last of them. */
  days: number;
  day: string;
  /** By game: how hard the puzzles are that I solve half of the time. */
  ratings: Record<string, number>;
}
const NAME = "puzzles";
const BLANK: Kept = { tries: {}, run: 0, best: 0, days: 0, day: "", ratings: {} };
/** The rating to begin with, and by how much an answer changes it: a lot at first, then less. */
const START = 1200;
const CHANGE = { first: 120, least: 24 };

/** How hard puzzles are, and up to which rating. */
export const LEVELS = ["easy", "medium", "hard"] as const;
export const level = (rating: number): (typeof LEVELS)[number] => (rating < 1300 ? "easy" : rating < 1550 ? "medium" : "hard");

/** A day of the house, whose days begin at midnight UTC. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The rating after an answer: as in chess, against an opponent with the rating of the puzzle. */
export function rated(mine: number, puzzle: number, right: boolean, before: number): number {
  const expected = 1 / (1 + 10 ** ((puzzle - mine) / 400));
  const change = Math.max(CHANGE.least, CHANGE.first / (1 + before / 4));
  return Math.round(mine + change * ((right ? 1 : 0) - expected));
}

class Progress {
  #kept: Kept = $state.raw({ ...BLANK, ...stored<Partial<Kept>>(NAME, {}) });

  /** Whether my first answer was right, undefined if I have not tried. */
  tried(game: string, id: string): boolean | undefined {
    return this.#kept.tries[game]?.[id];
  }

  solved(game: string): number {
    return Object.values(this.#kept.tries[game] ?? {}).filter(Boolean).length;
  }

  get run(): number {
    return this.#kept.run;
  }

  get best(): number {
    return this.#kept.best;
  }

  /** The days in a row, unless a whole day has been missed. */
  get days(): number {
    const yesterday = dayOf(Date.now() - 86_400_000);
    return this.#kept.day >= yesterday ? this.#kept.days : 0;
  }

  /** My rating, null before the first answer. */
  rating(game: string): number | null {
    return this.#kept.ratings[game] ?? null;
  }

  /** Keep an answer. Those after the first change nothing. */
  answer(game: string, id: string, rating: number, right: boolean, daily: boolean): void {
    const { tries, ratings, ...kept } = this.#kept;
    const mine = tries[game] ?? {};
    if (id in mine) return;
    const run = right ? kept.run + 1 : 0;
    const today = dayOf(Date.now());
    const counts = daily && right && kept.day !== today;
    this.#kept = {
      tries: { ...tries, [game]: { ...mine, [id]: right } },
      ratings: { ...ratings, [game]: rated(ratings[game] ?? START, rating, right, Object.keys(mine).length) },
      run,
      best: Math.max(run, kept.best),
      days: counts ? this.days + 1 : kept.days,
      day: counts ? today : kept.day,
    };
    store(NAME, this.#kept);
  }
}

export const progress = new Progress();

/** The next puzzle to train: one not tried yet, near my rating; undefined if all have been tried. */
export function following<P extends { id: string; rating: number }>(game: string, puzzles: P[], than = ""): P | undefined {
  const mine = progress.rating(game) ?? START;
  const left = puzzles.filter(({ id }) => id !== than && progress.tried(game, id) === undefined);
  return left.sort((a, b) => Math.abs(a.rating - mine) - Math.abs(b.rating - mine))[0];
}

let fetched: { day: string; books: Promise<PuzzleBook[]> } | undefined;

/** The puzzles of the house, fetched once a day. */
export function books(): Promise<PuzzleBook[]> {
  const day = dayOf(Date.now());
  if (fetched?.day !== day) {
    fetched = { day, books: api.puzzles() };
    fetched.books.catch(() => (fetched = undefined));
  }
  return fetched.books;
}
