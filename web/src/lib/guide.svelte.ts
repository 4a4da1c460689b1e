/** The guide: what the house says of the decision that I have to make, until the question changes. */
import { getContext, setContext } from "svelte";
import type { GameModule } from "../games";
import type { Guidance } from "./api";
import { words } from "./live.svelte";
import type { Move, TableView } from "./types";

const GUIDE = Symbol("guide");

/** Where the guide looks: a table, or a game that is played on from a lesson. */
export interface Guided {
  readonly table: TableView | null;
  readonly seat: number | null;
  /** Whether the guide may be asked here, and is wanted. */
  readonly on: boolean;
  ask(): Promise<Guidance>;
}

export class Guide {
  module: GameModule | undefined = $state.raw();
  /** Which of the moves is looked at, -1 for none. */
  chosen = $state(-1);
  busy = $state(false);
  fault = $state("");
  #said: Guidance | null = $state.raw(null);
  #moment = $state("");

  constructor(readonly at: Guided) {}

  /** What identifies the question that is open now, empty if the guide has nothing to say. */
  get moment(): string {
    const { table, seat, on } = this.at;
    if (!on || !table?.view || seat === null || table.status !== "running" || !table.view.waiting.includes(seat)) return "";
    return table.view.legal.length > 1 && !table.sale_until ? `${seat} ${table.log.length} ${table.view.legal.length} ${JSON.stringify(table.view.legal[0])}` : "";
  }

  get said(): Guidance | null {
    return this.moment && this.#moment === this.moment ? this.#said : null;
  }

  /** The move to preview on the board. */
  get preview(): Move | null {
    return this.said?.moves[this.chosen]?.move ?? null;
  }

  /** Ask about the question that is open, once. */
  ask = async (): Promise<void> => {
    const moment = this.moment;
    if (!moment || moment === this.#moment) return;
    this.#moment = moment;
    this.#said = null;
    this.chosen = -1;
    this.fault = "";
    this.busy = true;
    try {
      const said = await this.at.ask();
      if (this.#moment === moment) this.#said = said;
    } catch (error) {
      this.fault = words(error);
    }
    this.busy = false;
  };
}

/** Give the guide of a game to everything on its page. */
export const provideGuide = (guide: Guide): Guide => setContext(GUIDE, guide);

/** The guide, undefined where there is none, as in a replay. */
export const providedGuide = (): Guide | undefined => getContext<Guide | undefined>(GUIDE);
