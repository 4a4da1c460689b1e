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
