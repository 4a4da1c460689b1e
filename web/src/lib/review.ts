/** The review of a game as the house makes it (docs/review.md), and what follows from it for the page. */
import type { Line, Move } from "./types";

/** A figure with its 95 % interval. */
export interface Figure {
  value: number;
  low: number;
  high: number;
}

export interface SeatReview {
  seat: number;
  result: number;
  par: number;
  luck: Figure;
  own: Figure;
  others: Figure;
  adjusted: Figure;
  decisions: number;
  error_rate: Figure | null;
  accuracy: Figure | null;
  mistakes: number;
  /** The chance to win after lines of the record; -1 is the deal. */
  curve: [number, number][];
}

export interface Judgement {
  line: number;
  seat: number;
  moves: number;
  played: Move;
  best: Move;
  before: number[];
  after: number[];
  cost: Figure;
  mistake: boolean;
  why: Record<string, unknown>[];
}

export interface Stroke {
  line: number;
  what: string;
  luck: Figure[];
}

export interface Review {
  game: string;
  players: number;
  open_hands: boolean;
  simulations: number;
  seats: SeatReview[];
  decisions: Judgement[];
  chance: Stroke[];
}

/**
 * Chances that add up to 1, each raised to the same power, as one takes a bookmaker's margin out of odds: if they do so
 * already, nothing changes, and who is almost sure to win stays so among others who only hope to.
 */
function together(chances: number[]): number[] {
  const doubted = chances.map((chance) => Math.min(0.995, chance));
  const raised = (power: number): number[] => doubted.map((chance) => chance ** power);
  const sum = (some: number[]): number => some.reduce((all, one) => all + one, 0);
  let [low, high] = [0.02, 200];
  for (let i = 0; i < 40; i++) {
    const middle = Math.sqrt(low * high);
    if (sum(raised(middle)) > 1) low = middle;
    else high = middle;
  }
  const found = raised(high);
  return found.map((chance) => chance / (sum(found) || 1));
}

/**
 * Everybody's chance to win in percent, by moment: known after some lines, in between on a straight line. Each seat
 * judges from what it knows, and a good hand that nobody has seen looks like a lead to its owner: so the chances of a
 * moment are made to add up to 100 (`together`).
 */
export function chances(review: Review, lines: number): number[][] {
  const bySeat = review.seats.map(({ curve }) => {
    const known = new Map(curve.map(([line, value]) => [line + 1, value])); // the last one of a line counts
    const at = [...known.keys()].sort((a, b) => a - b);
    return Array.from({ length: lines + 1 }, (_, moment) => {
      const after = at.find((one) => one >= moment) ?? at.at(-1)!;
      const before = at.findLast((one) => one <= moment) ?? after;
      const along = after === before ? 0 : (moment - before) / (after - before);
      return known.get(before)! + along * (known.get(after)! - known.get(before)!);
    });
  });
  return Array.from({ length: lines + 1 }, (_, moment) =>
    together(bySeat.map((seat) => seat[moment]!)).map((chance) => Math.round(1000 * chance) / 10),
  );
}

export interface Turn {
  /** The moment after which everything was different. */
  at: number;
  seat: number;
  /** By how much the seat's chance to win changed, in percent. */
  change: number;
}

/** Where the game turned: the largest changes of a chance (of `chances`) between two moments at which a seat looked. */
export function turningPoints(review: Review, points: number[][], most = 5, least = 8): Turn[] {
  const found = new Map<number, Turn>();
  for (const { seat, curve } of review.seats) {
    const known = [...new Set(curve.map(([line]) => line + 1))];
    known.slice(1).forEach((at, i) => {
      const change = points[at]![seat]! - points[known[i]!]![seat]!;
      if (Math.abs(change) > Math.abs(found.get(at)?.change ?? 0)) found.set(at, { at, seat, change });
    });
  }
  return [...found.values()]
    .filter(({ change }) => Math.abs(change) >= least)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || a.at - b.at)
    .slice(0, most)
    .sort((a, b) => a.at - b.at);
}

/** The mistakes, those that cost most first. */
export function mistakes(review: Review): Judgement[] {
  return review.decisions.filter(({ mistake }) => mistake).sort((a, b) => b.cost.value - a.cost.value || a.line - b.line);
}

/** Every stroke of luck, with what it changed for each seat; those that changed most for somebody first. */
export function strokes(review: Review): Stroke[] {
  const most = (stroke: Stroke): number => Math.max(...stroke.luck.map(({ value }) => Math.abs(value)));
  return [...review.chance].sort((a, b) => most(b) - most(a) || a.line - b.line);
}

/** "+12" or "−3": percent with a sign. */
export function signed(share: number): string {
  const n = Math.round(100 * share);
  return `${n < 0 ? "−" : n > 0 ? "+" : ""}${Math.abs(n)}`;
}

/** Half the width of an interval, in percent. */
export const reach = (figure: Figure): number => Math.round(50 * (figure.high - figure.low));

/** An accuracy in percent. Estimates may lie above the most there is; nobody plays better than the best move. */
export const accuracy = (share: number): number => Math.min(100, Math.round(100 * share));

/** A move as the line of the log that it would be. */
export const lineOf = (move: Move, seat: number): Line => ({ ...move, seat }) as Line;
