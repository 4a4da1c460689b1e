/** Asking the house for a review, and waiting until it is done. */
import { api, Refusal, type Reviewed } from "./api";
import type { Source } from "./film.svelte";
import { words } from "./live.svelte";
import { load } from "./messages.svelte";
import type { Judgement, Review } from "./review";

/** Milliseconds between two looks at how far it is. */
const ROUND = 1000;

export class Reviewing {
  state: Pick<Reviewed, "status" | "done" | "of"> | null = $state.raw(null);
  review: Review | null = $state.raw(null);
  openHands = $state(false);
  fault = $state("");
  /** The decision that is looked at. */
  chosen: Judgement | null = $state.raw(null);
  #closed = false;
  #asked = 0;

  constructor(readonly source: Source) {}

  /** Ask for the review of the game. */
  ask = async (openHands = this.openHands): Promise<void> => {
    const asked = ++this.#asked;
    const current = (): boolean => !this.#closed && asked === this.#asked;
    [this.openHands, this.fault, this.review, this.chosen] = [openHands, "", null, null];
    this.state = { status: "waiting" };
    try {
      await load("review");
      const { table, record } = this.source;
      const request = { table: table ?? null, record: record ?? null, open_hands: openHands };
      let told = await api.review(request);
      while (current() && told.status !== "done") {
        this.state = told;
        await new Promise((wake) => setTimeout(wake, ROUND));
        if (!current()) return;
        told = await api.reviewed(told.id).catch((error: unknown) => {
          // The house was restarted, or could not be reached for a moment.
          if (error instanceof Refusal && [0, 404, 503].includes(error.status)) return error.status ? api.review(request) : told;
          throw error;
        });
      }
      if (!current()) return;
      this.review = told.review as unknown as Review;
      this.state = null;
    } catch (error) {
      if (!current()) return;
      this.state = null;
      this.fault = words(error);
    }
  };

  close = (): void => {
    this.#closed = true;
  };
}
