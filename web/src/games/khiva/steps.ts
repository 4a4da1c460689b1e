/** What a step did, found by comparing the views before and after it. */
import type { Line } from "../../lib/types";
import type { Card, Carpet, Colour, KhivaSeat, KhivaView, Place } from "./types";
import { colourOf, valueOf } from "./types";

export interface Gain {
  seat: number;
  /** Where it happened, null at the seat's own counter. */
  place: Place;
  kind: "gem" | "carpet" | "sack" | "teapot";
  text: string;
  colour?: Colour;
}

export interface Walked {
  camel: Colour;
  seat: number;
  from: Place;
  to: Place;
  /** What was on its back. */
  teapot: number | null;
}

export interface Step {
  walk: Walked | null;
  gains: Gain[];
  /** What each player gained or lost, by seat. */
  changes: Partial<Record<Kind, number>>[];
}

export type Kind = "gems" | "teapots" | "delivered" | "undelivered" | "salt";
const KINDS: readonly Kind[] = ["gems", "teapots", "delivered", "undelivered", "salt"];

export const NOTHING: Step = { walk: null, gains: [], changes: [] };

const count = (of: number | unknown[]): number => (typeof of === "number" ? of : of.length);

/** Compare two views; `news` are the lines of the record between them. */
export function compare(before: KhivaView | null, after: KhivaView, news: Line[]): Step {
  if (!before || before.players !== after.players || !news.length) return NOTHING;
  const changes = after.seats.map((now, seat) => changed(before.seats[seat]!, now));
  const moves = news.filter((line) => line.do === "move" || line.do === "take");
  const line = moves.length === 1 ? moves[0]! : null;
  if (!line) return { walk: null, gains: [], changes };
  const seat = line.seat!;
  if (line.do === "take") {
    const place = before.camels[before.camel!].place;
    return { walk: null, gains: taken(before, after, seat, place), changes };
  }
  const camel = line.camel as Colour;
  const { place: from, teapot } = before.camels[camel];
  const to = after.camels[camel].place;
  return { walk: { camel, seat, from, to, teapot }, gains: gained(before, after, seat, camel, to), changes };
}

function changed(was: KhivaSeat, now: KhivaSeat): Partial<Record<Kind, number>> {
  const found: Partial<Record<Kind, number>> = {};
  for (const kind of KINDS) {
    const more = count(now[kind]) - count(was[kind]);
    if (more) found[kind] = more;
  }
  return found;
}

function gained(before: KhivaView, after: KhivaView, seat: number, camel: Colour, to: Place): Gain[] {
  if (!to) {
    const { teapot } = before.camels[camel];
    const gains: Gain[] = teapot ? [{ seat, place: null, kind: "teapot", text: `+${teapot}` }] : [];
    const carpets = before.seats[seat]!.undelivered.filter(([colour]) => colour === camel);
    const worth = carpets.reduce((sum, [, value]) => sum + value, 0);
    if (worth) gains.push({ seat, place: null, kind: "carpet", colour: camel, text: `+${worth}` });
    return gains;
  }
  const shop = to[1];
  if (shop === 1 || shop === 3) return [{ seat, place: to, kind: "gem", text: `+${after.shop_gems[`${shop}`]}` }];
  return shop === 2 ? taken(before, after, seat, to) : [];
}

/** The carpet or the sack that a seat has taken. */
function taken(before: KhivaView, after: KhivaView, seat: number, place: Place): Gain[] {
  const [was, now] = [before.seats[seat]!, after.seats[seat]!];
  const same = (a: Carpet, b: Carpet): boolean => a[0] === b[0] && a[1] === b[1];
  const carpet = now.undelivered.find((one) => !was.undelivered.some((old) => same(one, old)));
  if (carpet) return [{ seat, place, kind: "carpet", colour: carpet[0], text: `${carpet[1]}` }];
  const sack = now.salt.find((value) => !was.salt.includes(value));
  return sack === undefined ? [] : [{ seat, place, kind: "sack", text: `${sack}` }];
}

export interface Bid {
  seat: number;
  card: Card;
  /** The lowest card moves the camel, all others earn a gem. */
  moves: boolean;
}

/** The cards played for each camel in this turn, the one that moves it first. */
export function bids(view: KhivaView, log: Line[]): Record<Colour, Bid[]> {
  const found: Record<Colour, Bid[]> = { white: [], blue: [], green: [], pink: [], black: [] };
  if (view.asked !== "move" && view.asked !== "take") return found;
  const lines = log.filter((line) => line.do === "choose").slice(-view.players);
  for (const line of lines)
    for (const card of line.play as Card[]) found[colourOf(card)].push({ seat: line.seat!, card, moves: false });
  for (const cards of Object.values(found)) {
    cards.sort((a, b) => valueOf(a.card) - valueOf(b.card));
    if (cards[0]) cards[0].moves = true;
  }
  return found;
}
