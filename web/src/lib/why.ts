/** Why a move is good, as sentences: as `registan.advice.why.tell_why` says it. */
import type { GameModule } from "../games";
import type { HintedMove } from "./api";
import { find, listing, number, t } from "./messages.svelte";
import type { Line } from "./types";

interface Reason {
  why: "more" | "less" | "denies" | "helps" | "reply" | "often" | "rarely" | "even" | "still";
  part?: string;
  points?: number;
  seat?: number;
  line?: Line;
  share?: number;
}

/** A number with one decimal. */
export const tenth = (value: number): string => number(Math.round(value * 10) / 10);

/** Whole percent. */
export const percent = (share: number): string => number(Math.round(share * 100)).replace("-", "−");

type Who = (seat: number) => string;
interface Clauses {
  clauses: string[];
  replies: string[];
}

/** Reasons as parts of a sentence, and what others may do as sentences. */
function clausesOf(game: string, reasons: Reason[], module: GameModule, who: Who): Clauses {
  const brings: string[] = [];
  const clauses: string[] = [];
  const replies: string[] = [];
  for (const { why, part = "", points = 0, seat, line, share = 0 } of reasons) {
    const n = tenth(points);
    if (why === "more" || why === "less") {
      const own = find(`${game}.why.${part}.${why}`, { n });
      if (own) clauses.push(own);
      else if (part === "total") brings.push(t(`why.total.${why}`, { n }));
      else brings.push(t(`why.${why}`, { n, part: find(`${game}.part.${part}`) ?? find(`part.${part}`) ?? part }));
    } else if (why === "denies" || why === "helps") {
      clauses.push(t(`why.${why}`, { who: who(seat!), n }));
    } else if (why === "reply") {
      const told = module.tell(line!, who);
      if (told) replies.push(t("why.reply", { line: told, share: percent(share) }));
    } else {
      clauses.push(t(`why.${why}`));
    }
  }
  if (brings.length) clauses.unshift(t("why.brings", { parts: listing(brings) }));
  return { clauses, replies };
}

/** The reasons for a move, and what it is compared with: the first with all others, the rest with the first. */
export function tellWhy(game: string, row: Pick<HintedMove, "why">, place: number, module: GameModule, who: Who, than = place ? "best" : "others"): string {
  const { clauses, replies } = clausesOf(game, row.why as unknown as Reason[], module, who);
  const compared = clauses.length ? [t(`why.than.${than}`, { reasons: listing(clauses) })] : [];
  return [...compared, ...replies].join(" ");
}

/** Whether a reason speaks for a move; the others speak against it. */
const GOOD = new Set<Reason["why"]>(["more", "denies", "often"]);
const RISKY = new Set<Reason["why"]>(["less", "helps", "rarely", "reply"]);

function tellSome(game: string, row: HintedMove, kinds: Set<Reason["why"]>, module: GameModule, who: Who): string {
  const some = (row.why as unknown as Reason[]).filter(({ why }) => kinds.has(why));
  const { clauses, replies } = clausesOf(game, some, module, who);
  return [listing(clauses), ...replies].filter(Boolean).join(". ");
}

/** What speaks for a move in the long run, empty if nothing does. */
export const tellGains = (game: string, row: HintedMove, module: GameModule, who: Who): string => tellSome(game, row, GOOD, module, who);

/** What a move risks, empty if the search saw nothing. */
export const tellRisks = (game: string, row: HintedMove, module: GameModule, who: Who): string => tellSome(game, row, RISKY, module, who);
