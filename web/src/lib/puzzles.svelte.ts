/** My puzzles: which I have tried, my streak and my rating. This browser keeps them, and the house for whom it knows. */
import { api, type PastTry, type PuzzleBook } from "./api";
import { me } from "./me.svelte";
import { store, stored } from "./stored";

const NAME = "tries";
/** The rating to begin with, and by how much an answer changes it: a lot at first, then less. */
const START = 1200;
const CHANGE = { first: 120, least: 24 };

/** How hard puzzles are, and up to which rating. */
export const LEVELS = ["easy", "medium", "hard"] as const;
export const level = (rating: number): (typeof LEVELS)[number] => (rating < 1300 ? "easy" : rating < 1550 ? "medium" : "hard");

/** A day of the house, whose days begin at midnight UTC. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const DAY = 86_400_000;

/** The rating after an answer: as in chess, against an opponent with the rating of the puzzle. */
export function rated(mine: number, puzzle: number, right: boolean, before: number): number {
  const expected = 1 / (1 + 10 ** ((puzzle - mine) / 400));
  const change = Math.max(CHANGE.least, CHANGE.first / (1 + before / 4));
  return Math.round(mine + change * ((right ? 1 : 0) - expected));
}

/** All first answers, the oldest first: of two to the same puzzle, the earlier one counts. */
export function merged(one: PastTry[], other: PastTry[]): PastTry[] {
  const found = new Map<string, PastTry>();
  for (const answer of [...one, ...other].sort((a, b) => a.at - b.at)) {
    const key = `${answer.game} ${answer.puzzle}`;
    if (!found.has(key)) found.set(key, answer);
  }
  return [...found.values()];
}

class Progress {
  #tries: PastTry[] = $state.raw(stored<PastTry[]>(NAME, []));
  readonly #known = $derived(new Map(this.#tries.map((one) => [`${one.game} ${one.puzzle}`, one.right])));
  #read: Promise<void> | undefined;

  /** Whether my first answer was right, undefined if I have not tried. */
  tried(game: string, id: string): boolean | undefined {
    return this.#known.get(`${game} ${id}`);
  }

  solved(game: string): number {
    return this.#tries.filter((one) => one.game === game && one.right).length;
  }

  /** Right answers in a row. */
  get run(): number {
    return this.#tries.length - 1 - this.#tries.findLastIndex((one) => !one.right);
  }

  /** The most right answers in a row there have been. */
  get best(): number {
    let [best, run] = [0, 0];
    for (const { right } of this.#tries) best = Math.max(best, (run = right ? run + 1 : 0));
    return best;
  }

  /** The days in a row on which a puzzle of the day was solved, up to today or yesterday. */
  get days(): number {
    const solved = new Set(this.#tries.filter((one) => one.daily && one.right).map((one) => dayOf(one.at)));
    let time = Date.now();
    if (!solved.has(dayOf(time))) time -= DAY;
    let days = 0;
    for (; solved.has(dayOf(time)); time -= DAY) days += 1;
    return days;
  }

  /** How hard the puzzles are that I solve half of the time, null before the first answer. */
  rating(game: string): number | null {
    const mine = this.#tries.filter((one) => one.game === game);
    return mine.length ? mine.reduce((rating, one, before) => rated(rating, one.rating, one.right, before), START) : null;
  }

  /** Keep an answer. Those after the first change nothing. */
  answer(game: string, puzzle: string, rating: number, right: boolean, daily: boolean): void {
    this.#keep([{ game, puzzle, rating, right, daily, at: Date.now() }]);
  }

  /** Read what I have tried on other devices, once a page. */
  read = (): Promise<void> =>
    (this.#read ??= me.ready().then(async () => {
      if (me.known) await api.myPuzzles().then((tries) => this.#keep(tries), () => (this.#read = undefined));
    }));

  /** Forget everything in this browser. */
  forget(): void {
    this.#tries = [];
    store(NAME, []);
  }

  #keep(tries: PastTry[]): void {
    this.#tries = merged(this.#tries, tries);
    store(NAME, this.#tries);
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

/** The puzzles of the house, fetched once a day, and what I have tried. */
export function books(): Promise<PuzzleBook[]> {
  const day = dayOf(Date.now());
  if (fetched?.day !== day) {
    fetched = { day, books: Promise.all([api.puzzles(), progress.read()]).then(([found]) => found) };
    fetched.books.catch(() => (fetched = undefined));
  }
  return fetched.books;
}
