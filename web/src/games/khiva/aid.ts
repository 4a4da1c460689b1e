/** The player aid of Khiva: the rules behind each part; the texts are messages. */
export { default as Picture } from "./AidPicture.svelte";
export { default as Symbols } from "./Symbols.svelte";

export const turn = [["K3"], ["K4"], ["K5", "K6"], ["K8", "K9"]];
export const scores = [["K15"], ["K10"], ["K15"]];
export const ends = [["K14"], ["K16"]];
