/** Khiva in the browser. */
export { default as Game } from "./Game.svelte";
export { default as Tallied } from "./Tallied.svelte";
export { ending, hand, heading, icon, outcome, placesOf, result, ruleOf, tell, tiebreak } from "./words";
