/** A live table: one WebSocket, which reconnects, and the views that it receives, shown one by one. */
import { api, Refusal } from "./api";
import { added } from "./log";
import { t } from "./messages.svelte";
import { apply, type Change } from "./patch";
import { settings } from "./settings.svelte";
import type { Line, Move, TableView } from "./types";

type Sent =
  | { type: "hello"; now: number }
  | { type: "view"; seat: number | null; seq: number; view: TableView }
  | { type: "update"; seat: number | null; after: number; seq: number; patch: Change[] }
  | { type: "ended"; seat: number | null; error: string; text: string }
  | { type: "done"; key: string }
  | { type: "refused"; key: string; error: string; text: string; rule: string | null };

interface Pending {
  message: Record<string, unknown>;
  resolve(refusal: string | null): void;
}

/** How long a move of another player is shown before the next one, in milliseconds. */
const STEP = 420;
const HURRIED = 140;
const MANY = 5;
const NOBODY = -1;

export class Live {
  /** My seats; more than one at a hot-seat table. */
  mine: number[] = $state([]);
  /** The seat whose view is shown, null for a spectator. */
  seat: number | null = $state(null);
  shown: TableView | null = $state.raw(null);
  news: Line[] = $state.raw([]);
  connection: "connecting" | "open" | "lost" = $state("connecting");
  /** Why the table cannot be shown. */
  fault: string = $state("");
  /** Whether hands are hidden until the next player of a hot-seat table has the device. */
  covered = $state(false);
  waiting = $state(0);

  #views = new Map<number, TableView>();
  #queue: TableView[] = $state.raw([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #socket: WebSocket | undefined;
  #pending = new Map<string, Pending>();
  #tries = 0;
  #offset = 0;
  #closed = false;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly id: string) {
    void this.#begin();
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#seen);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#seen);
    this.#socket?.close();
  }

  /** The house's clock. */
  now = (): number => Date.now() + this.#offset;

  /** Whether nothing can be committed now. */
  get busy(): boolean {
    return this.waiting > 0 || this.#queue.length > 0;
  }

  play = (move: Move): Promise<string | null> => this.ask({ do: "play", move });

  /** Send a request for the current seat; resolves to null, or to the text of the refusal. */
  ask = (request: Record<string, unknown>): Promise<string | null> => {
    const key = crypto.randomUUID();
    const message = { ...(this.seat === null ? {} : { seat: this.seat }), ...request, key };
    if (request.do === "start") delete (message as { seat?: number }).seat;
    this.waiting += 1;
    return new Promise<string | null>((resolve) => {
      this.#pending.set(key, { message, resolve });
      this.#say(message);
    });
  };

  /** Show everything that has happened at once. */
  skip = (): void => {
    if (!this.#queue.length) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const last = this.#queue.at(-1)!;
    this.#queue = [];
    this.#show(last);
  };

  /** Switch to another of my seats, or to the spectators' view. */
  look = (seat: number | null): void => {
    this.seat = seat;
    this.#queue = [];
    const view = this.#views.get(seat ?? NOBODY);
    if (view) this.#show(view);
    else this.#watch(seat);
  };

  /** The next player has the device. */
  uncover = (): void => {
    this.covered = false;
  };

  /** Reconnect, so that the house gets the new cookie. */
  renew = (): void => {
    const old = this.#socket;
    this.#socket = undefined;
    old?.close();
    this.#connect();
  };

  /** Fetch my seats again, after sitting down or standing up. */
  reseat = async (): Promise<void> => {
    const { seats } = await api.seats(this.id);
    this.mine = seats;
    for (const seat of seats) if (!this.#views.has(seat)) this.#watch(seat);
    if (this.seat === null || !seats.includes(this.seat)) this.look(seats[0] ?? null);
  };

  async #begin(): Promise<void> {
    try {
      const { seats } = await api.seats(this.id);
      this.mine = seats;
      this.seat = seats[0] ?? null;
    } catch (error) {
      const refusal = error as Refusal;
      if (refusal.status === 404) {
        this.fault = refusal.text;
        return;
      }
    }
    this.#connect();
  }

  #connect(): void {
    if (this.#closed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.id}/live`);
    this.#socket = socket;
    socket.onmessage = (event: MessageEvent<string>) => this.#heard(JSON.parse(event.data) as Sent);
    socket.onclose = () => {
      if (this.#closed || socket !== this.#socket) return;
      this.connection = "lost";
      // Quickly at first, then every few seconds, with jitter.
      const pause = Math.min(8000, 250 * 2 ** this.#tries++) * (0.7 + Math.random() * 0.6);
      this.#retry = setTimeout(() => this.#connect(), pause);
    };
  }

  #hurry = (): void => {
    if (this.connection !== "lost") return;
    clearTimeout(this.#retry);
    this.#tries = 0;
    this.#connect();
  };

  #seen = (): void => {
    if (document.hidden) return;
    this.#hurry();
  };

  #watch(seat: number | null): void {
    const seq = this.#views.get(seat ?? NOBODY)?.seq ?? null;
    this.#say({ do: "watch", seat, seq, key: "" });
  }

  #say(message: Record<string, unknown>): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #heard(sent: Sent): void {
    switch (sent.type) {
      case "hello":
        this.#offset = sent.now - Date.now();
        this.connection = "open";
        this.#tries = 0;
        for (const seat of this.mine) this.#watch(seat);
        if (this.seat === null) this.#watch(null);
        // Repeat unanswered requests: their keys make sure that they are carried out once.
        for (const { message } of this.#pending.values()) this.#say(message);
        break;
      case "view":
        this.#put(sent.seat, sent.view, true);
        break;
      case "update": {
        const old = this.#views.get(sent.seat ?? NOBODY);
        if (old?.seq === sent.after) this.#put(sent.seat, apply(old, sent.patch), false);
        else this.#watch(sent.seat);
        break;
      }
      case "ended":
        // The seat has another owner now, or spectators are no longer welcome: what was shown of it is forgotten.
        this.#views.delete(sent.seat ?? NOBODY);
        if (sent.seat !== null) void this.reseat();
        else if (this.seat === null) this.fault = sent.text;
        break;
      case "done":
        this.#answer(sent.key, null);
        break;
      case "refused":
        if (sent.key) this.#answer(sent.key, sent.text);
        else if (!this.shown) this.fault = sent.text;
    }
  }

  #answer(key: string, refusal: string | null): void {
    const pending = this.#pending.get(key);
    if (!pending) return;
    this.#pending.delete(key);
    this.waiting -= 1;
    pending.resolve(refusal);
  }

  #put(seat: number | null, view: TableView, whole: boolean): void {
    this.#views.set(seat ?? NOBODY, view);
    if (this.mine.length > 1) this.#pass();
    if (seat !== this.seat) return;
    // A decision against the clock does not wait for animations.
    if (whole || !this.shown || document.hidden || view.pace.tick) {
      this.#queue = [];
      this.#show(view);
      return;
    }
    this.#queue = [...this.#queue, view];
    if (this.#timer === undefined) this.#step();
  }

  #step(): void {
    this.#timer = undefined;
    const [next, ...rest] = this.#queue;
    if (!next) return;
    this.#queue = rest;
    this.#show(next);
    const pause = settings.calm || !this.news.length ? 0 : rest.length >= MANY ? HURRIED : STEP;
    if (pause || rest.length) this.#timer = setTimeout(() => this.#step(), pause);
  }

  #show(view: TableView): void {
    this.news = this.shown?.seq !== undefined && this.shown.you === view.you ? added(this.shown.log, view.log) : [];
    this.shown = view;
  }

  /** Hot seat: switch to my next seat to move, and hide the hands meanwhile. */
  #pass(): void {
    const asked = this.mine.filter((seat) => {
      const view = this.#views.get(seat)?.view;
      return view?.waiting.includes(seat) && view.legal.length > 0;
    });
    if (!asked.length || (this.seat !== null && asked.includes(this.seat))) return;
    this.seat = asked[0]!;
    this.#queue = [];
    this.covered = true;
    const view = this.#views.get(this.seat);
    if (view) this.#show(view);
  }
}

/** The text for a request that could not be sent. */
export function words(error: unknown): string {
  if (error instanceof Refusal) return error.text || t(error.error);
  throw error;
}
