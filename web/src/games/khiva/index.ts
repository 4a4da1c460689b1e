/** Khiva in the browser. */
export { default as Game } from "./Game.svelte";
export { result, ruleOf, tell } from "./words";
