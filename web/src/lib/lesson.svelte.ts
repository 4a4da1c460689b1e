/** A lesson step by step: the house sends every position of it at once (docs/lessons.md). */
import type { Moment } from "./film.svelte";
import { added } from "./log";
import { lang } from "./messages.svelte";
import { apply, type Change } from "./patch";
import { settings, SPEEDS } from "./settings.svelte";
import { store, stored } from "./stored";
import type { Line, Move } from "./types";

export type Text = Record<"en" | "fr", string>;
export interface Step {
  text: Text;
  /** The move that is asked for, null if there is only something to read. */
  ask: Move | null;
  /** Lines of the log whose places light up. */
  lit: Line[];
  rules: string[];
  patches: Change[][];
  others: { move: Move; text: Text; patches: Change[][] }[];
  tries: { text: Text; move: Move; rule: string; refusal: Text }[];
}
export interface Scene {
  box: string;
  options: Record<string, boolean | string>;
  players: number;
  seat: number;
  first: Moment;
  steps: Step[];
  /** The level of the bots in the short game after the last step, empty if there is none. */
  bots: string;
  guided: number;
  record: Record<string, unknown> | null;
}
export interface LessonData {
  game: string;
  lesson: string;
  title: Text;
  scenes: Scene[];
}

/** How far somebody has come in a lesson, in this browser. */
export interface Progress {
  step: number;
  done: boolean;
}
const NEW: Progress = { step: 0, done: false };
const key = (game: string, lesson: string): string => `learn.${game}.${lesson}`;
export const progressOf = (game: string, lesson: string): Progress => stored(key(game, lesson), NEW);

/** A move written so that equal ones are equal texts: the order of fields and of cards has no meaning. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, one]) => `${name}:${canonical(one)}`).sort().join()}}`;
}
export const sameMove = (one: Move, other: Move): boolean => canonical(one) === canonical(other);

function follow(start: Moment, patches: Change[][]): Moment[] {
  const moments = [start];
  for (const patch of patches) moments.push(apply(moments.at(-1)!, patch));
  return moments;
}

interface Page {
  scene: Scene;
  step: Step;
  /** The moments from the beginning of the step to that of the next one. */
  moments: Moment[];
}

export class Lesson {
  readonly pages: Page[];
  /** Which page is open; after the last one, the short game. */
  at = $state(0);
  moment: Moment = $state.raw() as Moment;
  news: Line[] = $state.raw([]);
  /** Whether what follows a move is being shown. */
  showing = $state(false);
  /** Another move that was made instead: what is wrong with it. */
  erred: Text | null = $state.raw(null);
  /** A legal move that the lesson has no words for. */
  strayed: Move | null = $state.raw(null);
  /** A forbidden move that was tried. */
  tried: Step["tries"][number] | null = $state.raw(null);

  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly data: LessonData) {
    this.pages = data.scenes.flatMap((scene) => {
      let start = scene.first;
      return scene.steps.map((step) => {
        const moments = follow(start, step.patches);
        start = moments.at(-1)!;
        return { scene, step, moments };
      });
    });
    const { step, done } = progressOf(data.game, data.lesson);
    this.go(done ? 0 : Math.min(step, this.pages.length - 1));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  get page(): Page {
    return this.pages[Math.min(this.at, this.pages.length - 1)]!;
  }

  get step(): Step {
    return this.page.step;
  }

  /** Whether all steps are done, and the short game is on. */
  get over(): boolean {
    return this.at >= this.pages.length;
  }

  /** Whether the learner is to make a move now. */
  get asks(): boolean {
    return !this.over && !this.showing && this.step.ask !== null && this.erred === null;
  }

  say(text: Text): string {
    return text[lang()];
  }

  go(at: number): void {
    clearTimeout(this.#timer);
    this.at = Math.max(0, Math.min(this.pages.length, at));
    this.#settle(this.over ? this.page.moments.at(-1)! : this.page.moments[0]!);
    store(key(this.data.game, this.data.lesson), { step: this.at, done: this.over });
  }

  /** Go on: what follows the step is shown first. The move that is asked for is made for those who skip it. */
  next = (): void => {
    if (this.showing) return this.go(this.at + 1);
    this.#show(this.page.moments, () => this.go(this.at + 1));
  };

  /** Go back: to the question if another move was made, otherwise to the step before. */
  back = (): void => this.go(this.erred || this.showing ? this.at : this.at - 1);

  /** Make a move on the board. */
  play = (move: Move): void => {
    const { ask, others } = this.step;
    if (!this.asks || !ask) return;
    this.strayed = this.tried = null;
    if (sameMove(move, ask)) return this.next();
    const other = others.find((one) => sameMove(one.move, move));
    if (!other) this.strayed = move;
    else {
      this.#show(follow(this.moment, other.patches), () => {
        this.showing = false;
        this.erred = other.text;
      });
    }
  };

  try = (one: Step["tries"][number]): void => {
    this.strayed = null;
    this.tried = one;
  };

  #settle(moment: Moment): void {
    this.erred = this.strayed = this.tried = null;
    this.showing = false;
    this.news = [];
    this.moment = moment;
  }

  /** Show moments one after the other. */
  #show(moments: Moment[], then: () => void): void {
    const [, ...rest] = moments;
    if (!rest.length) return then();
    this.showing = true;
    const pause = settings.calm ? 0 : SPEEDS[settings.speed];
    const step = (): void => {
      const now = rest.shift();
      if (!now) return then();
      const told = added(this.moment.log, now.log);
      [this.news, this.moment] = [told, now];
      // What changes nothing but a number, like a price that falls, takes less time.
      this.#timer = setTimeout(step, told.length ? pause : pause / 3);
    };
    step();
  }
}
