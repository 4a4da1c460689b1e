/** What a card of the market would do for my score, from what I know. */
import { worth, type Harmony, type Worth } from "./scoring";
import { typesInPlay, type Goods, type Item, type SoukView, type Type } from "./types";

export interface Bringing {
  item: Item;
  now: Worth;
  then: Worth;
  /** Points more or fewer: as things are, or without room for it, once camels had it. */
  gain: number;
  roomless: boolean;
}

/** The types whose cards I may buy: all in play but my own. */
export function foreign(view: SoukView, seat: number): Type[] {
  return typesInPlay(view).filter((type) => type !== view.seats[seat]!.type);
}

/** What I have is worth so much now. */
export function worthOf(view: SoukView, seat: number, harmony: Harmony): Worth {
  const { goods, camels } = view.seats[seat]!;
  return worth(goods as Goods[], camels as number[], foreign(view, seat), harmony);
}

/** What an item would bring; null for my own card. */
export function bringing(view: SoukView, seat: number, item: Item, harmony: Harmony): Bringing | null {
  const place = view.seats[seat]!;
  const [goods, camels, types] = [place.goods as Goods[], place.camels as number[], foreign(view, seat)];
  if (item === "camel") {
    const [now, then] = [worth(goods, camels, types, harmony), worth(goods, [...camels, view.camel ?? 0], types, harmony)];
    return { item, now, then, gain: then.total - now.total, roomless: false };
  }
  if (item[0] === place.type) return null;
  const roomless = camels.reduce((sum, size) => sum + size, 0) <= goods.length;
  // Without room, as if camels carried just what there is.
  const now = worth(goods, roomless ? [goods.length] : camels, types, harmony);
  const then = worth([...goods, item], roomless ? [goods.length + 1] : camels, types, harmony);
  return { item, now, then, gain: then.total - now.total, roomless };
}
