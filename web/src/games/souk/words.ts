/** Lines of the record as text, with the same messages as `registan.games.souk.text`. */
import { amount } from "../../lib/brings";
import { listing, t } from "../../lib/messages.svelte";
import type { GameView, Line } from "../../lib/types";
import { ICONS } from "../../ui/icons";
import type { Deal } from "./scenes";
import type { Goods, Item, SoukView, Type } from "./types";

export function typeName(type: Type): string {
  return t(`souk.type.${type}`);
}

/** "jewels 7", "the camel". */
export function itemName(item: Item): string {
  return item === "camel" ? t("souk.camel") : t("souk.card", { type: typeName(item[0]), value: item[1] });
}

/** A line of the log, or a legal move (without a seat), as a short sentence. */
export function tell(line: Line, who: (seat: number) => string): string | null {
  if (line.chance) return t("souk.tell.camels");
  if (line.price === 0) return t("souk.tell.round_end");
  if (line.price !== undefined) {
    const stops = (line.stops ?? []) as number[];
    return t("souk.tell.stops", { n: stops.length, who: listing(stops.map(who)), price: line.price });
  }
  if (!line.do) return null;
  const values: Record<string, unknown> = {};
  if (line.do === "offer") values.value = line.value;
  if (line.do === "name") values.item = itemName(line.item as Item);
  const key = `souk.tell.${line.do}`;
  if (line.seat === undefined) return t(`${key}.offer`, values);
  return t(key, { ...values, who: who(line.seat) });
}

/** What came of a name, in a sentence with its rule; a dispute, a fine and the doyen's right are loud. */
export interface Said {
  text: string;
  rule: string;
  loud: boolean;
}

/** A deal in sentences. */
export function said({ item, names, outcome, buyer, fined, ...deal }: Deal, price: number, who: (seat: number) => string): Said[] {
  const seller = deal.seller === null ? t("web.souk.bank") : who(deal.seller);
  const all = { item: itemName(item), price, n: deal.pays, seller, names: listing(names.map(who)), who: "" };
  const found: Said[] = [];
  if (outcome === "sold") found.push({ text: t("web.souk.deal.sold", { ...all, who: who(buyer!) }), rule: "M7", loud: false });
  if (outcome === "doyen") found.push({ text: t("web.souk.deal.doyen", { ...all, who: who(buyer!) }), rule: "M12", loud: true });
  if (outcome === "dispute") {
    const key = item === "camel" ? "camel" : names.length > 2 || deal.unsure ? "many" : "two";
    found.push({ text: t(`web.souk.deal.dispute.${key}`, all), rule: "M13", loud: true });
  }
  if (outcome === "unknown") found.push({ text: t("web.souk.deal.unknown", all), rule: "", loud: false });
  if (fined.length) {
    found.push({ text: t("web.souk.deal.fined", { ...all, who: listing(fined.map(who)), n: fined.length }), rule: "M14", loud: true });
  }
  return found;
}

/** What came of naming a card: who pays whom how much for it, and who goes without (M7, M12 to M14). */
export function outcome(line: Line, who: (seat: number) => string): string {
  const brings = line.brings as { buyer?: number; seller?: number | null; pays?: [number, string][]; disputed?: boolean; fined?: boolean } | undefined;
  if (!brings) return "";
  const values = { n: amount(brings.pays, "dirham"), seller: typeof brings.seller === "number" ? who(brings.seller) : t("web.souk.bank") };
  if (brings.fined) return t("web.souk.log.fined", values);
  if (brings.disputed) return t("web.souk.log.dispute", values);
  return brings.buyer === line.seat ? t("web.souk.log.buys", values) : t("web.souk.log.doyen", { who: who(brings.buyer!) });
}

/** A number with a true minus sign. */
export function plain(n: number): string {
  return n < 0 ? `−${-n}` : String(n);
}

/** A change of points: "+3", "−2", "0". */
export function signed(n: number): string {
  return n > 0 ? `+${n}` : plain(n);
}

/** A round begins with the sellers' offers (M5). */
export function heading(line: Line, before: Line[]): string | null {
  if (line.do !== "offer" || before.at(-1)?.do === "offer") return null;
  const rounds = before.filter((one, i) => one.do === "offer" && before[i - 1]?.do !== "offer").length;
  return t("web.souk.log.round", { n: rounds + 1 });
}

/** A drawing for a line of the log. */
export function icon(line: Line): string | null {
  if (line.chance) return ICONS.shuffle;
  return line.price !== undefined ? ICONS.gavel : line.do === "name" ? ICONS.bag : ICONS.cards;
}

/** The stall of the seller or of the card, or the dial and those who stopped it. */
export function placesOf({ do: what, seat, item, chance, price, stops }: Line): string[] {
  if (what === "offer") return [`.stall[data-seller="${seat}"]`];
  if (what === "name") return [`.stall.${item === "camel" ? "camel" : (item as Goods)[0]}`];
  if (chance) return [".stall.camel"];
  return price === undefined ? [] : [".dial", ...((stops ?? []) as number[]).map((one) => `.player[data-seat="${one}"]`)];
}

/** M17: after ten rounds. */
export const ending = (): string => t("web.souk.ask.over");

const RULES: Record<string, string> = { offer: "M5", stop: "M6", wait: "M6", name: "M7", camels: "M3" };

/** The rule behind a line of the log: M6 for a stop, M11 for the end of a round. */
export function ruleOf(line: Line): string | null {
  if (line.price !== undefined) return line.price === 0 ? "M11" : "M6";
  return RULES[line.do ?? line.chance ?? ""] ?? null;
}

/** The goods that a merchant can still offer, and those behind the screen. */
export function hand(view: GameView): string {
  const { seat, seats } = view as SoukView;
  const place = seat === null ? undefined : seats[seat];
  if (!place) return "";
  return listing([...(place.left ?? []).map((value) => itemName([place.type, value])), ...(place.goods ?? []).map(itemName)]);
}
