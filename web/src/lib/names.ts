/** What people and things are called. */
import { figure } from "./faces";
import { find, t } from "./messages.svelte";
import type { TableView } from "./types";

/** How somebody at a table is called. Bots are figures of the Silk Road, no two of them the same. */
export function nameOf(table: Pick<TableView, "seats" | "table">, seat: number): string {
  const here = table.seats[seat];
  if (!here) return "?";
  if (here.face === "program") return t("web.player.program", { name: shownName(here.name) });
  return shownName(here.name) || t(`web.bot.${figure(table.table, seat, here.level)}`);
}

/** A name as others see it. Of people who wanted to be forgotten only the SHA-256 of the name is left. */
export const shownName = (name: string): string => (name.startsWith("sha256:") ? t("web.forgotten") : name);

/** What a part of the score is called, as a heading. */
export function partName(game: string, part: string): string {
  const name = find(`${game}.part.${part}`) ?? part.replaceAll("_", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}
