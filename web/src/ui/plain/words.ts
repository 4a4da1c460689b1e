/**
 * The texts of any game: its messages if it has them, otherwise the names of fields.
 *
 * `<game>.view.<field>` names a field, `<game>.<field>.<value>` one of its values, `<game>.tell.<do>` a line of the log
 * (its placeholders are the fields of the line, and `who`), `<game>.tell.<do>.offer` a legal move,
 * `<game>.do.<do>` a kind of move, `<game>.ask.<asked>` a question, `<game>.part.<part>` a part of the score.
 */
import { find, listing, number, t } from "../../lib/messages.svelte";
import type { Brings, GameView, Line, Move } from "../../lib/types";
import { pointsOf, type Points, type Tallied } from "../../lib/points";

type Who = (seat: number) => string;

/** The fields whose numbers are seats. */
const SEATS = new Set(["seat", "seats", "whom", "waiting", "winners"]);

/** The fields that are lists of numbers by seat. */
export const BY_SEAT = new Set(["points", "scores"]);

const spaced = (key: string): string => key.replaceAll("_", " ");

export function label(game: string, field: string): string {
  return find(`${game}.view.${field}`) ?? spaced(field);
}

/** The value of a field as text. */
export function said(game: string, field: string, value: unknown, who: Who): string {
  if (value === null || value === undefined || value === "") return "–";
  if (Array.isArray(value)) {
    // A list inside a list is one item: "red 7, blue 5".
    const one = (it: unknown): string => (Array.isArray(it) ? it.map(one).join(" ") : said(game, field, it, who));
    return value.map(one).join(", ") || "–";
  }
  if (typeof value === "boolean") return t(value ? "web.yes" : "web.no");
  if (typeof value === "number") return SEATS.has(field) ? who(value) : number(value);
  if (typeof value === "object") return described(game, value, who);
  return find(`${game}.${field}.${String(value)}`) ?? spaced(String(value));
}

/** Fields and their values: "colour red, value 4". */
function described(game: string, fields: object, who: Who): string {
  return Object.entries(fields)
    .map(([field, value]) => `${label(game, field)} ${said(game, field, value, who)}`)
    .join(", ");
}

/** A line of the log, or a legal move, as text; null for an empty line. */
export function tell(game: string, line: Line, who: Who): string | null {
  const { seat, do: does, chance, ...fields } = line;
  if (!does && !chance && !Object.keys(fields).length) return null;
  const kind = does ?? chance ?? "";
  // Numbers stay numbers, so that messages can have plurals.
  const plain = ([field, value]: [string, unknown]) => [field, typeof value === "number" && !SEATS.has(field) ? value : said(game, field, value, who)];
  const values = Object.fromEntries(Object.entries(fields).map(plain)) as Record<string, unknown>;
  const offered = does !== undefined && seat === undefined;
  const own = find(`${game}.tell.${kind}${offered ? ".offer" : ""}`, seat === undefined ? values : { ...values, who: who(seat) });
  if (own !== undefined) return own;
  const what = [kind && (find(`${game}.do.${kind}`) ?? spaced(kind)), described(game, fields, who)].filter(Boolean).join(": ");
  if (offered) return what;
  return seat === undefined ? t("web.plain.event", { what }) : t("web.plain.line", { who: who(seat), what });
}

/** Legal moves as texts; equal ones add the fields in which they differ. */
function offers(game: string, moves: Move[], who: Who): string[] {
  const told = moves.map((move) => tell(game, move, who) ?? "");
  return told.map((text, i) => {
    if (told.indexOf(text) === told.lastIndexOf(text)) return text;
    const alike = moves.filter((_, j) => told[j] === text);
    const differ = Object.entries(moves[i]!).filter(([field, value]) => alike.some((one) => `${one[field] as string}` !== `${value as string}`));
    return differ.length ? `${text} (${described(game, Object.fromEntries(differ), who)})` : text;
  });
}

/** The question to me, or whom we wait for. */
export function question(game: string, view: GameView, mine: boolean, who: Who): string {
  if (!view.waiting.length) return t("web.plain.over");
  if (mine) return find(`${game}.ask.${view.asked}`) ?? t("web.plain.turn");
  return t("web.plain.wait", { who: listing(view.waiting.map(who)) });
}

/** What a move would bring, in short sentences. */
export function brought(game: string, brings: Brings | null | undefined, who: Who): string[] {
  if (!brings) return [];
  const item = (n: number, key: string): string => find(`${game}.item.${key}`, { n }) ?? `${number(n)} ${spaced(key)}`;
  const items = (list: [number, string][]): string => listing(list.map(([n, key]) => item(n, key)));
  const open = (brings.open ?? []).map((word) => find(`${game}.open.${word}`) ?? spaced(word));
  return [
    brings.points && t("brings.points", { sign: brings.points < 0 ? "−" : "+", n: Math.abs(brings.points) }),
    brings.gets?.length && t("brings.gets", { items: items(brings.gets) }),
    brings.pays?.length && t("brings.pays", { items: items(brings.pays) }),
    ...(brings.others ?? []).map(([seat, n, key]) => t("brings.others", { who: who(seat), items: item(n, key) })),
    open.length && t("brings.open", { words: listing(open) }),
    brings.ends && t("brings.ends"),
  ].filter((sentence) => typeof sentence === "string");
}

export interface Group {
  name: string;
  moves: { move: Move; text: string; brings: Brings | null }[];
}

/** Up to this many moves are not grouped. */
const FEW = 12;

/** The legal moves; many of them are grouped by the first fields in which they differ. */
export function grouped(game: string, view: GameView, who: Who): Group[] {
  const texts = offers(game, view.legal, who);
  const moves = view.legal.map((move, i) => ({ move, text: texts[i]!, brings: view.brings[i] ?? null }));
  return split(game, { name: "", moves }, who);
}

function split(game: string, group: Group, who: Who, after: string[] = []): Group[] {
  const { name, moves } = group;
  if (moves.length <= FEW) return [group];
  const fields = [...new Set(moves.flatMap(({ move }) => Object.keys(move)))].filter((field) => !after.includes(field));
  const field = fields.find((one) => alike(moves, one).length > 1);
  if (!field || alike(moves, field).length === moves.length) return [group];
  return alike(moves, field).flatMap((same) => {
    const value = same[0]!.move[field];
    const here = field === "do" ? (find(`${game}.do.${String(value)}`) ?? spaced(String(value))) : `${label(game, field)}: ${said(game, field, value, who)}`;
    return split(game, { name: name ? `${name} · ${here}` : here, moves: same }, who, [...after, field]);
  });
}

/** The moves, grouped by the value of a field. */
function alike(moves: Group["moves"], field: string): Group["moves"][] {
  const found = new Map<string, Group["moves"]>();
  for (const one of moves) {
    const value = JSON.stringify(one.move[field] ?? null);
    found.set(value, [...(found.get(value) ?? []), one]);
  }
  return [...found.values()];
}

/** Everybody's points when the game is over: by part if `seats` have a `score`, otherwise the total. */
export function result(view: GameView): Points[] | null {
  const { seats, points } = view as { seats?: { score?: Record<string, unknown> | null; tally?: Tallied[] }[]; points?: unknown };
  if (!seats && Array.isArray(points) && !view.waiting.length) {
    return points.map((total: number, seat) => ({ seat, total, parts: [] }));
  }
  if (!seats?.length || seats.some(({ score }) => typeof score?.total !== "number")) return null;
  return seats.map(({ score, tally }, seat) => {
    const parts = Object.entries(score!).flatMap(([key, value]) => (key !== "total" && typeof value === "number" ? [key] : []));
    return pointsOf(seat, score as { total: number }, parts, tally);
  });
}
