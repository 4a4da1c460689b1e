/** Everybody's points when a game is over. */

/** Something that brought points, as the house tells it; games add fields to draw it. */
export interface Tallied {
  part: string;
  points: number;
  [field: string]: unknown;
}

export interface Points {
  seat: number;
  total: number;
  /** The parts of the score, each with what it comes from. */
  parts: { key: string; value: number; from: Tallied[] }[];
}

/** The points of a seat by part. What was tallied but is no part of the score brings nothing: it comes last. */
export function pointsOf(seat: number, score: { total: number } & Record<string, unknown>, parts: readonly string[], tally: Tallied[] = []): Points {
  const more = tally.map(({ part }) => part).filter((part, i, all) => !parts.includes(part) && all.indexOf(part) === i);
  return {
    seat,
    total: score.total,
    parts: [...parts, ...more].map((key) => ({ key, value: Number(score[key] ?? 0), from: tally.filter(({ part }) => part === key) })),
  };
}
