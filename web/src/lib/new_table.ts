/** Creating tables. */
import { api, type Chair, type GameCard, type NewTable } from "./api";
import { me } from "./me.svelte";
import { go } from "./router.svelte";

export const LEVELS = ["novice", "merchant", "master"] as const;

/** A contribution to chance that the house cannot predict. */
export function salt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
}

/** Create a table and go there. */
export async function createTable(table: NewTable, start: boolean): Promise<void> {
  await me.ensureGuest();
  const created = await api.create(table);
  if (start) await api.ask(created.table, { do: "start" });
  go(`/t/${created.table}`);
}

/** Create and start a table for one person against bots of the middle level, without a clock. */
export function playNow({ game, usual }: GameCard): Promise<void> {
  const others: Chair[] = Array.from({ length: usual - 1 }, () => ({ kind: "bot", level: "merchant" }));
  return createTable({ game, seats: [{ kind: "me", salt: salt() }, ...others], watch: "none" }, true);
}
