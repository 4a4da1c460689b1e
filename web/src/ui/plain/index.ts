/** The plain board, for games without a folder here. */
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
