/** A variation that is being played: the board as at a table, with bots in all other seats. */
import { api, Refusal } from "./api";
import { unrolled, type Moment, type Source } from "./film.svelte";
import { added } from "./log";
import { settings, SPEEDS } from "./settings.svelte";
import type { Line, Move } from "./types";
import { fresh, type Variation, type Variations } from "./variations.svelte";

export class Branch {
  variation: Variation = $state.raw() as Variation;
  /** From the moment at which it leaves the game to the present one. */
  moments: Moment[] = $state.raw([]);
  shown = $state(0);
  news: Line[] = $state.raw([]);
  thinking = $state(false);
  /** Why a bot plays below its level. */
  lowered = $state("");

  #moves: Move[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly source: Source,
    readonly kept: Variations,
    variation: Variation,
  ) {
    this.variation = variation;
    this.#moves = variation.moves;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  get moment(): Moment | undefined {
    return this.moments[this.shown];
  }

  /** Whether nothing can be played: bots think, or their moves are still being shown. */
  get busy(): boolean {
    return this.thinking || this.shown < this.moments.length - 1;
  }

  /** Whether the seat has decided anything yet. */
  get played(): boolean {
    return this.#moves.some((move) => move.seat === this.variation.seat) && this.moments.length > 0;
  }

  /** Fetch the position, and show where it has got to. */
  open = async (): Promise<Refusal | null> => {
    const refusal = await this.#send(this.#moves);
    clearTimeout(this.#timer);
    this.#show(this.moments.length - 1);
    return refusal;
  };

  play = async (move: Move): Promise<Refusal | null> => {
    const before = this.#moves;
    const refusal = await this.#send([...before, { seat: this.variation.seat, ...move }]);
    if (!refusal) this.#keep(before.length);
    return refusal;
  };

  /** Orders answer at once, as far as they go; taking back goes to the last decision. */
  ask = async (request: Record<string, unknown>): Promise<Refusal | null> => {
    if (request.do === "undo") return this.takeBack();
    if (request.do !== "order") return null;
    const before = this.#moves.length;
    const refusal = await this.#send(this.#moves, request.orders as Record<string, unknown>);
    if (!refusal) this.#keep(before);
    return refusal;
  };

  /** Go back to the last decision with a choice: boards make forced moves by themselves. */
  takeBack = async (): Promise<Refusal | null> => {
    for (;;) {
      const last = this.#moves.findLastIndex((move) => move.seat === this.variation.seat);
      if (last < 0) return null;
      this.shown = 0;
      this.moments = this.moments.slice(0, 1);
      const refusal = await this.#send(this.#moves.slice(0, last));
      clearTimeout(this.#timer);
      this.#show(this.moments.length - 1);
      if (refusal || this.moment!.view.legal.length > 1) return refusal;
    }
  };

  /** Look at an earlier moment of the variation, or a later one. */
  step = (by: number): void => {
    clearTimeout(this.#timer);
    this.#show(Math.max(0, Math.min(this.moments.length - 1, this.shown + by)));
  };

  rename = (name: string): void => this.#change({ name });

  level = (bots: string): void => this.#change({ bots });

  #change(more: Partial<Variation>): void {
    this.variation = { ...this.variation, ...more };
    if (this.kept.all.some(({ id }) => id === this.variation.id)) this.kept.keep(this.variation);
  }

  /** Keep what was played on after some moves; if others were there before, as a variation of its own. */
  #keep(after: number): void {
    const { id, moves } = this.variation;
    const along = JSON.stringify(moves.slice(0, this.#moves.length)) === JSON.stringify(this.#moves);
    if (along && moves.length > this.#moves.length) return; // the same moves again
    const forks = this.kept.all.some((one) => one.id === id) && moves.length > after;
    this.variation = { ...this.variation, moves: this.#moves, ...(forks ? { id: fresh(), parent: id } : {}) };
    this.kept.keep(this.variation);
  }

  async #send(moves: Move[], orders?: Record<string, unknown>): Promise<Refusal | null> {
    const { table, record } = this.source;
    const { at, seat, bots, seed } = this.variation;
    this.thinking = true;
    try {
      let sent = { moves, orders };
      for (;;) {
        const studied = await api.study({ table, record, at, seat, bots, seed, ...sent });
        const lines = this.moment?.log.length ?? 0;
        this.#moves = studied.moves ?? [];
        this.lowered = studied.lowered ?? "";
        this.moments = unrolled(studied);
        // Go on from where the board is: the present moment may have been one between two lines.
        this.shown = Math.max(0, Math.min(this.shown, this.moments.findLastIndex(({ log }) => log.length <= lines)));
        const now = this.moments.at(-1)!;
        // Bots that need long leave the rest to the next request.
        if (now.status === "over" || now.view.waiting.includes(seat)) break;
        sent = { moves: this.#moves, orders: undefined };
      }
      this.#step();
      return null;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    } finally {
      this.thinking = false;
    }
  }

  /** Show the next moment, and so on up to the present one. */
  #step(): void {
    clearTimeout(this.#timer);
    const last = this.moments.length - 1;
    if (this.shown >= last) {
      this.#show(last);
      return;
    }
    this.#show(this.shown + 1);
    if (this.shown < last) this.#timer = setTimeout(() => this.#step(), SPEEDS[settings.speed]);
  }

  #show(at: number): void {
    const [before, now] = [this.moment, this.moments[at]];
    this.news = before && now && at > 0 ? added(before.log, now.log) : [];
    this.shown = Math.max(0, at);
  }
}
