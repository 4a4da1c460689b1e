/** The games that are played in this house: what it tells of each. Asked once. */
import { api, type GameCard } from "./api";
import { lang } from "./messages.svelte";
import { store, stored } from "./stored";

// What was told last time is shown until the house answers.
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
  /** What people call a game. */
  name: (game: string): string => cards.find((card) => card.game === game)?.name[lang()] ?? game,
  ready: (): Promise<GameCard[]> => (asked ??= ask()),
};
