/** The board on the workbench: its draft with all earlier ones, what is selected, and what the house says about it. */
import { api, Refusal, type BoxFault } from "../../../lib/api";
import { words } from "../../../lib/live.svelte";
import { lang } from "../../../lib/messages.svelte";
import { store, stored } from "../../../lib/stored";
import type { Draft } from "./draft";
import { toToml } from "./files";

/** How long nothing must change before the house checks a draft, in milliseconds. */
const QUIET = 600;
const BUSY = 3000;
const MOST_UNDO = 200;
const GAME = "samarkand";

export interface Kept {
  name: string;
  draft: Draft;
  at: number;
}

/** A fault without the line of a file that nobody sees here. */
const unlined = (fault: BoxFault): BoxFault => ({ ...fault, text: fault.text.replace(new RegExp(`^\\S+ ${fault.line}, `), "") });

export class Bench {
  draft: Draft = $state.raw() as unknown as Draft;
  /** The key of the selected space. */
  selected: string | null = $state(null);
  faults: BoxFault[] = $state.raw([]);
  /** How many can play on it, once it is without faults. */
  players: number[] = $state.raw([]);
  checking = $state(true);
  /** Why the house cannot check it. */
  trouble = $state("");
  past: Draft[] = $state.raw([]);
  future: Draft[] = $state.raw([]);
  kept: Kept[] = $state.raw(stored<Kept[]>("workshop.kept", []));

  #timer: ReturnType<typeof setTimeout> | undefined;
  #number = 0;
  /** What the last change was about: changes of the same thing in a row are undone together. */
  #about = "";

  constructor(draft: Draft) {
    this.draft = draft;
    this.check(0);
  }

  /** The file of the draft. */
  get toml(): string {
    return toToml(this.draft);
  }

  /** Whether it can be played. */
  get sound(): boolean {
    return !this.checking && !this.trouble && this.faults.length === 0;
  }

  /** Change the draft. Changes with the same `about`, such as the letters of a name, are one step to undo. */
  change(draft: Draft, about = ""): void {
    if (draft === this.draft) return;
    if (!about || about !== this.#about) this.past = [...this.past, this.draft].slice(-MOST_UNDO);
    this.#about = about;
    this.future = [];
    this.#show(draft);
  }

  /** The next change is a step of its own, even if it is about the same thing. */
  settle(): void {
    this.#about = "";
  }

  undo(): void {
    const before = this.past.at(-1);
    if (!before) return;
    this.past = this.past.slice(0, -1);
    this.future = [...this.future, this.draft];
    this.#show(before);
    this.settle();
  }

  redo(): void {
    const after = this.future.at(-1);
    if (!after) return;
    this.future = this.future.slice(0, -1);
    this.past = [...this.past, this.draft];
    this.#show(after);
    this.settle();
  }

  /** Put another board on the bench; undo brings the old one back. */
  open(draft: Draft): void {
    this.selected = null;
    this.settle();
    this.change(draft);
  }

  #show(draft: Draft): void {
    this.draft = draft;
    if (this.selected && !draft.spaces.some(({ key }) => key === this.selected)) this.selected = null;
    store("workshop.now", draft);
    this.check(QUIET);
  }

  /** Ask the house for the faults, when nothing has changed for a while. */
  check(after: number): void {
    clearTimeout(this.#timer);
    this.checking = true;
    this.#timer = setTimeout(() => void this.#ask(++this.#number), after);
  }

  async #ask(number: number): Promise<void> {
    try {
      const { faults, players } = await api.checkBox(GAME, this.toml);
      if (number !== this.#number) return;
      [this.faults, this.players, this.trouble, this.checking] = [faults.map(unlined), players ?? [], "", false];
    } catch (error) {
      if (number !== this.#number) return;
      if (error instanceof Refusal && error.status === 429) this.check(BUSY);
      else [this.trouble, this.checking] = [words(error), false];
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#number++;
  }

  /** The spaces that faults are about. */
  get wrong(): Map<string, string> {
    const found = new Map<string, string>();
    for (const { path, text } of this.faults) {
      const key = this.spaceAt(path);
      if (key) found.set(key, found.has(key) ? `${found.get(key)} ${text}` : text);
    }
    return found;
  }

  /** The space that a fault is about, if any: its own, or where a family or a good is. */
  spaceAt([kind, index]: (string | number)[]): string | null {
    if (typeof index !== "number") return null;
    if (kind === "spaces") return this.draft.spaces[index]?.key ?? null;
    const at = kind === "families" ? this.draft.families[index]?.start : kind === "goods" ? this.draft.goods[index]?.space : "";
    return this.draft.spaces.some(({ key }) => key === at) ? at! : null;
  }

  /** Keep the draft in this browser, under its name. */
  keep(): void {
    const name = this.draft.name[lang()];
    this.kept = [{ name, draft: this.draft, at: Date.now() }, ...this.kept.filter((one) => one.name !== name)].slice(0, 20);
    store("workshop.kept", this.kept);
  }

  forget(name: string): void {
    this.kept = this.kept.filter((one) => one.name !== name);
    store("workshop.kept", this.kept);
  }
}

/** The draft that was on the bench when this browser last had the page open. */
export const lastDraft = (): Draft | null => stored<Draft | null>("workshop.now", null);
