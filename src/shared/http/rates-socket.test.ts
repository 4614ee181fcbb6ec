// @vitest-environment node
import websocket, { type WebSocket as ServerSocket } from "@fastify/websocket";
import fastify from "fastify";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { PairData, RateRequest } from "#contract/rate.ts";
import { sampleInstrument } from "../testing/sample-instrument.ts";
import { RatesSocket, type RatesListener } from "./rates-socket.ts";

const rate = (from: string, to: string, price = "3000"): PairData => ({
  instrumentFrom: sampleInstrument(from),
  instrumentTo: sampleInstrument(to),
  liquidityProviderPublicCode: "treasury",
  amountToGive: "1",
  amountToGet: price,
  rateMode: "FLOATING",
  price,
  marketLeftPrice: price,
  marketRightPrice: "1",
  marketMinAmount: "0.01",
  generalMinAmount: "0.01",
  generalMaxAmount: null,
  quotes: { buyQuote: { quoteValue: price }, sellQuote: { quoteValue: price } },
  depositRules: { minAmount: "0.01", maxAmount: null },
  finalNetworkFeeAmount: "0.1",
  platformFee_Absolute: "0.1",
  claimedDepositAmount: "1",
  updatedAt: "2026-11-21T14:00:00.000Z",
  ckm: "D",
  noKycThreshold: null,
  card: null,
  estimatedSeconds: null,
});

const ask = (from: string, to: string): RateRequest => ({
  instrumentFromSlug: from,
  instrumentToSlug: to,
  claimedDepositAmount: "1",
  rateMode: "FLOATING",
  exchangeType: "crypto",
});

const stops: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A rates socket on a real port that sends only what the test says. */
async function serve() {
  const app = fastify();
  await app.register(websocket);
  const clients: ServerSocket[] = [];
  const asked: unknown[] = [];
  app.get("/api/v2/ws", { websocket: true }, (socket) => {
    clients.push(socket);
    socket.on("message", (data: Buffer) => asked.push(JSON.parse(data.toString())));
  });
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  stops.push(() => app.close());
  const say = (message: unknown) =>
    clients.at(-1)?.send(typeof message === "string" ? message : JSON.stringify(message));
  return { url: `${address.replace("http", "ws")}/api/v2/ws`, clients, asked, say, stop: () => app.close() };
}

function listen(url: string, options: ConstructorParameters<typeof RatesSocket>[2] = {}) {
  const heard = { rates: [] as string[], errors: [] as string[], states: [] as string[], broken: 0 };
  const listener: RatesListener = {
    onRate: ({ price }) => heard.rates.push(price),
    onError: ({ status }) => heard.errors.push(status),
    onBroken: () => (heard.broken += 1),
    onState: (state) => heard.states.push(state),
  };
  const socket = new RatesSocket(url, listener, { reconnectMs: 5, ...options });
  stops.push(() => socket.close());
  return { socket, heard };
}

describe("live rates", () => {
  // First: the schemas load once for all.
  it("waits with the first message as it was asked to, calls the service at once all the same, and loses nothing", async () => {
    const { url, asked, say } = await serve();
    const rest = Promise.withResolvers<void>();
    const waits = vi.fn(() => rest.promise);
    const { socket, heard } = listen(url, { beforeParsing: waits });
    socket.request(ask("eth", "usdt"));
    socket.connect();
    await expect.poll(() => asked.length).toBe(1);
    say({ event: "pairs.rates", data: rate("eth", "usdt", "3000") });
    say({ event: "pairs.rates", data: rate("eth", "usdt", "3001") });
    await expect.poll(() => waits.mock.calls.length).toBe(1);
    await new Promise((done) => setImmediate(done));
    expect(heard.rates).toEqual([]);
    rest.resolve();
    await expect.poll(() => heard.rates, { timeout: 15_000 }).toEqual(["3000", "3001"]);
    say({ event: "pairs.rates", data: rate("eth", "usdt", "3002") });
    await expect.poll(() => heard.rates.at(-1)).toBe("3002");
    expect(waits).toHaveBeenCalledTimes(1);
  });

  it("asks as soon as it is open and gives each rate in order", async () => {
    const { url, asked, say } = await serve();
    const { socket, heard } = listen(url);
    socket.request(ask("eth", "usdt"));
    socket.connect();
    await expect.poll(() => asked).toEqual([{ event: "pairs.rates", params: ask("eth", "usdt") }]);
    say({ event: "pairs.rates", data: rate("eth", "usdt", "3000") });
    say({ event: "pairs.rates", data: rate("eth", "usdt", "3001") });
    await expect.poll(() => heard.rates).toEqual(["3000", "3001"]);
  });

  it("tries the schemas again with the next message when they can't be loaded", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    vi.resetModules();
    vi.doMock("./socket-message.ts", () => {
      throw new TypeError("Failed to fetch dynamically imported module");
    });
    const { RatesSocket: OfBrokenLoad } = await import("./rates-socket.ts");
    const { url, asked, say } = await serve();
    const rates: string[] = [];
    const socket = new OfBrokenLoad(url, { onRate: ({ price }) => void rates.push(price), onError: () => undefined });
    stops.push(() => socket.close());
    socket.request(ask("eth", "usdt"));
    socket.connect();
    await expect.poll(() => asked.length).toBe(1);
    say({ event: "pairs.rates", data: rate("eth", "usdt", "3000") });
    await expect.poll(() => warn.mock.calls.length, { timeout: 15_000 }).toBe(1);
    vi.doUnmock("./socket-message.ts");
    say({ event: "pairs.rates", data: rate("eth", "usdt", "3001") });
    await expect.poll(() => rates, { timeout: 15_000 }).toEqual(["3001"]);
  });

  it("ignores another pair, another rate mode and other channels, and reports a broken answer", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    const { url, asked, say } = await serve();
    const { socket, heard } = listen(url);
    socket.request(ask("eth", "usdt"));
    socket.connect();
    await expect.poll(() => asked.length).toBe(1);
    say({ event: "pairs.rates", data: rate("usdt", "eth", "1") });
    say({ event: "pairs.rates", data: { ...rate("eth", "usdt", "2"), rateMode: "FIXED" } });
    say("not json");
    say({ event: "news", data: {} });
    say({ event: "pairs.rates", data: { price: "3" } });
    say({ event: "pairs.rates", data: rate("eth", "usdt", "4") });
    await expect.poll(() => heard.rates).toEqual(["4"]);
    expect(heard.broken).toBe(1);
    expect(warn).toHaveBeenCalledTimes(3);
  });

  it("follows a new request and drops what still comes for the old one", async () => {
    const { url, asked, say } = await serve();
    const { socket, heard } = listen(url);
    socket.request(ask("eth", "usdt"));
    socket.connect();
    await expect.poll(() => asked.length).toBe(1);
    socket.request(ask("eth", "dai"));
    await expect.poll(() => asked.length).toBe(2);
    say({ event: "pairs.rates", data: rate("eth", "usdt", "1") });
    say({ event: "pairs.rates", data: rate("eth", "dai", "2") });
    await expect.poll(() => heard.rates).toEqual(["2"]);
  });

  it("hands on the channel's error", async () => {
    const { url, asked, say } = await serve();
    const { socket, heard } = listen(url);
    socket.request(ask("eth", "usdt"));
    socket.connect();
    await expect.poll(() => asked.length).toBe(1);
    say({ event: "pairs.rates", error: { status: "ERR_NO_LIQUIDITY_AVAILABLE", message: "none" } });
    await expect.poll(() => heard.errors).toEqual(["ERR_NO_LIQUIDITY_AVAILABLE"]);
  });
});

describe("reconnecting (spec §4)", () => {
  it("asks again for what is wanted after the connection was lost", async () => {
    const { url, asked, clients, say } = await serve();
    const { socket, heard } = listen(url);
    socket.request(ask("eth", "usdt"));
    socket.connect();
    await expect.poll(() => asked.length).toBe(1);
    clients[0]?.terminate();
    await expect.poll(() => asked.length).toBe(2);
    say({ event: "pairs.rates", data: rate("eth", "usdt", "5") });
    await expect.poll(() => heard.rates).toEqual(["5"]);
    expect(heard.states).toEqual(["connecting", "open", "closed", "connecting", "open"]);
  });

  it("stops after its attempts, and a new request starts anew", async () => {
    const { url, stop } = await serve();
    await stop();
    const { socket, heard } = listen(url, { maxAttempts: 3, reconnectMs: 1 });
    socket.connect();
    await expect.poll(() => heard.states.at(-1)).toBe("gaveUp");
    expect(heard.states.filter((state) => state === "connecting")).toHaveLength(4);
    socket.request(ask("eth", "usdt"));
    expect(heard.states.at(-1)).toBe("connecting");
  });

  it("counts its attempts anew after each opening", async () => {
    const { url, clients } = await serve();
    const { socket, heard } = listen(url, { maxAttempts: 2, reconnectMs: 1 });
    socket.connect();
    for (let round = 1; round <= 5; round += 1) {
      await expect.poll(() => clients.length).toBe(round);
      await expect.poll(() => heard.states.at(-1)).toBe("open");
      clients[round - 1]?.terminate();
    }
    await expect.poll(() => clients.length).toBe(6);
    expect(heard.states).not.toContain("gaveUp");
  });

  it("waits 3 to 6 s, each client another time", () => {
    vi.useFakeTimers();
    const pauses = [0, 0.5, 1].map((random) => {
      let opened = 0;
      const createSocket = () => {
        opened += 1;
        const socket = new EventTarget() as WebSocket;
        if (opened === 1) queueMicrotask(() => socket.dispatchEvent(new Event("close")));
        return socket;
      };
      const listener: RatesListener = { onRate: vi.fn(), onError: vi.fn() };
      new RatesSocket("ws://nowhere", listener, { createSocket, random: () => random }).connect();
      return () => opened;
    });
    const reconnected = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return pauses.map((opened) => opened() - 1);
    };
    return reconnected(2_999)
      .then((counts) => expect(counts).toEqual([0, 0, 0]))
      .then(() => reconnected(1))
      .then((counts) => expect(counts).toEqual([1, 0, 0]))
      .then(() => reconnected(1_500))
      .then((counts) => expect(counts).toEqual([1, 1, 0]))
      .then(() => reconnected(1_500))
      .then((counts) => expect(counts).toEqual([1, 1, 1]))
      .finally(() => vi.useRealTimers());
  });

  it("tries 40 times, unless configured otherwise", () => {
    vi.useFakeTimers();
    let opened = 0;
    const createSocket = () => {
      opened += 1;
      const dead = new EventTarget() as WebSocket;
      queueMicrotask(() => dead.dispatchEvent(new Event("close")));
      return dead;
    };
    const states: string[] = [];
    const listener: RatesListener = { onRate: vi.fn(), onError: vi.fn(), onState: (state) => states.push(state) };
    const socket = new RatesSocket("ws://nowhere", listener, { createSocket, random: () => 0 });
    socket.connect();
    return vi
      .advanceTimersByTimeAsync(2_999)
      .then(() => expect(opened).toBe(1))
      .then(() => vi.advanceTimersByTimeAsync(1))
      .then(() => expect(opened).toBe(2))
      .then(() => vi.advanceTimersByTimeAsync(200_000))
      .then(() => {
        expect(opened).toBe(41);
        expect(states.at(-1)).toBe("gaveUp");
      })
      .finally(() => vi.useRealTimers());
  });

  it("stays closed when closed", async () => {
    const { url, clients } = await serve();
    const { socket, heard } = listen(url);
    socket.connect();
    await expect.poll(() => heard.states.at(-1)).toBe("open");
    socket.close();
    await expect.poll(() => clients[0]?.readyState).toBe(3);
    expect(heard.states).toEqual(["connecting", "open"]);
  });

  it("closes a socket that still connects only once it is open: a browser reports anything sooner as a failure", async () => {
    const { url, clients } = await serve();
    const opened: WebSocket[] = [];
    const failed = vi.fn();
    const createSocket = (address: string) => {
      const socket = new WebSocket(address);
      socket.addEventListener("error", failed);
      opened.push(socket);
      return socket;
    };
    const { socket, heard } = listen(url, { createSocket });
    socket.request(ask("eth", "usdt"));
    socket.connect();
    socket.close();
    expect(opened[0]?.readyState).toBe(WebSocket.CONNECTING);
    await expect.poll(() => clients.length).toBe(1);
    await expect.poll(() => opened[0]?.readyState).toBe(WebSocket.CLOSED);
    expect(failed).not.toHaveBeenCalled();
    expect(heard.states).toEqual(["connecting"]);
  });
});
