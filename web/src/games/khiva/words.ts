/** Khiva as text: lines of the log, legal moves, places and what they bring. The same messages as in `text.py`. */
import { amount } from "../../lib/brings";
import { listing, t } from "../../lib/messages.svelte";
import { pointsOf, type Points } from "../../lib/points";
import type { GameView, Line } from "../../lib/types";
import { ICONS } from "../../ui/icons";
import { colourOf, SHOPS, valueOf, type Card, type Carpet, type Colour, type KhivaBrings, type KhivaSeat, type KhivaView, type Place } from "./types";

/** The name of a card: "white 4". */
export function cardWords(card: Card): string {
  return t("khiva.card", { colour: t(`khiva.colour.${colourOf(card)}`), value: valueOf(card) });
}

/** Several cards, or their number if they are secret. */
export function cardsWords(cards: Card[] | number): string {
  return typeof cards === "number" ? t("khiva.cards", { n: cards }) : listing(cards.map(cardWords));
}

export function camelWords(camel: Colour): string {
  return t(`khiva.camel.${camel}`);
}

export function carpetWords([colour, value]: Carpet): string {
  return t("web.khiva.carpet", { colour: t(`khiva.colour.${colour}`), value });
}

export function letter(colour: Colour): string {
  return t(`web.khiva.letter.${colour}`);
}

/** A line of the record, or a move without its seat, as a short sentence. */
export function tell(line: Line, who: (seat: number) => string): string | null {
  if (line.chance) return t("khiva.tell.deal");
  let key = `khiva.tell.${line.do}`;
  let values: Record<string, unknown> = {};
  if (line.do === "choose") {
    values = { play: cardsWords(line.play as Card[]), give: cardsWords(line.give as Card[] | number) };
  } else if (line.do === "move") {
    values = { camel: camelWords(line.camel as Colour), gems: line.gems };
    if (line.gems) key += "_boosted";
  } else if (line.do === "take") {
    key += `_${line.what as string}`;
  } else {
    return null;
  }
  return line.seat === undefined ? t(`${key}.offer`, values) : t(key, { who: who(line.seat), ...values });
}

/** A place to which I would move a camel, null for my counter. */
export function placeWords(place: Place, me: number | null, who: (seat: number) => string): string {
  if (!place) return t("web.khiva.place.counter");
  const [path, shop] = place;
  return path === me ? t("web.khiva.place.mine", { shop }) : t("web.khiva.place.theirs", { shop, who: who(path) });
}

/** Whether a carpet is available; it may be covered (K1). */
export function hasCarpet({ gets, open }: KhivaBrings): boolean {
  return amount(gets, "carpet") > 0 || (open?.includes("carpet") ?? false);
}

/** What a camel would bring where it stops; a sack of salt has its price. */
export function bringsWords(brings: KhivaBrings, price: number): string {
  const { gets, teapot, delivers, carpet, salt } = brings;
  const gems = amount(gets, "gem");
  const parts = gems ? [t("web.khiva.brings.gems", { n: gems })] : [];
  if (teapot) parts.push(t("web.khiva.brings.teapot", { value: teapot }));
  if (delivers?.length) parts.push(t("web.khiva.brings.delivery", { carpets: listing(delivers.map(carpetWords)) }));
  const colour = carpet && t("web.khiva.brings.carpet", { colour: t(`khiva.colour.${carpet}`) });
  const top = hasCarpet(brings) && (colour ?? t("web.khiva.brings.covered"));
  const sack = salt && t("web.khiva.brings.salt", { value: salt, price });
  if (top && sack) parts.push(t("web.khiva.brings.either", { one: sack, other: top }));
  else if (top || sack) parts.push((top || sack) as string);
  return listing(parts) || t("web.khiva.brings.nothing");
}

/** A camel: where it is, and the teapot it carries. */
export function camelSeen(camel: Colour, { place, teapot }: KhivaView["camels"][Colour], me: number | null, who: (seat: number) => string): string {
  const where = t(place ? "web.khiva.sees.camel" : "web.khiva.sees.camel_home", { camel: camelWords(camel), place: place ? placeWords(place, me, who) : "" });
  return teapot ? `${where} ${t("web.khiva.sees.teapot", { value: teapot })}` : where;
}

/** A shop, and what a camel would bring there now. */
export function shopSeen(view: KhivaView, path: number, shop: number, me: number | null, who: (seat: number) => string): string {
  const { top_carpet, carpets, salt } = view.piles;
  const gems = view.shop_gems[`${shop}` as "1" | "3"] ?? 0;
  const carpet = shop % 2 === 0 && carpets > 0;
  const brings: KhivaBrings = {
    ...(gems ? { gets: [[gems, "gem"]] as [number, string][] } : {}),
    ...(carpet ? { open: ["carpet"] } : {}),
    ...(carpet && top_carpet ? { carpet: top_carpet } : {}),
    ...(shop === SHOPS && salt[0] ? { salt: salt[0] } : {}),
  };
  const words = `${placeWords([path, shop], me, who)}: ${bringsWords(brings, view.salt_price)}`;
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/** How much is left of a pile, and what lies on top. */
export function pileSeen({ piles }: KhivaView, pile: "teapots" | "carpets" | "salt"): string {
  const left = t(`web.khiva.sees.${pile}`, { n: pile === "salt" ? piles.salt.length : piles[pile] });
  if (pile !== "carpets" || !piles.carpets) return left;
  return `${left} ${piles.top_carpet ? t("web.khiva.sees.top", { colour: t(`khiva.colour.${piles.top_carpet}`) }) : t("web.khiva.sees.covered")}`;
}

const PARTS = ["teapots", "carpets", "salt", "gems"] as const;

/** The points by part, when all tokens are visible (K15). */
export function result(shown: GameView): Points[] | null {
  const view = shown as KhivaView;
  if (view.asked !== "over") return null;
  return view.seats.map(({ score, points, tally }, seat) => pointsOf(seat, score ?? { total: points ?? 0 }, score ? PARTS : [], tally));
}

/** What a move of a camel or a choice in shop 4 brought, as everybody saw it. */
export function outcome(line: Line, who: (seat: number) => string): string {
  const brings = line.brings as KhivaBrings | undefined;
  if (!brings) return "";
  const got = bringsWords({ ...brings, open: undefined }, amount(brings.pays, "gem"));
  if (line.do !== "move") return got;
  const place = brings.place as Place;
  const [path, shop] = place ?? [line.seat!, 0];
  const where = place ? t("web.khiva.place.theirs", { shop, who: who(path) }) : t("web.khiva.place.counter_of", { who: who(path) });
  return brings.open?.length ? t("web.khiva.went", { where }) : t("web.khiva.went_for", { where, got });
}

/** A turn begins when everybody has chosen (K3). */
export function heading(line: Line, before: Line[]): string | null {
  if (line.do !== "choose" || before.at(-1)?.do === "choose") return null;
  const chosen = before.filter((one, i) => one.do === "choose" && before[i - 1]?.do !== "choose").length;
  return t("web.khiva.log.turn", { n: chosen + 1 });
}

const ICON: Record<string, keyof typeof ICONS> = { choose: "cards", move: "camel", take: "bag", deal: "shuffle" };
export const icon = (line: Line): string | null => ICONS[ICON[line.do ?? line.chance ?? ""]!] ?? null;

/** The cards at the counter, where the camel stopped, or the pile that was taken from. */
export function placesOf({ do: what, seat, camel, brings, ...line }: Line): string[] {
  if (what === "choose") return [`[data-place="${seat}/counter"]`, ...[line.play, line.give].flat().map((card) => `[data-card="${String(card)}"]`)];
  if (what === "take") return [`[data-pile="${line.what}"]`];
  if (what !== "move") return [];
  const [path, shop] = (brings as KhivaBrings | undefined)?.place ?? [seat, "counter"];
  return [`[data-place="${path}/${shop}"]`, `[data-camel="${camel}"]`];
}

/** K14: which pile ran out. */
export function ending(shown: GameView): string {
  const { teapots, carpets, salt } = (shown as KhivaView).piles;
  const why = [teapots === 0 && "1", carpets === 0 && "2", salt.length === 0 && "4"].filter(Boolean);
  return t("web.khiva.over", { why: listing(why.map((number) => t(`khiva.ending.${number}`))) });
}

/** K16: more teapots, then the more valuable sack. */
export const tiebreak = {
  rule: "K16",
  why(shown: GameView, winner: number, other: number): string {
    const [won, lost] = [winner, other].map((seat) => (shown as KhivaView).seats[seat]!) as [KhivaSeat, KhivaSeat];
    const [n, m] = [won, lost].map(({ teapots }) => (teapots as number[]).length) as [number, number];
    if (n !== m) return t("web.khiva.tie.teapots", { n, m });
    return t("web.khiva.tie.sack", { n: Math.max(0, ...won.salt), m: Math.max(0, ...lost.salt) });
  },
};

const RULES: Record<string, string> = { choose: "K3", move: "K5", take: "K8", deal: "K13" };

/** The rule behind a line of the log. */
export const ruleOf = (line: Line): string | null => RULES[line.do ?? line.chance ?? ""] ?? null;

/** The cards of a hand. */
export function hand(view: GameView): string {
  return cardsWords((view as KhivaView).hand ?? []);
}
