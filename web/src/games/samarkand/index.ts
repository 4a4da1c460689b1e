/** Samarkand in the browser. */
import { listing, t } from "../../lib/messages.svelte";
import type { GameView, Line } from "../../lib/types";
import { familyName, goodName, spaceName } from "./board.svelte";
import { pointsOf, type Points } from "../../lib/points";
import type { View } from "./types";

export { default as Game } from "./Game.svelte";
export { default as Tallied } from "./Tallied.svelte";
export { ending, heading, icon, outcome, placesOf, ruleOf } from "./words";

function cards(goods: number[] | number): string {
  return typeof goods === "number" ? t("samarkand.cards", { n: goods }) : listing(goods.map(goodName));
}

/** A line of the log, or a legal move, as text. */
export function tell(line: Line, who: (seat: number) => string): string | null {
  if (line.chance === "deck") {
    return t("samarkand.tell.deck", { n: Array.isArray(line.cards) ? line.cards.length : line.cards });
  }
  if (line.chance === "tile") return t("samarkand.tell.tile", { family: familyName(String(line.family)) });
  if (!line.do) return null;
  const dropped = line.cards as number[] | number | undefined;
  const nothing = line.do === "discard" && !(Array.isArray(dropped) ? dropped.length : dropped);
  const key = `samarkand.tell.${line.do}${nothing ? "_nothing" : ""}`;
  const values = {
    family: line.family ? familyName(String(line.family)) : "",
    space: line.space ? spaceName(String(line.space)) : "",
    good: line.good ? goodName(Number(line.good)) : "",
    cards: dropped === undefined ? "" : cards(dropped),
  };
  return line.seat === undefined ? t(`${key}.offer`, values) : t(key, { who: who(line.seat), ...values });
}

/** The cards of a hand. */
export function hand(view: GameView): string {
  return cards((view as View).hand ?? []);
}

const PARTS = ["cards", "goods", "relations", "dirhams"] as const;

/** S20, S21: everybody's points by part, when the game is over. */
export function result(view: GameView): Points[] | null {
  const { asked, seats } = view as View;
  if (asked !== "over") return null;
  return seats.flatMap(({ score, tally }, seat) => (score ? [pointsOf(seat, { ...score }, PARTS, tally)] : []));
}
