/** A live table: one WebSocket, which reconnects, and the views that it receives, shown one by one. */
import { api, type ChatLine, Refusal } from "./api";
import { takePart, type Trouble } from "./deal";
import { added } from "./log";
import { t } from "./messages.svelte";
import { apply, type Change } from "./patch";
import { presence } from "./presence.svelte";
import { settings, SPEEDS } from "./settings.svelte";
import { hex } from "./sha256";
import type { Line, Move, TableView } from "./types";

type Sent =
  | { type: "hello"; now: number }
  | { type: "view"; seat: number | null; seq: number; view: TableView }
  | { type: "update"; seat: number | null; after: number; seq: number; patch: Change[] }
  | { type: "chat"; lines: ChatLine[] }
  | { type: "gone"; seats: number[] }
  | { type: "ended"; seat: number | null; error: string; text: string }
  | { type: "done"; key: string }
  | { type: "refused"; key: string; error: string; text: string; rule: string | null };

interface Pending {
  message: Record<string, unknown>;
  resolve(refusal: Refusal | null): void;
}

const NOBODY = -1;

export class Live {
  /** My seats; more than one at a hot-seat table. */
  mine: number[] = $state([]);
  /** The seat whose view is shown, null for a spectator. */
  seat: number | null = $state(null);
  shown: TableView | null = $state.raw(null);
  news: Line[] = $state.raw([]);
  /** The chat as far as it is known here, the oldest line first. */
  chat: ChatLine[] = $state.raw([]);
  connection: "connecting" | "open" | "lost" = $state("connecting");
  /** Why the table cannot be shown. */
  fault: string = $state("");
  /** Whether hands are hidden until the next player of a hot-seat table has the device. */
  covered = $state(false);
  /** Whether the first line of the chat that the house keeps is known. */
  oldest = $state(true);
  waiting = $state(0);
  /** Why this browser takes no part in the deal. */
  trouble: Trouble = $state(null);

  #views = new Map<number, TableView>();
  #queue: TableView[] = $state.raw([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #socket: WebSocket | undefined;
  #pending = new Map<string, Pending>();
  #tries = 0;
  #offset = 0;
  #closed = false;
  /** Whether my seats are known, so that it is clear what to watch. */
  #seated = false;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly id: string) {
    void this.#begin();
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#seen);
  }

  close(): void {
    this.#closed = true;
    presence.gone = [];
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#seen);
    this.#socket?.close();
  }

  /** The house's clock. */
  now = (): number => Date.now() + this.#offset;

  /** How many steps are still to be shown. */
  get behind(): number {
    return this.#queue.length;
  }

  /** Whether nothing can be committed now. */
  get busy(): boolean {
    return this.waiting > 0 || this.#queue.length > 0;
  }

  play = (move: Move): Promise<Refusal | null> => this.ask({ do: "play", move });

  /** Send a request for the current seat; resolves to null, or to the refusal. */
  ask = (request: Record<string, unknown>): Promise<Refusal | null> => {
    const key = hex(crypto.getRandomValues(new Uint8Array(16)));
    const message = { ...(this.seat === null ? {} : { seat: this.seat }), ...request, key };
    if (request.do === "start" || request.do === "call_off") delete (message as { seat?: number }).seat;
    this.waiting += 1;
    return new Promise<Refusal | null>((resolve) => {
      this.#pending.set(key, { message, resolve });
      this.#say(message);
    });
  };

  /** Show everything that has happened at once. */
  skip = (): void => {
    const last = this.#queue.at(-1);
    if (!last) return;
    this.#drop();
    this.#show(last);
  };

  /** Fetch the lines of chat before the oldest one that is known. */
  earlier = async (): Promise<void> => {
    const oldest = this.chat[0]?.n ?? 1;
    const lines = await api.chat(this.id, oldest);
    this.chat = [...lines, ...this.chat];
    this.oldest = lines.length === 0 || lines[0]!.n === 1;
  };

  /** Switch to another of my seats, or to the spectators' view. */
  look = (seat: number | null): void => {
    this.seat = seat;
    this.#drop();
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
    // The socket opens meanwhile: on a phone, one round trip less before the table is seen.
    this.#connect();
    try {
      const { seats } = await api.seats(this.id);
      this.mine = seats;
      this.seat = seats[0] ?? null;
    } catch (error) {
      const refusal = error as Refusal;
      if ([404, 410, 422].includes(refusal.status)) {
        this.fault = refusal.text;
        this.close();
        return;
      }
    }
    this.#seated = true;
    if (this.connection === "open") this.#resume();
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
    // Nobody watches a hidden page, and its timers are slow: alerts must not wait for them.
    if (document.hidden) this.skip();
    else this.#hurry();
  };

  #watch(seat: number | null): void {
    const seq = this.#views.get(seat ?? NOBODY)?.seq ?? null;
    this.#say({ do: "watch", seat, seq, line: this.chat.at(-1)?.n ?? 0, key: "" });
  }

  /** Watch my seats, and repeat unanswered requests: their keys make sure that they are carried out once. */
  #resume(): void {
    for (const seat of this.mine) this.#watch(seat);
    if (this.seat === null) this.#watch(null);
    for (const { message } of this.#pending.values()) this.#say(message);
  }

  #say(message: Record<string, unknown>): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #heard(sent: Sent): void {
    switch (sent.type) {
      case "hello":
        this.#offset = sent.now - Date.now();
        presence.gone = [];
        this.connection = "open";
        this.fault = "";
        this.#tries = 0;
        if (this.#seated) this.#resume();
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
      case "chat":
        this.#talk(sent.lines);
        break;
      case "gone":
        presence.gone = sent.seats;
        break;
      case "ended":
        // The seat has another owner now, or spectators are no longer welcome: what was shown of it is forgotten.
        this.#views.delete(sent.seat ?? NOBODY);
        if (sent.error === "error.house.deleted") {
          this.fault = sent.text;
          this.close();
          break;
        }
        if (sent.seat !== null) void this.reseat();
        else if (this.seat === null) this.fault = sent.text;
        break;
      case "done":
        this.#answer(sent.key, null);
        break;
      case "refused":
        if (sent.key) this.#answer(sent.key, new Refusal(sent.error, sent.text, 0, sent.rule));
        else if (!this.shown) this.fault = sent.text;
    }
  }

  #talk(lines: ChatLine[]): void {
    const last = this.chat.at(-1)?.n ?? 0;
    const first = lines[0]?.n ?? 0;
    // After a long absence there is a gap: the lines before it are loaded again on demand.
    const follows = this.chat.length > 0 && first <= last + 1;
    if (!follows) this.oldest = first === 1;
    this.chat = follows ? [...this.chat, ...lines.filter(({ n }) => n > last)] : lines;
  }

  #answer(key: string, refusal: Refusal | null): void {
    const pending = this.#pending.get(key);
    if (!pending) return;
    this.#pending.delete(key);
    this.waiting -= 1;
    pending.resolve(refusal);
  }

  #put(seat: number | null, view: TableView, whole: boolean): void {
    this.#views.set(seat ?? NOBODY, view);
    if (view.status === "open" || view.status === "dealing") void this.#deal(view);
    if (this.mine.length > 1) this.#pass();
    if (seat !== this.seat) return;
    // Where the clock decides, nothing waits for animations; and what was taken back is not shown at all.
    const before = this.#queue.at(-1) ?? this.shown;
    if (whole || !before || document.hidden || view.pace.tick || view.log.length < before.log.length) {
      this.#drop();
      this.#show(view);
      return;
    }
    this.#queue = [...this.#queue, view];
    if (this.#timer === undefined) this.#step();
  }

  async #deal(view: TableView): Promise<void> {
    this.trouble = await takePart(view, this.mine, this.ask);
  }

  /** Forget the steps that are still to be shown. */
  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queue = [];
  }

  #step(): void {
    this.#timer = undefined;
    const [next, ...rest] = this.#queue;
    if (!next) return;
    this.#queue = rest;
    this.#show(next);
    const pause = this.news.length ? SPEEDS[settings.speed] : 0;
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
    this.#drop();
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
