/** The player aid of the souk: the rules behind each part; the texts are messages. */
export { default as Picture } from "./AidPicture.svelte";
export { default as Symbols } from "./Symbols.svelte";

export const turn = [["M5"], ["M6"], ["M7"], ["M12", "M13"]];
export const scores = [["M18"], ["M20"], ["M21"], ["M19", "M22"]];
export const ends = [["M17"], ["M23"]];
