/** A board that is being made: what is in it, and every way to change it. Drafts are never modified. */
import type { Family, Named, Point } from "../types";
import { divide, type Frame } from "./cells";

export interface DraftSpace {
  key: string;
  name: Named;
  kind: "land" | "water";
  neighbours: string[];
  centre: Point;
  outline: Point[];
}

export interface DraftGood {
  key: string;
  name: Named;
  /** Empty if it is nowhere yet. */
  space: string;
}

export interface Draft {
  key: string;
  name: Named;
  /** For how many players a board with fewer families or goods is; null for a full one. */
  players: number | null;
  families: Family[];
  /** In the order of their numbers. */
  goods: DraftGood[];
  spaces: DraftSpace[];
  /** Whether outlines are cut around the centres, rather than drawn by hand. */
  cells: boolean;
  /** Pairs of spaces that are neighbours, or not, whatever their outlines say. */
  joins: Record<string, boolean>;
}

export const MOST_SPACES = 128;
export const FULL = { families: 10, goods: 33, players: 5 };
/** As `registan.games.samarkand.map.faults` has them. */
export const leastFamilies = (players: number): number => Math.max(6, 2 * players);
export const leastGoods = (players: number): number => 5 * players + 3;

const pair = (a: string, b: string): string => [a, b].sort().join(" ");
export const spaceOf = (draft: Draft, key: string | null): DraftSpace | undefined =>
  draft.spaces.find((space) => space.key === key);
export const familyAt = (draft: Draft, space: string): Family | undefined =>
  draft.families.find(({ start }) => start === space);
export const goodAt = (draft: Draft, space: string): number => draft.goods.findIndex((good) => good.space === space);

/** The rectangle around all outlines. */
export function frameOf(draft: Draft): Frame {
  const points = draft.spaces.flatMap(({ outline }) => outline);
  if (!points.length) return [0, 0, 1000, 600];
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/** Cut the outlines around the centres, and let borders decide who is a neighbour, but for what was joined by hand. */
export function recut(draft: Draft, frame: Frame): Draft {
  const { outlines, near } = divide(draft.spaces.map(({ centre }) => centre), frame);
  const spaces = draft.spaces.map((space, i) => ({
    ...space,
    outline: outlines[i]!,
    neighbours: draft.spaces
      .filter((other, j) => j !== i && (draft.joins[pair(space.key, other.key)] ?? near[i]!.has(j)))
      .map(({ key }) => key),
  }));
  return { ...draft, spaces, cells: true };
}

/** A draft whose outlines follow the centres; who is a neighbour of whom stays as it is. */
function asCells(draft: Draft): Draft {
  if (draft.cells) return draft;
  const { near } = divide(draft.spaces.map(({ centre }) => centre), frameOf(draft));
  const joins: Record<string, boolean> = {};
  draft.spaces.forEach((space, i) =>
    draft.spaces.slice(0, i).forEach((other, j) => {
      const joined = space.neighbours.includes(other.key) && other.neighbours.includes(space.key);
      if (joined !== near[i]!.has(j)) joins[pair(space.key, other.key)] = joined;
    }),
  );
  return recut({ ...draft, joins }, frameOf(draft));
}

const closest = (draft: Draft, [x, y]: Point, but: string): number =>
  Math.min(...draft.spaces.filter(({ key }) => key !== but).map(({ centre }) => Math.hypot(centre[0] - x, centre[1] - y)), Infinity);

/** How near two centres may be. */
const CLOSE = 0.018;

/** Move the centre of a space; outlines and borders follow. Nothing changes if it would be too near another. */
export function move(draft: Draft, key: string, [x, y]: Point): Draft {
  const frame = frameOf(draft);
  const [left, top, width, height] = frame;
  const gap = CLOSE * Math.max(width, height);
  const within = (at: number, low: number, size: number): number => Math.round(Math.max(low + gap, Math.min(low + size - gap, at)) * 10) / 10;
  const centre: Point = [within(x, left, width), within(y, top, height)];
  if (closest(draft, centre, key) < gap) return draft;
  const cells = asCells(draft);
  return recut({ ...cells, spaces: cells.spaces.map((space) => (space.key === key ? { ...space, centre } : space)) }, frame);
}

/** A key that no space has. */
function freshKey(taken: Set<string>, wish: string): string {
  let key = wish;
  for (let n = 2; taken.has(key); n++) key = `${wish}-${n}`;
  return key;
}

const keysOf = (list: { key: string }[]): Set<string> => new Set(list.map(({ key }) => key));

/** Where there is most room for another space: the corner of an outline that is farthest from all centres. */
function roomiest(draft: Draft): Point {
  const [left, top, width, height] = frameOf(draft);
  const inner = ([x, y]: Point): Point => [
    Math.max(left + width * 0.06, Math.min(left + width * 0.94, x)),
    Math.max(top + height * 0.06, Math.min(top + height * 0.94, y)),
  ];
  const corners = draft.spaces.flatMap(({ outline }) => outline).map(inner);
  return corners.reduce<[Point, number]>(
    (best, corner) => {
      const room = closest(draft, corner, "");
      return room > best[1] ? [corner, room] : best;
    },
    [[left + width / 2, top + height / 2], -1],
  )[0];
}

/** Add a space, by default where there is most room; null if there is none. */
export function addSpace(draft: Draft, at: Point = roomiest(draft)): { draft: Draft; key: string } | null {
  if (draft.spaces.length >= MOST_SPACES) return null;
  const frame = frameOf(draft);
  if (closest(draft, at, "") < CLOSE * Math.max(frame[2], frame[3])) return null;
  const cells = asCells(draft);
  const key = freshKey(keysOf(draft.spaces), "place");
  const centre: Point = [Math.round(at[0] * 10) / 10, Math.round(at[1] * 10) / 10];
  const name = { en: "New place", fr: "Nouveau lieu" };
  const space: DraftSpace = { key, name, kind: "land", neighbours: [], centre, outline: [] };
  return { draft: recut({ ...cells, spaces: [...cells.spaces, space] }, frame), key };
}

/** Remove a space; what was there is nowhere until it gets another place. */
export function removeSpace(draft: Draft, key: string): Draft {
  if (draft.spaces.length < 2) return draft;
  const frame = frameOf(draft);
  const cells = asCells(draft);
  return recut(
    {
      ...cells,
      spaces: cells.spaces.filter((space) => space.key !== key),
      families: cells.families.map((family) => (family.start === key ? { ...family, start: "" } : family)),
      goods: cells.goods.map((good) => (good.space === key ? { ...good, space: "" } : good)),
      joins: Object.fromEntries(Object.entries(cells.joins).filter(([both]) => !both.split(" ").includes(key))),
    },
    frame,
  );
}

/** Make two spaces neighbours, or not. */
export function join(draft: Draft, a: string, b: string, joined: boolean): Draft {
  if (a === b) return draft;
  const list = (space: DraftSpace, other: string): DraftSpace => {
    const rest = space.neighbours.filter((key) => key !== other);
    return { ...space, neighbours: joined ? [...rest, other] : rest };
  };
  const spaces = draft.spaces.map((space) => (space.key === a ? list(space, b) : space.key === b ? list(space, a) : space));
  return { ...draft, spaces, joins: { ...draft.joins, [pair(a, b)]: joined } };
}

/** Change the names or the kind of a space. */
export function changeSpace(draft: Draft, key: string, change: Partial<Pick<DraftSpace, "name" | "kind">>): Draft {
  return { ...draft, spaces: draft.spaces.map((space) => (space.key === key ? { ...space, ...change } : space)) };
}

/** Put a family's home or a good on a space, or nothing. Whatever was there makes room. */
export function furnish(draft: Draft, space: string, what: { family?: string; good?: string }): Draft {
  const families = draft.families.map((family) =>
    family.key === what.family ? { ...family, start: space } : family.start === space ? { ...family, start: "" } : family,
  );
  const goods = draft.goods.map((good) =>
    good.key === what.good ? { ...good, space } : good.space === space ? { ...good, space: "" } : good,
  );
  return { ...draft, families, goods };
}

export function changeFamily(draft: Draft, key: string, change: Partial<Family>): Draft {
  return { ...draft, families: draft.families.map((family) => (family.key === key ? { ...family, ...change } : family)) };
}

export function changeGood(draft: Draft, key: string, change: Partial<DraftGood>): Draft {
  return { ...draft, goods: draft.goods.map((good) => (good.key === key ? { ...good, ...change } : good)) };
}

/** Add a family or a good that a full board has and this one does not. */
export function addFamily(draft: Draft, full: Draft): Draft {
  const family = full.families.find(({ key }) => !keysOf(draft.families).has(key));
  return family ? { ...draft, families: [...draft.families, { ...family, start: "" }] } : draft;
}

export function addGood(draft: Draft, full: Draft): Draft {
  const good = full.goods.find(({ key }) => !keysOf(draft.goods).has(key));
  return good ? { ...draft, goods: [...draft.goods, { ...good, space: "" }] } : draft;
}

export function removeFamily(draft: Draft, key: string): Draft {
  return { ...draft, families: draft.families.filter((family) => family.key !== key) };
}

export function removeGood(draft: Draft, key: string): Draft {
  return { ...draft, goods: draft.goods.filter((good) => good.key !== key) };
}

/** A new board for some players: a grid of places, homes far apart, goods on most of the rest, and a little water. */
export function fresh(full: Draft, players: number): Draft {
  const [families, goods] = players >= FULL.players ? [FULL.families, FULL.goods] : [leastFamilies(players), leastGoods(players)];
  const across = Math.ceil(Math.sqrt((families + goods + 6) * 1.6));
  const down = Math.ceil((families + goods + 6) / across);
  const [width, height] = [1000, Math.round((1000 / across) * down * 0.9)];
  const spaces: DraftSpace[] = [];
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      // Every other row is half a step to the right, and nothing is quite straight.
      const shake = (n: number): number => (((row * 7 + column * 13 + n * 5) % 11) / 11 - 0.5) * 0.28;
      const x = ((column + 0.28 + 0.44 * (row % 2) + 0.28 * (1 + shake(1))) / (across + 0.3)) * width;
      const y = ((row + 0.5 + shake(2)) / down) * height;
      const number = spaces.length + 1;
      const name = { en: `Place ${number}`, fr: `Lieu ${number}` };
      spaces.push({ key: `place-${number}`, name, kind: "land", neighbours: [], centre: [Math.round(x * 10) / 10, Math.round(y * 10) / 10], outline: [] });
    }
  }
  const blank: Draft = {
    key: "my-board",
    name: { en: "My board", fr: "Mon plateau" },
    players: players >= FULL.players ? null : players,
    families: [],
    goods: [],
    spaces,
    cells: true,
    joins: {},
  };
  const cut = recut(blank, [0, 0, width, height]);
  const homes = farApart(cut.spaces, families);
  const water = new Set(farApart(cut.spaces.filter(({ key }) => !homes.includes(key)), 2));
  const land = cut.spaces.filter(({ key }) => !homes.includes(key) && !water.has(key));
  const plain = new Set(farApart(land, land.length - goods));
  const rest = land.filter(({ key }) => !plain.has(key)).map(({ key }) => key);
  return {
    ...cut,
    spaces: cut.spaces.map((space) => (water.has(space.key) ? { ...space, kind: "water" as const } : space)),
    families: full.families.slice(0, families).map((family, i) => ({ ...family, start: homes[i] ?? "" })),
    goods: full.goods.slice(0, goods).map((good, i) => ({ ...good, space: rest[i] ?? "" })),
  };
}

/** Spaces that are far from each other, chosen one after the other. */
function farApart(spaces: DraftSpace[], count: number): string[] {
  const chosen: DraftSpace[] = [];
  while (chosen.length < count && chosen.length < spaces.length) {
    const away = (space: DraftSpace): number =>
      Math.min(...chosen.map(({ centre }) => Math.hypot(centre[0] - space.centre[0], centre[1] - space.centre[1])), Infinity);
    const left = spaces.filter((space) => !chosen.includes(space));
    chosen.push(left.reduce((best, space) => (chosen.length && away(space) > away(best) ? space : best)));
  }
  return chosen.map(({ key }) => key);
}
