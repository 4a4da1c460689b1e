/** Where a game turned: the moments after which somebody was much further ahead or behind than before. */

/** By how many points a seat is ahead of the best of the others. */
function ahead(points: number[], seat: number): number {
  return points[seat]! - Math.max(...points.filter((_, other) => other !== seat));
}

export interface TurningPoint {
  /** After how many lines. */
  at: number;
  /** Who gained most, and how much of a lead. */
  seat: number;
  gain: number;
}

/** The largest swings between two turns, in the order of the game. `ends` are the moments between turns. */
export function turningPoints(points: number[][], ends: number[], most = 5): TurningPoint[] {
  const swings: TurningPoint[] = [];
  for (let i = 1; i < ends.length; i++) {
    const [before, after] = [points[ends[i - 1]!], points[ends[i]!]];
    if (!before || !after || after.length < 2) continue;
    const gains = after.map((_, seat) => ahead(after, seat) - ahead(before, seat));
    const gain = Math.max(...gains);
    if (gain > 0) swings.push({ at: ends[i]!, seat: gains.indexOf(gain), gain });
  }
  return swings
    .sort((a, b) => b.gain - a.gain || a.at - b.at)
    .slice(0, most)
    .sort((a, b) => a.at - b.at);
}
