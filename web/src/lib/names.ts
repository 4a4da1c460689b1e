/** The name of a seat; several bots of one level are numbered. */
import { t } from "./messages.svelte";
import type { TableView } from "./types";

export function nameOf(table: Pick<TableView, "seats">, seat: number): string {
  const here = table.seats[seat];
  if (!here) return "?";
  if (here.name) return here.name;
  const alike = table.seats.flatMap((other, i) => (!other.name && other.level === here.level ? [i] : []));
  const name = t(`web.level.${here.level}`);
  return alike.length > 1 ? `${name} ${alike.indexOf(seat) + 1}` : name;
}
