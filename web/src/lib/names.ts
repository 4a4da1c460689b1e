/** What people and things are called. */
import { find, t } from "./messages.svelte";
import type { TableView } from "./types";

/** How somebody at a table is called; of bots of one level each has a number, so that nobody mixes them up. */
export function nameOf(table: Pick<TableView, "seats">, seat: number): string {
  const here = table.seats[seat];
  if (!here) return "?";
  if (here.name) return here.name;
  const alike = table.seats.flatMap((other, i) => (!other.name && other.level === here.level ? [i] : []));
  const name = t(`web.level.${here.level}`);
  return alike.length > 1 ? `${name} ${alike.indexOf(seat) + 1}` : name;
}

/** What a part of the score is called, as a heading. */
export function partName(game: string, part: string): string {
  const name = find(`${game}.part.${part}`) ?? part.replaceAll("_", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}
