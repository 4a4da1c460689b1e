/** When a touch on the board makes a move. */
import { settings } from "./settings.svelte";

/**
 * The first touch previews a move and the second one makes it, or the first one does if the player prefers that. A risky
 * move always takes two: one that ends the game, or costs the last coin.
 */
export function commits(again: boolean, risky: boolean): boolean {
  return again || (!settings.confirm && !risky);
}
