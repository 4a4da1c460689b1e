/** Hints: the best moves of my seat as the house sees them, until the question changes. */
import { getContext, setContext } from "svelte";
import type { GameModule } from "../games";
import { api, type HintedMove } from "./api";
import { words, type Live } from "./live.svelte";
import type { Move } from "./types";

const HINTS = Symbol("hints");

export class Hints {
  module: GameModule | undefined = $state.raw();
  /** Which of the moves is looked at. */
  chosen = $state(0);
  busy = $state(false);
  fault = $state("");
  #found: HintedMove[] = $state.raw([]);
  #moment = $state("");

  constructor(readonly live: Live) {}

  /** What identifies the question that is open now, empty if there is none for me. */
  get moment(): string {
    const { shown: table, seat } = this.live;
    if (!table?.view || seat === null || table.status !== "running" || !table.view.waiting.includes(seat)) return "";
    // A quiet question (`sale_until`) is nobody else's business, and a hint would be seen.
    return table.view.legal.length > 1 && !table.sale_until ? `${seat} ${table.log.length} ${table.view.legal.length}` : "";
  }

  /** Whether I may ask now. */
  get offered(): boolean {
    return this.moment !== "" && this.live.shown?.hints === true;
  }

  get rows(): HintedMove[] {
    return this.moment && this.#moment === this.moment ? this.#found : [];
  }

  /** The move to preview on the board. */
  get preview(): Move | null {
    return this.rows[this.chosen]?.move ?? null;
  }

  ask = async (): Promise<void> => {
    const moment = this.moment;
    if (this.busy || !this.offered) return;
    this.busy = true;
    this.fault = "";
    try {
      this.#found = await api.hint(this.live.id, this.live.seat!);
      this.#moment = moment;
      this.chosen = 0;
    } catch (error) {
      this.fault = words(error);
    }
    this.busy = false;
  };

  close = (): void => {
    this.#found = [];
    this.fault = "";
  };
}

/** Give the hints of a table to everything on its page. */
export const provide = (hints: Hints): Hints => setContext(HINTS, hints);

/** The hints of the table, undefined where there are none, as in a replay. */
export const provided = (): Hints | undefined => getContext<Hints | undefined>(HINTS);
