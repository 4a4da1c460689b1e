/** Khiva as text: lines of the log, legal moves, places and what they bring. The same messages as in `text.py`. */
import { amount } from "../../lib/brings";
import { listing, t } from "../../lib/messages.svelte";
import type { GameView, Line } from "../../lib/types";
import type { Points } from "../index";
import { colourOf, valueOf, type Card, type Carpet, type Colour, type KhivaBrings, type KhivaView, type Place } from "./types";

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

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** The points by part, when all tokens are visible (K15). */
export function result(shown: GameView): Points[] | null {
  const view = shown as KhivaView;
  if (view.asked !== "over") return null;
  const part = (key: string, value: number) => ({ key, value });
  return view.seats.map((one, seat) => ({
    seat,
    total: one.points ?? 0,
    parts: [
      part("teapots", sum(one.teapots as number[])),
      part("carpets", sum((one.delivered as Carpet[]).map(([, value]) => value))),
      part("salt", sum(one.salt)),
      part("gems", one.gems),
    ],
  }));
}

const RULES: Record<string, string> = { choose: "K3", move: "K5", take: "K8", deal: "K13" };

/** The rule behind a line of the log. */
export const ruleOf = (line: Line): string | null => RULES[line.do ?? line.chance ?? ""] ?? null;
