/** The player aid of Samarkand: the rules behind each part; the texts are messages. */
export { default as Picture } from "./AidPicture.svelte";
export { default as Symbols } from "./Symbols.svelte";

export const turn = [["S6"], ["S8"], ["S10", "S11"], ["S13", "S17"]];
export const scores = [["S20"], ["S14"], ["S21"]];
export const ends = [["S19"], ["S22"]];
