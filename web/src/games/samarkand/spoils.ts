/** What a move brings flies to its owner: markers, tiles and coins. */
import { amount } from "../../lib/brings";
import { drawn, flock, fly, inTheSky, middleOf, purseOf, says, type Spot } from "../../lib/flight";
import type { Line } from "../../lib/types";
import { family as find, good, space as place } from "./board.svelte";
import type { Stage } from "./meeting";
import type { Brought } from "./types";

function domainOf(family: string): Spot | null {
  const found = document.querySelector(`[data-family="${family}"]`);
  return found && middleOf(found);
}

function brought(map: Stage, line: Line, sky: HTMLElement): Animation[] {
  const brings = (line.brings ?? {}) as Brought;
  const mine = purseOf(line.seat!);
  if (line.do === "place" && brings.good) {
    const there = place(String(line.space));
    if (!there) return [];
    const from = map.onScreen(there.emblem ?? there.centre);
    return [fly(drawn(sky, `sk-good-${good(brings.good)?.key}`, 40), from, mine, 500), says(sky, "+1", mine, 1200)];
  }
  if (line.do === "marry") {
    const [family, costs] = [String(line.family), amount(brings.pays, "dirham")];
    const home = domainOf(family);
    if (!home) return [];
    const tile = drawn(sky, `sk-${family}`, 40);
    tile.style.color = find(family)?.colour ?? "";
    return [...flock(sky, "sk-coin", costs, mine, home, 0, `+${costs}`), fly(tile, home, mine, 500)];
  }
  if (line.do !== "sell") return [];
  const bank = document.querySelector(".piles");
  return flock(sky, "sk-coin", 3, bank ? middleOf(bank) : { x: innerWidth / 2, y: innerHeight / 2 }, mine); // S14
}

/** Show what the lines brought, where the camera has moved to. */
export function bringHome(map: Stage, news: Line[]): void {
  // Of many at once, only the latest: otherwise the sky is full.
  const lines = news.filter(({ seat, do: what }) => seat !== undefined && what !== undefined).slice(-3);
  if (lines.length) inTheSky((sky) => lines.flatMap((line) => brought(map, line, sky)));
}
