/** Two families meet for the first time (S16 to S18): the camels touch, the markers turn, and coins fly to their owners. */
import { at, drawn, flock, inTheSky, middleOf, purseOf, type Spot } from "../../lib/flight";
import type { Line } from "../../lib/types";
import type { View } from "./types";

export interface Meeting {
  space: string;
  families: [string, string];
  /** Who placed the camel, and how many relationship markers that brought. */
  seat: number;
  relations: number;
  /** Dirhams by seat, as far as purses are open. */
  coins: [seat: number, dirhams: number][];
}

/** The first meetings among what just happened, by what has changed since the view before. */
export function meetings(before: View | null, now: View, news: Line[]): Meeting[] {
  if (!before || before.board !== now.board) return [];
  return news.flatMap((line) => {
    if (line.do !== "place" || line.seat === undefined) return [];
    const [space, family] = [String(line.space), String(line.family)];
    const other = now.camels[space]?.find((one) => one !== family);
    const known = (view: View): boolean => !!other && (view.families[family]?.partners.includes(other) ?? false);
    if (!other || known(before) || !known(now)) return [];
    const coins = now.seats.flatMap(({ dirhams }, seat): [number, number][] => {
      const more = (dirhams ?? 0) - (before.seats[seat]?.dirhams ?? 0);
      return dirhams !== null && more > 0 ? [[seat, more]] : [];
    });
    const relations = now.seats[line.seat]!.relations - before.seats[line.seat]!.relations;
    return [{ space, families: [family, other], seat: line.seat, relations, coins }];
  });
}

export interface Stage {
  onScreen(point: [number, number]): { x: number; y: number };
  camelOf(space: string, family: string): Element | null;
}
const AFTER = 380;
const EASE = "cubic-bezier(0.3, 0, 0.2, 1)";

/** Show meetings. */
export function celebrate(map: Stage, met: Meeting[]): void {
  inTheSky((sky) => met.flatMap((one) => play(map, one, sky)));
}

function play(map: Stage, { space, families, seat, relations, coins }: Meeting, sky: HTMLElement): Animation[] {
  const camels = families.map((family) => map.camelOf(space, family));
  if (!camels[0] || !camels[1]) return [];
  const [here, there] = [middleOf(camels[0]), middleOf(camels[1])];
  const middle = { x: (here.x + there.x) / 2, y: (here.y + there.y) / 2 };
  const found: Animation[] = [];
  camels.forEach((camel, i) => {
    const from = i ? there : here;
    // Units of the map, not pixels: the same part of the way at any zoom.
    const k = camel!.getBoundingClientRect().width / (camel!.clientWidth || 1);
    const way = `${((middle.x - from.x) / k) * 0.35}px ${((middle.y - from.y) / k) * 0.35}px`;
    found.push(
      camel!.animate([{ translate: "0 0" }, { translate: way, offset: 0.35 }, { translate: way, offset: 0.6 }, { translate: "0 0" }], {
        duration: 900, delay: AFTER, easing: EASE,
      }),
    );
  });
  for (let i = 0; i < relations; i++) found.push(...markerTurns(sky, middle, i - (relations - 1) / 2, seat));
  for (const [owner, n] of coins) found.push(...flock(sky, "sk-coin", n, middle, purseOf(owner), AFTER + 500));
  return found;
}

function markerTurns(sky: HTMLElement, from: Spot, side: number, seat: number): Animation[] {
  const [node, to] = [drawn(sky, "sk-bond", 40), purseOf(seat)];
  const up = { x: from.x + side * 46, y: from.y - 44 };
  return [
    node.animate(
      [
        { transform: at(from, "scale(0.3) rotateY(0deg)"), opacity: 0 },
        { transform: at(up, "scale(1.1) rotateY(180deg)"), opacity: 1, offset: 0.25 },
        { transform: at(up, "scale(1) rotateY(360deg)"), opacity: 1, offset: 0.6 },
        { transform: at(to, "scale(0.5) rotateY(360deg)"), opacity: 0.2 },
      ],
      { duration: 1500, delay: AFTER + 250, easing: EASE },
    ),
  ];
}
