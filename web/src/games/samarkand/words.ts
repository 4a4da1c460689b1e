/** The question, and what a move would bring, in one sentence each. */
import { amount, looksOnly } from "../../lib/brings";
import { listing, t } from "../../lib/messages.svelte";
import type { GameView, Line } from "../../lib/types";
import { ICONS } from "../../ui/icons";
import { familyName, goodName, homeOf, spaceName } from "./board.svelte";
import type { Brought, Place, View } from "./types";

interface Asking {
  view: View;
  asked: View["asked"] | "wait";
  seat: number | null;
  /** The family that is open. */
  family: string | null;
  chosen: Place | null;
  /** A space to which several of my families could go. */
  several: string | null;
  /** The family at home there, if I may marry into it too. */
  bride: string | null;
  marriable: Set<string>;
  leadable: Set<string>;
  who(seat: number): string;
}

const ENDINGS = { all_trade: 1, five_partners: 2, all_passed: 4 } as const;

/** S19: why the game ended. */
export function ending(view: GameView): string {
  return t("web.samarkand.ask.over", { why: listing((view as View).ended_by.map((end) => t(`samarkand.ending.${ENDINGS[end]}`))) });
}

/** The question to me, or whom we wait for. */
export function asks({ view, asked, seat, family, chosen, several, bride, marriable, leadable, who }: Asking): string {
  if (asked !== "over" && looksOnly(view, seat)) return "";
  switch (asked) {
    case "over":
      return ending(view);
    case "wait":
      return view.waiting.length ? t("web.samarkand.ask.wait", { who: who(view.turn) }) : ""; // somebody reads a lesson
    case "sale":
      return t("web.samarkand.ask.sale", { good: goodName(view.good ?? 0) });
    case "discard": {
      const me = view.seats[seat ?? 0]!;
      const surplus = me.cards + me.sold.length - view.limit;
      return surplus > 0 ? t("web.samarkand.ask.discard_must", { n: surplus, limit: view.limit }) : t("web.samarkand.ask.discard", { limit: view.limit });
    }
    case "second": {
      const name = familyName(view.family ?? "");
      if (chosen) return t("web.samarkand.ask.second_here", { family: name, space: spaceName(chosen.space) });
      return t("web.samarkand.ask.second", { family: name });
    }
  }
  if (several && bride) return t("web.samarkand.ask.camel_or_bride", { space: spaceName(several), family: familyName(bride) });
  if (several) return t("web.samarkand.ask.which", { space: spaceName(several) });
  if (chosen) return t("web.samarkand.ask.place", { family: familyName(chosen.family), space: spaceName(chosen.space) });
  if (family && leadable.has(family)) return t("web.samarkand.ask.lead", { family: familyName(family) });
  if (family && marriable.has(family)) return t("web.samarkand.ask.marry", { family: familyName(family) });
  if (family) return t("web.samarkand.ask.idle", { family: familyName(family) });
  if (!marriable.size && !leadable.size) return t("web.samarkand.ask.pass");
  if (!leadable.size) return t("web.samarkand.ask.turn_marry");
  return t(marriable.size ? "web.samarkand.ask.turn" : "web.samarkand.ask.turn_lead");
}

/** What a move would bring, for screen readers. */
export function summary({ good, meets, gets, others, cards, ends }: Brought, who: (seat: number) => string): string {
  const said: string[] = [];
  const paid = amount(gets, "dirham");
  if (good) said.push(t("web.samarkand.brings.good", { good: goodName(good) }));
  if (meets) said.push(t("web.samarkand.brings.meets", { family: familyName(meets), n: amount(gets, "relation") }));
  if (paid) said.push(t("web.samarkand.brings.paid", { n: paid }));
  for (const [seat, n] of others ?? []) said.push(t("web.samarkand.brings.others", { who: who(seat), n }));
  if (cards) said.push(t("web.samarkand.brings.cards", { n: cards }));
  if (ends) said.push(t("web.samarkand.brings.ends"));
  return `${said.join(", ") || t("web.samarkand.brings.nothing")}.`;
}

/** What a marriage or a camel brought, as everybody saw it. */
export function outcome(line: Line, who: (seat: number) => string): string {
  const brings = line.brings as Brought | undefined;
  if (!brings) return "";
  const [costs, draws] = [amount(brings.pays, "dirham"), amount(brings.gets, "card")];
  if (line.do === "marry") {
    const parts = [t("web.samarkand.log.pays", { n: costs })];
    if (draws) parts.push(t("web.samarkand.log.draws", { n: draws }));
    return parts.join(", ");
  }
  const parts: string[] = [];
  if (brings.good) parts.push(t("web.samarkand.log.good", { good: goodName(brings.good) }));
  if (brings.meets) {
    parts.push(t("web.samarkand.log.meets", { family: familyName(String(line.family)), other: familyName(brings.meets) }));
    const paid: [number, number][] = [[line.seat!, amount(brings.gets, "dirham")], ...(brings.others ?? []).map(([seat, n]): [number, number] => [seat, n])];
    for (const [seat, n] of paid) if (n) parts.push(t("web.samarkand.brings.others", { who: who(seat), n }));
    const relations = amount(brings.gets, "relation");
    if (relations) parts.push(t("web.samarkand.relations", { n: relations }));
  }
  return parts.join(" · ");
}

const TURN = new Set(["marry", "place", "pass"]);

/** A turn begins when another player marries, places a camel or passes; a sale (S14) belongs to the turn it falls into. */
export function heading(line: Line, before: Line[], who: (seat: number) => string): string | null {
  const moves = before.filter((one) => TURN.has(one.do ?? ""));
  if (!TURN.has(line.do ?? "") || moves.at(-1)?.seat === line.seat) return null;
  const n = moves.filter((one, i) => one.seat !== moves[i - 1]?.seat).length + 1;
  return t("web.samarkand.log.turn", { n, who: who(line.seat!) });
}

const ICON: Record<string, keyof typeof ICONS> = {
  marry: "rings", place: "camel", sell: "coin", keep: "cards", discard: "cards", deck: "shuffle", tile: "bag",
}; // prettier-ignore
export const icon = (line: Line): string | null => ICONS[ICON[line.do ?? line.chance ?? ""]!] ?? null;

/** The space and its camel, the home and the domain of a family, or the piles. */
export function placesOf({ do: what, chance, space, family, good, cards }: Line): string[] {
  if (what === "place") return [`[data-space="${space}"]`, `[data-camel="${space}/${family}"]`];
  if (what === "marry" || chance === "tile") return [`[data-family="${family}"]`, `[data-space="${homeOf(String(family))}"]`];
  if (what === "pass" || what === "end") return [];
  // Of cards, only those in my own hand are on the page; of those of others, only their number may be known.
  const known = [good, ...(Array.isArray(cards) ? cards : [])].filter((number) => number !== undefined);
  return [...known.map((number) => `.card[data-good="${Number(number)}"]`), ".piles"];
}

const RULES: Record<string, string> = {
  marry: "S6", place: "S11", sell: "S14", keep: "S14", discard: "S8", end: "S10", pass: "S5", deck: "S9", tile: "S23",
}; // prettier-ignore

/** The rule behind a line of the log. */
export const ruleOf = (line: Line): string | null => RULES[line.do ?? line.chance ?? ""] ?? null;
