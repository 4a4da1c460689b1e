/** Whose connection is gone, at the table that is open: seats draw a mark. */
import type { TableView } from "./types";

let gone: number[] = $state.raw([]);

export const presence = {
  get gone(): number[] {
    return gone;
  },
  set gone(seats: number[]) {
    gone = seats;
  },
};

/** The seats to mark: of people who play by hand, while the others may wait for them. Over days nobody stays connected. */
export function missing(table: TableView, seats: number[]): number[] {
  if (table.pace.kind === "days" || table.status === "over" || table.status === "abandoned") return [];
  return seats.filter((seat) => {
    const here = table.seats[seat];
    return here?.kind === "person" && !here.away && !here.resigned && seat !== table.you;
  });
}
