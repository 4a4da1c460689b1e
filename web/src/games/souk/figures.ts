/** Positions of the souk for the rules; `tools/figures.py` makes them. */
import views from "./figures/views.json";

export { default as Figure } from "./figures/Figure.svelte";
export { views };
