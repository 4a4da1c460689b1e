/** A game moment by moment. The house sends moments in chunks; each is fetched once and kept. */
import { api, type Studied } from "./api";
import { t } from "./messages.svelte";
import { apply, type Change } from "./patch";
import type { GameView, Line, TableView } from "./types";

/** What a table would show of its game at that moment. */
export interface Moment {
  status: "running" | "over";
  you: number | null;
  winners: number[] | null;
  view: GameView;
  log: Line[];
}

/** Where the game comes from: a table of this house, or a record. */
export interface Source {
  table?: string;
  record?: Record<string, unknown>;
  /** Whether the game is still going on, so that only the own view may be had. */
  running?: boolean;
}

/** How many moments are fetched at once: few enough that the first ones come soon. */
const CHUNK = 24;
const NOBODY = -1;

/** The moments of an answer, each whole. */
export function unrolled(studied: Studied): Moment[] {
  const moments = [studied.first as unknown as Moment];
  for (const patch of studied.patches) moments.push(apply(moments.at(-1)!, patch as Change[]));
  return moments;
}

class View {
  moments: (Moment | undefined)[] = $state.raw([]);
  /** After how many lines of the record each line of the log was written. */
  read: number[] = $state.raw([]);
}

export class Film {
  /** How many lines the record has, as far as the audience may know. */
  lines = $state(0);
  /** Everybody's points by moment; empty until all are known, and while the game is going on. */
  points: number[][] = $state.raw([]);
  head: Pick<Studied, "game" | "box" | "options" | "players"> | null = $state.raw(null);

  #views = new Map<number, View>();
  #asked = new Map<string, Promise<void>>();
  #points: number[][] = [];

  constructor(readonly source: Source) {}

  #view(seat: number | null): View {
    const key = seat ?? NOBODY;
    if (!this.#views.has(key)) this.#views.set(key, new View());
    return this.#views.get(key)!;
  }

  /** The moment after that many lines; undefined if it has not been fetched. */
  moment(seat: number | null, at: number): Moment | undefined {
    return this.#view(seat).moments[at];
  }

  /** After how many lines of the record each line of a seat's log was written. */
  read(seat: number | null): number[] {
    return this.#view(seat).read;
  }

  /** The whole log of a seat; empty until the end of the game has been fetched. */
  log(seat: number | null): Line[] {
    return this.#view(seat).moments[this.lines]?.log ?? [];
  }

  /** Fetch a moment that somebody waits for: without those around it, unless they are on their way. */
  only(seat: number | null, at: number): Promise<void> {
    return this.#asked.get(`${seat} ${at - (at % CHUNK)}`) ?? this.#fetch(seat, at, at);
  }

  /** Fetch a moment, with those around it. */
  load(seat: number | null, at: number): Promise<void> {
    const start = at - (at % CHUNK);
    const key = `${seat} ${start}`;
    const found = this.#asked.get(key) ?? this.#fetch(seat, start, start + CHUNK - 1);
    this.#asked.set(key, found);
    found.catch(() => this.#asked.delete(key));
    return found;
  }

  /** Fetch all moments: those around one first, then the end, then the rest. */
  async all(seat: number | null, at: number): Promise<void> {
    await this.load(seat, at);
    await this.load(seat, this.lines);
    for (let start = 0; start < this.lines; start += CHUNK) await this.load(seat, start);
  }

  async #fetch(seat: number | null, at: number, to: number): Promise<void> {
    const { table, record, running } = this.source;
    const studied = running ? await api.lookBack(table!, seat, at, to) : await api.study({ table, record, seat, at, to });
    const view = this.#view(seat);
    const moments = [...view.moments];
    unrolled(studied).forEach((moment, i) => (moments[at + i] = moment));
    view.moments = moments;
    view.read = studied.read;
    studied.points.forEach((points, i) => (this.#points[at + i] = points));
    this.head = studied;
    this.lines = studied.lines;
    const known = Object.keys(this.#points).length;
    if (!running && known === this.lines + 1 && this.points.length !== known) this.points = [...this.#points];
  }
}

/** A table around the game of a record: nothing but the seats. */
export function around(
  head: Pick<Studied, "game" | "box" | "options" | "players">,
  { names, box_toml }: Record<string, unknown>,
): TableView {
  const own = typeof box_toml === "string" ? { own_box: "file", box_toml } : { own_box: "" };
  const given = Array.isArray(names) ? (names as unknown[]) : [];
  return {
    table: "", seq: 0, status: "over", you: null, game: head.game, box: head.box, ...own,
    options: head.options as Record<string, boolean | string>, first: null,
    pace: { kind: "free", bank: 0, increment: 0, days: 0, tick: 0 },
    listed: false, watch: "open", delay: 0, stand_in: "", before: null, rematch: null, paused_by: null,
    seats: Array.from({ length: head.players }, (_, seat) => ({
      kind: "person", name: typeof given[seat] === "string" ? given[seat] : t("web.new.seat", { n: seat + 1 }), face: "", level: "", host: false,
      away: false, resigned: false, lowered: null,
    })),
    proposal: null, fairness: { commitment: "", secret: null }, awaited: [], call_off: null, view: null, log: [],
    counting: null, winners: null,
  };
}
