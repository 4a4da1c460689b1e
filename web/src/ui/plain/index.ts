/** The board of a game that has no folder here: its view as a list, its moves as buttons. */
import type { GameModule } from "../../games";
import Board from "./Board.svelte";
import { result, tell } from "./words";

export function plain(game: string): GameModule {
  return {
    Game: Board,
    tell: (line, who) => tell(game, line, who),
    ruleOf: () => null,
    result,
  };
}
