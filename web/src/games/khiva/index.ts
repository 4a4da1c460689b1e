export { default as Game } from "./Game.svelte";
export { result, tell } from "./words";
