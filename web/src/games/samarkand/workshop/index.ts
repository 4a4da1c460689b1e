/** The workshop: boards of one's own. */
export { default as Workshop } from "./Workshop.svelte";
