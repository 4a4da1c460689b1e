/** Lay a table, and go there. */
import { api, type Chair, type GameCard, type NewTable } from "./api";
import { me } from "./me.svelte";
import { go } from "./router.svelte";

export const LEVELS = ["novice", "merchant", "master"] as const;

/** A contribution to chance that the house cannot have known. */
export function salt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
}

export async function lay(table: NewTable, start: boolean): Promise<void> {
  await me.somebody();
  const laid = await api.lay(table);
  if (start) await api.ask(laid.table, { do: "start" });
  go(`/t/${laid.table}`);
}

/** One click: me against bots of the middle level, at my own pace. */
export function playNow({ game, usual }: GameCard): Promise<void> {
  const others: Chair[] = Array.from({ length: usual - 1 }, () => ({ kind: "bot", level: "merchant" }));
  return lay({ game, seats: [{ kind: "me", salt: salt() }, ...others], watch: "none" }, true);
}
