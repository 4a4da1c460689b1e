import type { GameModule } from "../games";
import type { Line } from "./types";

const same = (one: Line | undefined, other: Line | undefined): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The lines that were added to a log. Lines may be taken back, or become unreadable after a while: then the new ones are
 * those after the last line that was there before.
 */
export function added(before: Line[], now: Line[]): Line[] {
  const undone = now.length < before.length && now.every((line, i) => same(line, before[i]));
  const grown = !before.length || same(before.at(-1), now[before.length - 1]);
  if (undone || grown) return now.slice(before.length);
  const at = now.findLastIndex((line) => same(line, before.at(-1)));
  return at < 0 ? [] : now.slice(at + 1);
}

/** A line of the log as text, and what the move brought. */
export interface Told {
  line: Line;
  text: string;
  outcome: string;
}

/** The lines of one turn. */
export interface Turn {
  heading: string;
  lines: Told[];
}

type Teller = Pick<GameModule, "tell" | "outcome" | "heading">;

/** A line and what it brought in words, for screen readers and below a replay; empty if the line is hidden. */
export function sentence(line: Line, module: Teller, who: (seat: number) => string): string {
  const text = module.tell(line, who);
  const outcome = text && module.outcome?.(line, who);
  if (!outcome) return text ?? "";
  // After a full stop it is a sentence of its own.
  return text.endsWith(".") ? `${text} ${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}${outcome.endsWith(".") ? "" : "."}` : `${text} ${outcome}`;
}

/** The log by turns: the game says where one begins, otherwise it is wherever another player moves. */
export function turns(log: Line[], module: Teller, who: (seat: number) => string): Turn[] {
  const found: Turn[] = [];
  let mover: number | undefined;
  for (const [i, line] of log.entries()) {
    const text = module.tell(line, who);
    const heading = module.heading ? module.heading(line, log.slice(0, i), who) : null;
    const turned = line.seat !== undefined && line.seat !== mover;
    if (line.seat !== undefined) mover = line.seat;
    if (!text) continue;
    if (heading !== null || !found.length || (!module.heading && turned)) found.push({ heading: heading ?? "", lines: [] });
    found.at(-1)!.lines.push({ line, text, outcome: module.outcome?.(line, who) ?? "" });
  }
  return found;
}

/** A text cut at the names of players, each with its seat. */
export function byName(text: string, names: string[]): { text: string; seat: number | null }[] {
  // The longest first, so that "Ann" does not cut "Anna".
  const order = names.map((name, seat) => ({ name, seat })).filter(({ name }) => name).sort((a, b) => b.name.length - a.name.length);
  const parts: { text: string; seat: number | null }[] = [];
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const found = order.find(({ name }) => text.startsWith(name, at));
    if (!found) {
      plain += text[at++]!;
      continue;
    }
    if (plain) parts.push({ text: plain, seat: null });
    plain = "";
    parts.push({ text: found.name, seat: found.seat });
    at += found.name.length;
  }
  return plain ? [...parts, { text: plain, seat: null }] : parts;
}
