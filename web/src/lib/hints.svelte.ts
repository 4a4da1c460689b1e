/** Hints: the best moves of my seat as the house sees them, until the question changes. */
import { getContext, setContext } from "svelte";
import type { GameModule } from "../games";
import { api, type HintedMove } from "./api";
import { words, type Live } from "./live.svelte";
import type { GameView, Move } from "./types";

const HINTS = Symbol("hints");

/** What a question is about: all that is seen from its seat, except who else has yet to answer. */
const about = (view: GameView): string => JSON.stringify({ ...view, waiting: null });

export class Hints {
  module: GameModule | undefined = $state.raw();
  /** Which of the moves is looked at. */
  chosen = $state(0);
  busy = $state(false);
  fault = $state("");
  #found: HintedMove[] = $state.raw([]);
  /** The question that they answer. */
  #asked = $state("");
  /** Whether it is still the one that is open. */
  #same = $derived(this.#asked !== "" && this.#open && about(this.live.shown!.view!) === this.#asked);

  constructor(readonly live: Live) {}

  /** Whether there is a question for me now, with a choice. */
  get #open(): boolean {
    const { shown: table, seat } = this.live;
    if (!table?.view || seat === null || table.status !== "running" || !table.view.waiting.includes(seat)) return false;
    // A quiet question (`sale_until`) is nobody else's business, and a hint would be seen.
    return table.view.legal.length > 1 && !table.sale_until;
  }

  /** Whether I may ask now. */
  get offered(): boolean {
    return this.#open && this.live.shown?.hints === true;
  }

  get rows(): HintedMove[] {
    return this.#same ? this.#found : [];
  }

  /** The move to preview on the board. */
  get preview(): Move | null {
    return this.rows[this.chosen]?.move ?? null;
  }

  ask = async (): Promise<void> => {
    if (this.busy || !this.offered) return;
    const asked = about(this.live.shown!.view!);
    this.busy = true;
    this.fault = "";
    try {
      this.#found = await api.hint(this.live.id, this.live.seat!);
      this.#asked = asked;
      this.chosen = 0;
    } catch (error) {
      this.fault = words(error);
    }
    this.busy = false;
  };

  close = (): void => {
    this.#found = [];
    this.#asked = "";
    this.fault = "";
  };
}

/** Give the hints of a table to everything on its page. */
export const provide = (hints: Hints): Hints => setContext(HINTS, hints);

/** The hints of the table, undefined where there are none, as in a replay. */
export const provided = (): Hints | undefined => getContext<Hints | undefined>(HINTS);
