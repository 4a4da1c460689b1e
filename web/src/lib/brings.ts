/** Reading `Brings`. */
import type { Brings, Move } from "./types";

/** What a legal move would bring, empty if nothing is known. */
export function bringsOf<B extends Brings>(view: { legal: Move[]; brings: (B | null)[] }, move: Move | undefined): B {
  return (move && view.brings[view.legal.indexOf(move)]) ?? ({} as B);
}

/** How much of an item the player gets or pays. */
export function amount(items: [n: number, item: string][] | undefined, item: string): number {
  return items?.find(([, one]) => one === item)?.[0] ?? 0;
}

/** Whether a seat only looks: nobody is asked, or it would decide here and is not asked, as in a lesson or a replay. */
export function looksOnly(view: { legal: Move[]; waiting: number[] }, seat: number | null): boolean {
  return !view.waiting.length || (seat !== null && view.waiting.includes(seat) && view.legal.length === 0);
}
