/** The last turn of each player, read from the log, which stays marked on the map. */
import type { Line } from "../../lib/types";

export interface Turn {
  seat: number;
  spaces: { family: string; space: string }[];
  married: string | null;
}

/** The last turn of every player who has had one, by seat. Turns are separated by lines of other players. */
export function lastTurns(log: Line[]): Map<number, Turn> {
  const turns = new Map<number, Turn>();
  let running = null as Turn | null;
  for (const line of log) {
    if (line.do !== "place" && line.do !== "marry" && line.do !== "pass") continue;
    const seat = line.seat!;
    if (running?.seat !== seat) {
      running = { seat, spaces: [], married: null };
      turns.set(seat, running);
    }
    if (line.do === "place") running.spaces.push({ family: line.family as string, space: line.space as string });
    if (line.do === "marry") running.married = line.family as string;
  }
  return turns;
}

/** When each camel was placed, by `space/family`, without those of the setup. */
export function arrivals(log: Line[]): Map<string, number> {
  return new Map(log.flatMap((line, i) => (line.do === "place" ? [[`${line.space}/${line.family}`, i]] : [])));
}
