/** The layout of the board: the oasis in the middle and one winding path per player, my own at the bottom. */
import { SHOPS, type Place } from "./types";

export interface Point {
  x: number;
  y: number;
}

export interface Arm {
  /** The line from the oasis to the counter, as SVG path data. */
  readonly curve: string;
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
  /** The places on the Khiva board, one per camel, far enough apart that no camel or teapot covers another. */
  homes: Point[];
  /** The foot of the minaret, null where there is no room for it. */
  tower: Point | null;
  arms: Arm[];
  /** The radius of a shop. */
  spot: number;
}

/** How far round the oasis a path winds, by the number of players. */
const SWEEPS = [0, 0, 150, 105, 78, 64];
const SAMPLES = 48;
const LABEL = 22;
const LEAST = 11;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const between = (from: number, to: number, share: number): number => from + (to - from) * share;
const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** A part of the board. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The sizes of a camel with its teapot and its letter, around the place where it stands. */
export function camelSizes(spot: number) {
  const wide = spot * 2.5;
  const tall = (wide * 62) / 66;
  const foot = spot * 0.75;
  const pot = Math.max(28, spot * 1.55);
  const badge = Math.max(8.5, spot * 0.42);
  return { wide, tall, foot, pot, badge, saddle: { x: -wide * 0.12, y: foot - tall * 0.66 } };
}

/** What a camel with its teapot covers around a point. */
export function covered({ x, y }: Point, spot: number): Box {
  const { wide, foot, pot, saddle } = camelSizes(spot);
  const left = Math.min(-wide / 2, saddle.x - pot / 2);
  return { left: x + left, right: x + wide / 2, top: y + saddle.y - pot * 0.85, bottom: y + foot };
}

export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** How the camels stand on the Khiva board: in one row, or in two. */
const ROWS = [[5], [3, 2]];

/** The board for an area in pixels, seen from a seat: with the largest shops for which everything has its own room. */
export function plan(players: number, seat: number, width: number, height: number): Plan {
  const wished = clamp(Math.sqrt(width * height) / 20, 13, 34);
  for (let spot = wished; spot > LEAST; spot--) {
    for (const rows of ROWS) {
      const found = draw(players, seat, width, height, spot, rows);
      if (roomy(found)) return found;
    }
  }
  return draw(players, seat, width, height, LEAST, width > height * 1.3 ? ROWS[0]! : ROWS[1]!);
}

/** Whether shops cover neither each other nor camels on the Khiva board. */
function roomy({ arms, homes, spot }: Plan): boolean {
  const spots = arms.flatMap((arm) => arm.spots);
  if (closest(spots) < spot * 2.12) return false;
  const camels = homes.map((home) => covered(home, spot));
  const around = ({ x, y }: Point): Box => ({ left: x - spot * 0.9, right: x + spot * 0.9, top: y - spot * 0.9, bottom: y + spot * 0.9 });
  return !spots.some((shop) => camels.some((camel) => overlap(around(shop), camel)));
}

function draw(players: number, seat: number, width: number, height: number, spot: number, rows: number[]): Plan {
  const above = spot * 1.4 + LABEL;
  const below = spot * 1.1 + LABEL;
  const centre = { x: width / 2, y: above + (height - above - below) / 2 };
  const outer = { rx: width / 2 - spot * 1.9 - 6, ry: (height - above - below) / 2 };
  const one = covered({ x: 0, y: 0 }, spot);
  const [step, tall] = [one.right - one.left + spot * 0.2, one.bottom - one.top + 3];
  const middle = { x: -(one.left + one.right) / 2, y: -(one.top + one.bottom) / 2 };
  const homes = rows.flatMap((many, row) =>
    Array.from({ length: many }, (_, i) => ({
      x: centre.x + middle.x + (i - (many - 1) / 2) * step,
      y: centre.y + middle.y + (row - (rows.length - 1) / 2) * tall,
    })),
  );
  const single = rows.length === 1;
  // A wide board has room for the minaret beside the row; two rows leave a corner free.
  const wide = single && outer.rx > spot * 17;
  const half = (step * Math.max(...rows)) / 2;
  const oasis = { rx: half + spot * (wide ? 2.6 : 0.7), ry: (tall * rows.length) / 2 + spot * (single ? 0.35 : 0.2) };
  const low = centre.y + (single ? tall * 0.3 : tall * 0.86);
  const tower = wide ? { x: centre.x - half - spot * 0.75, y: low } : single ? null : { x: centre.x - half + spot * 0.5, y: low };
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
  return { width, height, centre, oasis, homes, tower, arms, spot };
}

/** Place the shops and the counter along a line, at equal distances. */
function arm(points: Point[]): Arm {
  const lengths = [0];
  for (let i = 1; i < points.length; i++) lengths.push(lengths[i - 1]! + distance(points[i - 1]!, points[i]!));
  const whole = lengths.at(-1)!;
  const along = (steps: number): Point => at(points, lengths, (whole * Math.max(0, steps + 0.7)) / (SHOPS + 0.7));
  const spots = Array.from({ length: SHOPS + 1 }, (_, j) => along(j));
  const bends = Array.from({ length: SHOPS + 1 }, (_, j) => along(j - 0.5));
  return {
    // Computed on demand: many plans are tried, and only one is drawn.
    get curve() {
      return line(points);
    },
    gate: points[0]!,
    spots,
    bends,
  };
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

/** Where the camera looks: how large the board is shown, and which of its points is at the top left. */
export interface Camera {
  scale: number;
  x: number;
  y: number;
}

const CLOSEST = 2.2;
/** From this size of a shop, everything can be read without a closer look. */
const READABLE = 17;

/** A closer look at some points of a small board, of which so much of the height is in sight; null if it is large enough. */
export function closer(board: Plan, points: Point[], sight = board.height): Camera | null {
  if (board.spot >= READABLE || !points.length) return null;
  const boxes = points.map((point) => covered(point, board.spot));
  const room = board.spot * 0.8;
  const left = Math.min(...boxes.map((box) => box.left)) - room;
  const right = Math.max(...boxes.map((box) => box.right)) + room;
  const top = Math.min(...boxes.map((box) => box.top)) - room;
  const bottom = Math.max(...boxes.map((box) => box.bottom)) + room;
  const scale = clamp(Math.min(board.width / (right - left), sight / (bottom - top)), 1, CLOSEST);
  const [wide, high] = [board.width / scale, sight / scale];
  return {
    scale,
    x: clamp((left + right - wide) / 2, 0, board.width - wide),
    y: clamp((top + bottom - high) / 2, 0, board.height - high),
  };
}

/** The whole board where less of its height is in sight. */
export function farther(board: Plan, sight: number): Camera | null {
  const scale = sight / board.height;
  return scale > 0 && scale < 1 ? { scale, x: (board.width - board.width / scale) / 2, y: 0 } : null;
}
