/** What came of every stop in the whole log: one sees afterwards who has bought what, unless purchases are hidden (M8). */
import type { Line } from "../../lib/types";
import { blocks, half, items, namesOf, sellerOf, type Block, type Deal, type Scene } from "./scenes";
import { count, same, type Goods, type Item, type SoukView } from "./types";

/** What players have bought that no earlier stop accounts for: goods, and the number of camels. */
type Bought = { goods: Goods[] | null; camels: number }[];

/** The stop of each line that settled one: the last line in which somebody named a card. */
export function history(view: SoukView, log: Line[]): Map<Line, Scene> {
  const found = new Map<Line, Scene>();
  const bought: Bought = view.seats.map(({ goods, camels }) => ({ goods: goods && [...goods], camels: count(camels) }));
  const ends = log.flatMap((line, i) => (line.price === 0 ? [i + 1] : []));
  [0, ...ends].forEach((start, round) => {
    const all = blocks(null, log.slice(start, ends[round]));
    // M4: the next player is the next doyen.
    const doyen = (((view.doyen + round + 1 - view.round) % view.players) + view.players) % view.players;
    all.forEach((block, i) => {
      const last = block.names.at(-1);
      const deals = items(block).map((item) => settled(view, bought, all, i, item, doyen));
      if (last && deals.length) found.set(last, { price: block.price, stops: block.stops, doyen, deals });
    });
  });
  return found;
}

function settled(view: SoukView, bought: Bought, all: Block[], at: number, item: Item, doyen: number): Deal {
  const block = all[at]!;
  const names = namesOf(block, item);
  const base: Deal = { item, seller: sellerOf(view, item), names, outcome: "unknown", buyer: null, pays: block.price, fined: [] };
  const dispute: Deal = { ...base, outcome: "dispute", pays: half(block.price) };
  if (item === "camel" && block.reshuffled) return dispute;
  const unsold = item !== "camel" && (all.slice(at + 1).some((later) => namesOf(later, item).length) || view.for_sale.some((sale) => same(sale.item, item)));
  const buyer = unsold ? undefined : names.find((seat) => take(bought[seat]!, item));
  if (buyer !== undefined) {
    const first = buyer === doyen && names.length > 1;
    // M12: without the doyen, two who could pay would have had a dispute.
    return { ...base, outcome: first ? "doyen" : "sold", buyer, fined: first ? [] : names.filter((seat) => seat !== buyer) };
  }
  if (!unsold && names.some((seat) => bought[seat]!.goods === null)) return base;
  return names.length > 1 && !unsold && item !== "camel" ? { ...dispute, unsure: true } : { ...base, outcome: "unsold", fined: names };
}

/** Whether a player has such a thing that no earlier stop accounts for; it is accounted for from now on. */
function take(bought: Bought[number], item: Item): boolean {
  if (item === "camel") return bought.camels > 0 && bought.camels-- > 0;
  const at = bought.goods?.findIndex((one) => same(one, item)) ?? -1;
  if (at >= 0) bought.goods!.splice(at, 1);
  return at >= 0;
}
