import type { PairData, RateRequest, SocketMessage } from "#contract/rate.ts";
import { recordRateTime } from "../format/rates-age.ts";
import { nextTask } from "../page/next-task.ts";
import type { ReadMessage } from "./socket-message.ts";

type RateFailure = Extract<SocketMessage, { error: unknown }>["error"];
type Parse = (text: unknown) => ReadMessage;

export type RatesListener = {
  readonly onRate: (rate: PairData) => void;
  /** The pairs channel's error, handled like a rate that failed to load. */
  readonly onError: (error: RateFailure) => void;
  /** An answer that breaks the contract: a load error too, but the rate call may still have a good one. */
  readonly onBroken?: () => void;
  /** `gaveUp` after the last attempt; a new `request` starts anew. */
  readonly onState?: (state: "connecting" | "open" | "closed" | "gaveUp") => void;
};

type RatesSocketOptions = {
  readonly reconnectMs?: number;
  /** From 0 to 1. */
  readonly random?: () => number;
  readonly maxAttempts?: number;
  readonly createSocket?: (url: string) => WebSocket;
  /** What the schemas wait for, which the first message needs. */
  readonly beforeParsing?: () => Promise<void>;
};

/** Live rates of one pair at a time: reconnects after 3 to 6 s, up to 40 times, counted anew after each opening (spec §4). */
export class RatesSocket {
  private readonly reconnectMs: number;
  private readonly random: () => number;
  private readonly maxAttempts: number;
  private readonly createSocket: (url: string) => WebSocket;
  private readonly beforeParsing: (() => Promise<void>) | undefined;
  private readonly url: string;
  private readonly listener: RatesListener;
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private attempts = 0;
  private wanted: RateRequest | null = null;
  private isStopped = true;

  constructor(url: string, listener: RatesListener, options: RatesSocketOptions = {}) {
    this.url = url;
    this.listener = listener;
    this.reconnectMs = options.reconnectMs ?? 3_000;
    this.random = options.random ?? Math.random;
    this.maxAttempts = options.maxAttempts ?? 40;
    this.createSocket = options.createSocket ?? ((address) => new WebSocket(address));
    this.beforeParsing = options.beforeParsing;
  }

  connect(): void {
    this.isStopped = false;
    if (this.socket === null && this.timer === null) this.open();
  }

  /** Asks for the rates of another pair or amount; kept and asked again after each reconnection. */
  request(params: RateRequest): void {
    this.wanted = params;
    if (this.socket?.readyState === WebSocket.OPEN) this.ask();
    else if (!this.isStopped && this.socket === null && this.timer === null) {
      this.attempts = 0;
      this.open();
    }
  }

  close(): void {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const socket = this.socket;
    this.socket = null;
    if (socket !== null) closeOnceOpen(socket);
  }

  private open(): void {
    this.listener.onState?.("connecting");
    const socket = this.createSocket(this.url);
    this.socket = socket;
    socket.addEventListener("open", () => {
      if (socket !== this.socket) return;
      this.attempts = 0;
      this.listener.onState?.("open");
      this.ask();
    });
    let queue = Promise.resolve();
    socket.addEventListener("message", (event) => {
      queue = queue.then(() => this.receive(socket, event.data)).catch(unparsed);
    });
    socket.addEventListener("close", () => {
      if (socket === this.socket) this.reconnect();
    });
  }

  private ask(): void {
    if (this.wanted !== null) this.socket?.send(JSON.stringify({ event: "pairs.rates", params: this.wanted }));
  }

  private async receive(socket: WebSocket, text: unknown): Promise<void> {
    if (loaded === null) await this.beforeParsing?.();
    if (socket !== this.socket) return;
    const parse = await parser();
    if (socket !== this.socket || typeof text !== "string") return;
    const message = parse(text);
    // Parsing the first rate and rendering it in one task took 42 ms of processor time on the calculator; apart, 16 ms at most.
    await nextTask();
    if (message === null || socket !== this.socket) return;
    if (message === "broken") this.listener.onBroken?.();
    else if ("error" in message) this.listener.onError(message.error);
    else if (this.isWanted(message.data)) {
      recordRateTime(message.data.updatedAt);
      this.listener.onRate(message.data);
    }
  }

  private isWanted(rate: PairData): boolean {
    return (
      rate.instrumentFrom.slug === this.wanted?.instrumentFromSlug &&
      rate.instrumentTo.slug === this.wanted.instrumentToSlug &&
      rate.rateMode === this.wanted.rateMode
    );
  }

  private reconnect(): void {
    this.socket = null;
    if (this.attempts >= this.maxAttempts) {
      this.listener.onState?.("gaveUp");
      return;
    }
    this.attempts += 1;
    this.listener.onState?.("closed");
    // Never sooner than the specification's pause, and spread: a server that restarts loses all its clients at one moment.
    const pauseMs = this.reconnectMs * (1 + this.random());
    this.timer = setTimeout(() => {
      this.timer = null;
      this.open();
    }, pauseMs);
  }
}

/** A socket that is closed while it connects is reported on the console as failed. */
function closeOnceOpen(socket: WebSocket): void {
  if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close(), { once: true });
  else socket.close();
}

/** Where the page's own service sends live rates. */
export const ratesSocketUrl = (): string => `${location.origin.replace(/^http/, "ws")}/api/v2/ws`;

let loaded: Promise<Parse> | null = null;

/** The schemas load with the first message, after the first paint. */
function parser(): Promise<Parse> {
  loaded ??= loadParser();
  return loaded;
}

async function loadParser(): Promise<Parse> {
  try {
    const { parseSocketMessage } = await import("./socket-message.ts");
    await nextTask();
    return parseSocketMessage;
  } catch (error) {
    // The next message tries again.
    loaded = null;
    throw error;
  }
}

const unparsed = (error: unknown): void => console.warn("a message of the rates socket can't be parsed now", error);
