/** A hand of cards as a fan over the full width: every card shows at least its index, the open one is shown whole. */

/** The distance between two cards that do not overlap. */
const GAP = 8;

/** How far apart the cards are while none is open. */
export function step(count: number, width: number, card: number): number {
  return count < 2 ? 0 : Math.max(0, Math.min(card + GAP, (width - card) / (count - 1)));
}

/** The left edges of all cards; the open one is not covered by the next. */
export function fan(count: number, width: number, card: number, open: number | null = null): number[] {
  const even = step(count, width, card);
  const last = open === null || open < 0 || open >= count - 1;
  const spread = last || even >= card ? even : Math.max(0, (width - 2 * card) / (count - 2 || 1));
  const found: number[] = [];
  let x = 0;
  for (let i = 0; i < count; i++) {
    found.push(x);
    x += i === open && !last && even < card ? Math.min(card, width - card) : spread;
  }
  return found;
}

/** The card at a point of the closed fan: as it does not move with the cards, neither does the open card flicker. */
export function cardAt(x: number, count: number, width: number, card: number): number | null {
  if (!count) return null;
  const even = step(count, width, card);
  const i = even ? Math.floor(x / even) : 0;
  return Math.min(count - 1, Math.max(0, i));
}
