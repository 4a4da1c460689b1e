/** The question, and what a move would bring, in one sentence each. */
import { amount } from "../../lib/brings";
import { listing, t } from "../../lib/messages.svelte";
import type { Line } from "../../lib/types";
import { familyName, goodName, spaceName } from "./board.svelte";
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
  marriable: Set<string>;
  leadable: Set<string>;
  who(seat: number): string;
  /** What the card that may be sold would score now. */
  worth: number;
}

const ENDINGS = { all_trade: 1, five_partners: 2, all_passed: 4 } as const;

/** The question to me, or whom we wait for. */
export function asks({ view, asked, seat, family, chosen, several, marriable, leadable, who, worth }: Asking): string {
  switch (asked) {
    case "over":
      return t("web.samarkand.ask.over", { why: listing(view.ended_by.map((end) => t(`samarkand.ending.${ENDINGS[end]}`))) });
    case "wait":
      return t("web.samarkand.ask.wait", { who: who(view.turn) });
    case "sale":
      return t("web.samarkand.ask.sale", { good: goodName(view.good ?? 0), n: worth });
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
  if (several) return t("web.samarkand.ask.which", { space: spaceName(several) });
  if (chosen) return t("web.samarkand.ask.place", { family: familyName(chosen.family), space: spaceName(chosen.space) });
  if (family && leadable.has(family)) return t("web.samarkand.ask.lead", { family: familyName(family) });
  if (family && marriable.has(family)) return t("web.samarkand.ask.marry", { family: familyName(family), n: view.families[family]!.dowry });
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

const RULES: Record<string, string> = {
  marry: "S6", place: "S11", sell: "S14", keep: "S14", discard: "S8", end: "S10", pass: "S5", deck: "S9", tile: "S23",
}; // prettier-ignore

/** The rule behind a line of the log. */
export const ruleOf = (line: Line): string | null => RULES[line.do ?? line.chance ?? ""] ?? null;
