/** The games of this house, fetched once. */
import { api, type GameCard } from "./api";
import { lang } from "./messages.svelte";
import { store, stored } from "./stored";

// Show the last answer until the house responds.
let cards: GameCard[] = $state.raw(stored("games", []));
let asked: Promise<GameCard[]> | undefined;

async function ask(): Promise<GameCard[]> {
  try {
    cards = await api.games();
    store("games", cards);
    return cards;
  } catch (error) {
    asked = undefined;
    throw error;
  }
}

export const games = {
  get all(): GameCard[] {
    return cards;
  },
  /** The name of a game. */
  name: (game: string): string => cards.find((card) => card.game === game)?.name[lang()] ?? game,
  /** A word about a game. */
  about: (game: string): string => cards.find((card) => card.game === game)?.about[lang()] ?? "",
  /** Whether a game has a lesson. An answer from an older house may not say so. */
  teaches: (game: string): boolean => (cards.find((card) => card.game === game)?.lessons ?? []).length > 0,
  ready: (): Promise<GameCard[]> => (asked ??= ask()),
};
