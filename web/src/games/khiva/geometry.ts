/** The layout of the board: the oasis in the middle and one winding path per player, my own at the bottom. */
import { SHOPS, type Place } from "./types";

export interface Point {
  x: number;
  y: number;
}

export interface Arm {
  /** The line from the oasis to the counter, as SVG path data. */
  curve: string;
  /** Where the path leaves the oasis. */
  gate: Point;
  /** The shops, and last the counter. */
  spots: Point[];
  /** The middle of the line to each of them from the one before it, or from the gate. */
  bends: Point[];
}

export interface Plan {
  width: number;
  height: number;
  centre: Point;
  oasis: { rx: number; ry: number };
  /** The places on the Khiva board, one per camel. */
  homes: Point[];
  arms: Arm[];
  /** The radius of a shop. */
  spot: number;
}

/** How far round the oasis a path winds, by the number of players. */
const SWEEPS = [0, 0, 150, 105, 78, 64];
const SAMPLES = 48;
const CAMELS = 5;
const LABEL = 22;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const between = (from: number, to: number, share: number): number => from + (to - from) * share;
const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** The board for an area in pixels, seen from a seat. */
export function plan(players: number, seat: number, width: number, height: number): Plan {
  const wished = clamp(Math.sqrt(width * height) / 20, 13, 34);
  const first = draw(players, seat, width, height, wished);
  // If paths are close to each other, shops are smaller.
  const room = closest(first.arms.flatMap((arm) => arm.spots)) / 2.12;
  return room < wished ? draw(players, seat, width, height, Math.max(12, room)) : first;
}

function draw(players: number, seat: number, width: number, height: number, spot: number): Plan {
  const above = spot * 1.4 + LABEL;
  const below = spot * 1.1 + LABEL;
  const centre = { x: width / 2, y: above + (height - above - below) / 2 };
  const outer = { rx: width / 2 - spot * 1.9 - 6, ry: (height - above - below) / 2 };
  const oasis = {
    rx: clamp(outer.rx * 0.34, spot * 3.3, spot * 5),
    ry: clamp(outer.ry * 0.4, spot * 2.7, spot * 4),
  };
  const homes = Array.from({ length: CAMELS }, (_, camel) => {
    const angle = radians(-90 + (360 / CAMELS) * camel);
    return { x: centre.x + oasis.rx * 0.66 * Math.cos(angle), y: centre.y + oasis.ry * 0.66 * Math.sin(angle) };
  });
  const arms = Array.from({ length: players }, (_, path) => {
    // The left-hand neighbour of the player at the bottom is the next one clockwise.
    const end = 90 + ((path - seat) * 360) / players;
    const points = Array.from({ length: SAMPLES + 1 }, (_, i) => {
      const share = i / SAMPLES;
      const angle = radians(end - (SWEEPS[players] ?? 64) * (1 - share));
      return {
        x: centre.x + between(oasis.rx, outer.rx, share) * Math.cos(angle),
        y: centre.y + between(oasis.ry, outer.ry, share) * Math.sin(angle),
      };
    });
    return arm(points);
  });
  return { width, height, centre, oasis, homes, arms, spot };
}

/** Place the shops and the counter along a line, at equal distances. */
function arm(points: Point[]): Arm {
  const lengths = [0];
  for (let i = 1; i < points.length; i++) lengths.push(lengths[i - 1]! + distance(points[i - 1]!, points[i]!));
  const whole = lengths.at(-1)!;
  const along = (steps: number): Point => at(points, lengths, (whole * Math.max(0, steps + 0.7)) / (SHOPS + 0.7));
  const spots = Array.from({ length: SHOPS + 1 }, (_, j) => along(j));
  const bends = Array.from({ length: SHOPS + 1 }, (_, j) => along(j - 0.5));
  return { curve: line(points), gate: points[0]!, spots, bends };
}

function at(points: Point[], lengths: number[], length: number): Point {
  const next = Math.max(1, lengths.findIndex((here) => here >= length - 1e-6));
  const [from, to] = [points[next - 1]!, points[next]!];
  const share = (length - lengths[next - 1]!) / (lengths[next]! - lengths[next - 1]!);
  return { x: between(from.x, to.x, share), y: between(from.y, to.y, share) };
}

function closest(points: Point[]): number {
  let least = Infinity;
  for (let i = 0; i < points.length; i++)
    for (let j = 0; j < i; j++) least = Math.min(least, distance(points[i]!, points[j]!));
  return least;
}

/** Where a camel stands: its stall, or a shop. */
export function standing(board: Plan, camel: number, place: Place): Point {
  return place ? board.arms[place[0]]!.spots[place[1] - 1]! : board.homes[camel]!;
}

/** The counter of a seat. */
export function counter(board: Plan, seat: number): Point {
  return board.arms[seat]!.spots[SHOPS]!;
}

/** The walk of a camel towards the counter of a seat, up to a place there, null for the counter. */
export function route(board: Plan, camel: number, from: Place, seat: number, to: Place): Point[] {
  const points = [standing(board, camel, from)];
  const back = from !== null && from[0] !== seat;
  if (back) {
    const { spots, bends, gate } = board.arms[from[0]]!;
    const last = to && to[0] === from[0] ? to[1] : 1;
    for (let shop = from[1] - 1; shop >= last; shop--) points.push(bends[shop]!, spots[shop - 1]!);
    if (to && to[0] === from[0]) return points;
    points.push(gate);
  }
  const { spots, bends, gate } = board.arms[seat]!;
  const first = from && !back ? from[1] + 1 : 1;
  if (first === 1) points.push(gate);
  for (let shop = first; shop <= (to ? to[1] : SHOPS + 1); shop++) points.push(bends[shop - 1]!, spots[shop - 1]!);
  return points;
}

/** Points as SVG path data. */
export function line(points: Point[]): string {
  return points.map(({ x, y }, i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}
