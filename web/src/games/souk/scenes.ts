/**
 * The outcome of every stop, read from the lines of the log and from the views before and after them. Money is behind
 * screens, so we say who could not pay only if it follows from what is visible.
 */
import type { Line } from "../../lib/types";
import { count, same, type Item, type NameLine, type SoukView, type StopLine } from "./types";

/**
 * sold: to the only one who wanted it and could pay. doyen: several wanted it, the doyen gets it (M12). dispute: nobody
 * gets it, each pays half (M13). unsold: nobody who named it could pay (M14). unknown: it does not follow from the views.
 */
export type Outcome = "sold" | "doyen" | "dispute" | "unsold" | "unknown";

export interface Deal {
  item: Item;
  /** The seller, null for the bank. */
  seller: number | null;
  /** Who named it. */
  names: number[];
  outcome: Outcome;
  buyer: number | null;
  /** What each payer pays: the price, or half of it. */
  pays: number;
  /** The seats that certainly could not pay. */
  fined: number[];
  /** Whether those who named it could pay is not known. */
  unsure?: boolean;
}

export interface Scene {
  price: number;
  stops: number[];
  doyen: number;
  /** Empty until those who stopped have named something. */
  deals: Deal[];
}

export interface Block {
  price: number;
  stops: number[];
  names: NameLine[];
  reshuffled: boolean;
}

/** The stops in lines of one round; names at the beginning belong to the stop that `before` shows. */
export function blocks(before: SoukView | null, lines: Line[]): Block[] {
  const found: Block[] = [];
  if (before?.asked === "name") found.push({ price: before.price ?? 0, stops: before.stopped, names: [], reshuffled: false });
  for (const line of lines) {
    const stop = line as StopLine;
    if (stop.stops) found.push({ price: stop.price, stops: stop.stops, names: [], reshuffled: false });
    else if (line.do === "name") found.at(-1)?.names.push(line as NameLine);
    else if (line.chance) found.at(-1)!.reshuffled = true;
  }
  return found;
}

/** What happened between two views of the same round; the lines are those added to the log in between. */
export function scenes(before: SoukView, after: SoukView, lines: Line[]): Scene[] {
  const found = blocks(before, lines);
  return found.map((block, i) => ({
    price: block.price,
    stops: block.stops,
    doyen: before.doyen,
    deals: items(block).map((item) => deal(before, after, found, i, item)),
  }));
}

/** Whether lines contain stops of more than one round: a replay may skip. */
export function overRounds(lines: Line[]): boolean {
  const end = lines.findIndex((line) => line.price === 0);
  return end >= 0 && lines.slice(end + 1).some((line) => (line as StopLine).stops?.length);
}

/** The stops of the current round from the log alone, for a page that was opened during it. */
export function remembered(view: SoukView, log: Line[]): Scene[] {
  const start = log.findLastIndex((line) => (line as StopLine).price === 0) + 1;
  const found = blocks(null, log.slice(start));
  return found.map((block, i) => ({
    price: block.price,
    stops: block.stops,
    doyen: view.doyen,
    deals: items(block).map((item) => {
      const names = namesOf(block, item);
      const base = { item, seller: sellerOf(view, item), names, buyer: null, pays: block.price, fined: [] };
      const later = found.slice(i + 1).some((other) => namesOf(other, item).length);
      if (item !== "camel" && (later || forSale(view, item))) return { ...base, outcome: "unsold", fined: names };
      if (item === "camel" && block.reshuffled) return { ...base, outcome: "dispute", pays: half(block.price) };
      if (item === "camel" || names.length > 1) return { ...base, outcome: "unknown" };
      return { ...base, outcome: "sold", buyer: names[0]! };
    }),
  }));
}

export function items(block: Block): Item[] {
  if (block.names.length < block.stops.length) return [];
  return block.names.map((line) => line.item).filter((item, i, all) => all.findIndex((other) => same(item, other)) === i);
}

export function namesOf(block: Block, item: Item): number[] {
  return block.names.filter((line) => same(line.item, item)).map((line) => line.seat);
}

function forSale(view: SoukView, item: Item): boolean {
  return view.for_sale.some((sale) => same(sale.item, item));
}

export function sellerOf(view: SoukView, item: Item): number | null {
  const seat = item === "camel" ? -1 : view.seats.findIndex((place) => place.type === item[0]);
  return seat < 0 ? null : seat;
}

/** M13: rounded up. */
export function half(price: number): number {
  return Math.ceil(price / 2);
}

function deal(before: SoukView, after: SoukView, all: Block[], at: number, item: Item): Deal {
  const block = all[at]!;
  const names = namesOf(block, item);
  const base: Deal = {
    item,
    seller: sellerOf(before, item),
    names,
    outcome: "unknown",
    buyer: null,
    pays: block.price,
    fined: [],
  };
  const later = all.slice(at + 1).some((other) => namesOf(other, item).length);
  if (item !== "camel" && later) return { ...base, outcome: "unsold", fined: names };
  const bought = names.map((seat) => hasBought(before, after, all, seat, item));
  // M8: purchases are behind screens. If all others are excluded, the remaining one bought it.
  if (!bought.includes(true) && bought.filter((one) => one === null).length === 1) bought[bought.indexOf(null)] = true;
  if (!bought.includes(true) && bought.includes(null)) return base;
  const buyer = names[bought.indexOf(true)] ?? null;
  if (buyer !== null) {
    // M12: without the doyen, two who could pay would have had a dispute, so the others could not pay.
    const mightPay = buyer === before.doyen && names.length > 1;
    const fined = mightPay ? [] : names.filter((seat) => seat !== buyer);
    return { ...base, outcome: mightPay ? "doyen" : "sold", buyer, fined };
  }
  const disputed = item === "camel" ? block.reshuffled : names.length > 1 && !forSale(after, item);
  // M11: at the end of the round unsold goods leave the game too, so we cannot tell whether two could pay.
  if (disputed && item !== "camel" && after.round !== before.round) return base;
  if (disputed && item !== "camel" && after.asked === "over") return base;
  if (disputed) return { ...base, outcome: "dispute", pays: half(block.price) };
  return { ...base, outcome: "unsold", fined: names };
}

/** Whether a seat has bought what it named, null if unknown. */
function hasBought(before: SoukView, after: SoukView, all: Block[], seat: number, item: Item): boolean | null {
  const [then, now] = [before.seats[seat]!, after.seats[seat]!];
  const named = all.flatMap((block) => block.names).filter((line) => line.seat === seat);
  if (item === "camel") {
    const times = named.filter((line) => line.item === "camel").length;
    const more = count(now.camels) - count(then.camels);
    return more === 0 ? false : more === times ? true : null;
  }
  const of = (goods: Item[]) => goods.filter((other) => same(other, item)).length;
  if (now.goods && then.goods) return of(now.goods) > of(then.goods);
  return forSale(after, item) || of(after.discarded) > of(before.discarded) ? false : null;
}
