/** Dividing a frame among points: each gets what is nearest to it. */
import type { Point } from "../types";

/** Left, top, width, height. */
export type Frame = [number, number, number, number];

export interface Division {
  outlines: Point[][];
  /** By cell: those with which it shares a border long enough to be seen. */
  near: Set<number>[];
}

/** A corner of a cell, and the cell on the other side of the edge that starts there; -1 for the frame. */
type Corner = [x: number, y: number, beyond: number];

/** Borders shorter than this part of the frame's larger side are only seen as corners. */
const SHORTEST = 0.008;

/** Keep the part of a convex cell that is nearer to `a` than to `b`. */
function cut(cell: Corner[], [ax, ay]: Point, [bx, by]: Point, other: number): Corner[] {
  const [mx, my, nx, ny] = [(ax + bx) / 2, (ay + by) / 2, bx - ax, by - ay];
  const beyond = ([x, y]: Corner): number => (x - mx) * nx + (y - my) * ny;
  const kept: Corner[] = [];
  cell.forEach((here, i) => {
    const next = cell[(i + 1) % cell.length]!;
    const [from, to] = [beyond(here), beyond(next)];
    if (from <= 0) kept.push(here);
    if (from < 0 !== to < 0 && from !== to) {
      const part = from / (from - to);
      const x = here[0] + (next[0] - here[0]) * part;
      const y = here[1] + (next[1] - here[1]) * part;
      // Where the way leads out, the new border begins; where it leads in again, the old edge goes on.
      kept.push([x, y, from < 0 ? other : here[2]]);
    }
  });
  return kept;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** The corners to a tenth, without those that coincide. */
function outlineOf(cell: Corner[]): Point[] {
  const points = cell.map(([x, y]): Point => [rounded(x), rounded(y)]);
  return points.filter(([x, y], i) => {
    const [px, py] = points[(i + points.length - 1) % points.length]!;
    return x !== px || y !== py;
  });
}

/** Divide a frame among points in it. */
export function divide(points: Point[], [left, top, width, height]: Frame): Division {
  const shortest = SHORTEST * Math.max(width, height);
  const near = points.map(() => new Set<number>());
  const outlines = points.map((point, i) => {
    let cell: Corner[] = [
      [left, top, -1],
      [left + width, top, -1],
      [left + width, top + height, -1],
      [left, top + height, -1],
    ];
    points.forEach((other, j) => {
      if (j !== i) cell = cut(cell, point, other, j);
    });
    cell.forEach(([x, y, beyond], k) => {
      const [nx, ny] = cell[(k + 1) % cell.length]!;
      if (beyond >= 0 && Math.hypot(nx - x, ny - y) >= shortest) near[i]!.add(beyond);
    });
    return outlineOf(cell);
  });
  // A border is one for both sides, whatever was lost to rounding.
  near.forEach((others, i) => others.forEach((j) => near[j]!.add(i)));
  return { outlines, near };
}
