/** The boards that come with the game, as drafts. */
import { lang } from "../../../lib/messages.svelte";
import { Refusal } from "../../../lib/api";
import type { Board } from "../types";
import type { Draft } from "./draft";
import { fromBoard } from "./files";

/** Fetch a board of the game by its key, with the drawings of the families' symbols. */
export async function shipped(key: string): Promise<{ draft: Draft; symbols: Record<string, string> }> {
  let board: Board;
  try {
    const answer = await fetch(`/api/games/samarkand/boxes/${key}?lang=${lang()}`);
    if (!answer.ok) throw new Error(String(answer.status));
    board = (await answer.json()) as Board;
  } catch {
    throw new Refusal("web.offline", "", 0);
  }
  return { draft: fromBoard(board), symbols: board.symbols };
}
