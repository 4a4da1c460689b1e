/** Drafts as TOML files, from the data of such files, and from the boards that the house draws. */
import type { Board, Family, Named, Point } from "../types";
import type { Frame } from "./cells";
import { frameOf, FULL, MOST_SPACES, recut, type Draft, type DraftGood, type DraftSpace } from "./draft";

const text = (value: string): string => JSON.stringify(value);
const named = ({ en, fr }: Named): string => `{ en = ${text(en)}, fr = ${text(fr)} }`;
const decimal = (value: number): string => (Number.isInteger(value) ? `${value}.0` : String(value));
const point = ([x, y]: Point): string => `[${decimal(x)}, ${decimal(y)}]`;

/** A board file (docs/record.md). */
export function toToml(draft: Draft): string {
  const head = [`key = ${text(draft.key)}`, `name = ${named(draft.name)}`];
  if (draft.players !== null) head.push(`players = ${draft.players}`);
  const families = draft.families.map(
    ({ key, name, colour, symbol, start, dowry }) =>
      `[[families]]\nkey = ${text(key)}\nname = ${named(name)}\ncolour = ${text(colour)}\nsymbol = ${text(symbol)}\nstart = ${text(start)}\ndowry = ${dowry}\n`,
  );
  const goods = draft.goods.map(
    ({ key, name, space }, i) => `[[goods]]\nnumber = ${i + 1}\nkey = ${text(key)}\nname = ${named(name)}\nspace = ${text(space)}\n`,
  );
  const spaces = draft.spaces.map(
    ({ key, name, kind, neighbours, centre, outline }) =>
      `[[spaces]]\nkey = ${text(key)}\nname = ${named(name)}\nkind = ${text(kind)}\nneighbours = [${neighbours.map(text).join(", ")}]\ncentre = ${point(centre)}\noutline = [${outline.map(point).join(", ")}]\n`,
  );
  return [`${head.join("\n")}\n`, ...families, ...goods, ...spaces].join("\n");
}

type Data = Record<string, unknown>;
const list = (value: unknown, most: number): Data[] =>
  Array.isArray(value) ? value.filter((one): one is Data => typeof one === "object" && one !== null).slice(0, most) : [];
const word = (value: unknown, fallback = ""): string => (typeof value === "string" ? value : fallback);
const whole = (value: unknown, fallback: number): number => (typeof value === "number" && Number.isFinite(value) ? value : fallback);
const both = (value: unknown, fallback: string): Named => {
  const { en, fr } = (typeof value === "object" && value !== null ? value : {}) as Data;
  return { en: word(en, fallback), fr: word(fr, fallback) };
};
const at = (value: unknown): Point => {
  const [x, y] = Array.isArray(value) ? (value as unknown[]) : [];
  return [whole(x, 0), whole(y, 0)];
};

/** A draft of the data of a board file, as far as it can be understood; its faults are told by the house. */
export function fromData(data: Data): Draft {
  const families: Family[] = list(data.families, 2 * FULL.families).map((one) => ({
    key: word(one.key),
    name: both(one.name, word(one.key)),
    colour: word(one.colour, "#888888"),
    symbol: word(one.symbol),
    start: word(one.start),
    dowry: whole(one.dowry, 4),
  }));
  const goods: DraftGood[] = list(data.goods, 2 * FULL.goods)
    .sort((one, other) => whole(one.number, 99) - whole(other.number, 99))
    .map((one) => ({ key: word(one.key), name: both(one.name, word(one.key)), space: word(one.space) }));
  const spaces: DraftSpace[] = list(data.spaces, 2 * MOST_SPACES).map((one) => ({
    key: word(one.key),
    name: both(one.name, word(one.key)),
    kind: one.kind === "water" ? "water" : "land",
    neighbours: Array.isArray(one.neighbours) ? one.neighbours.map((key) => word(key)) : [],
    centre: at(one.centre),
    outline: Array.isArray(one.outline) ? one.outline.map(at) : [],
  }));
  const players = typeof data.players === "number" ? data.players : null;
  return { key: word(data.key, "my-board"), name: both(data.name, "My board"), players, families, goods, spaces, cells: false, joins: {} };
}

/** A draft of a board that comes with the game. */
export function fromBoard(board: Board): Draft {
  const points = (outline: string): Point[] => outline.split(" ").map((pair) => pair.split(",").map(Number) as unknown as Point);
  return {
    key: board.key,
    name: board.name,
    players: board.players < FULL.players ? board.players : null,
    families: board.families.map(({ key, name, colour, symbol, start, dowry }) => ({ key, name, colour, symbol, start, dowry })),
    goods: board.goods.map(({ key, name, space }) => ({ key, name, space })),
    spaces: board.spaces.map(({ key, name, kind, neighbours, centre, outline }) => ({ key, name, kind, neighbours, centre, outline: points(outline) })),
    cells: false,
    joins: {},
  };
}

/** What a link carries of a draft: outlines that follow from the centres are left out. */
export function forLink(draft: Draft): unknown {
  if (!draft.cells) return { ...draft, frame: null };
  const spaces = draft.spaces.map(({ key, name, kind, centre }) => ({ key, name, kind, centre }));
  return { ...draft, goods: draft.goods.map((good, i) => ({ ...good, number: i + 1 })), spaces, frame: frameOf(draft) };
}

/** The draft of a link, null if there is none in it. */
export function fromLink(value: unknown): Draft | null {
  const data = (typeof value === "object" && value !== null ? value : {}) as Data;
  const draft = fromData({ ...data, goods: Array.isArray(data.goods) ? (data.goods as Data[]).map((good, i) => ({ ...good, number: i })) : [] });
  if (!draft.spaces.length) return null;
  const frame = Array.isArray(data.frame) ? (data.frame as unknown[]).map((part) => whole(part, 0)) : [];
  if (frame.length !== 4 || !(frame[2]! > 0) || !(frame[3]! > 0)) return draft;
  const joins = Object.entries((data.joins ?? {}) as Data).filter((join): join is [string, boolean] => typeof join[1] === "boolean");
  return recut({ ...draft, joins: Object.fromEntries(joins) }, frame as Frame);
}
