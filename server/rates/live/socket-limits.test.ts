import { EventEmitter } from "node:events";
import type { WebSocket } from "@fastify/websocket";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClientBuckets } from "../../base/concurrency/token-buckets.ts";
import { createConnectionLimit, createHeartbeat, defaultSocketLimits } from "./socket-limits.ts";

/** A socket whose other side may have gone silently. */
class Peer extends EventEmitter {
  isThere = true;
  pings = 0;
  isTerminated = false;

  ping(): void {
    this.pings += 1;
    if (this.isThere) this.emit("pong");
  }

  terminate(): void {
    this.isTerminated = true;
    this.emit("close");
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("open sockets", () => {
  const limits = { ...defaultSocketLimits, perAddress: 2, total: 20 };

  it("are counted for each address, and a closed one counts no more", () => {
    const { enter, leave } = createConnectionLimit(limits);
    const one = { address: "203.0.113.1", network: null };
    expect([enter(one), enter(one), enter(one)]).toEqual([true, true, false]);
    leave(one);
    expect([enter(one), enter(one)]).toEqual([true, false]);
    expect(enter({ address: "203.0.113.2", network: null })).toBe(true);
  });

  it("of one network are four times as many, whatever its addresses", () => {
    const { enter, leave } = createConnectionLimit(limits);
    const inNetwork = (n: number) => ({ address: `2001:db8:0:${n}::`, network: "2001:db8::/48" });
    expect(Array.from({ length: 9 }, (_, n) => enter(inNetwork(n)))).toEqual([
      ...Array.from({ length: 8 }, () => true),
      false,
    ]);
    leave(inNetwork(0));
    expect([enter(inNetwork(9)), enter(inNetwork(10))]).toEqual([true, false]);
    expect(enter({ address: "2001:db8:1:0::", network: "2001:db8:1::/48" })).toBe(true);
  });

  it("are only so many together", () => {
    const { enter } = createConnectionLimit({ ...limits, total: 3 });
    expect([1, 2, 3, 4].map((n) => enter({ address: `203.0.113.${n}`, network: null }))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("messages", () => {
  const limit = { burst: 3, perSecond: 1 };
  const one = { address: "203.0.113.1", network: null };
  const inNetwork = (n: number) => ({ address: `2001:db8:0:${n}::`, network: "2001:db8::/48" });
  const times = (count: number, take: (n: number) => boolean) =>
    Array.from({ length: count }, (_, n) => take(n)).filter(Boolean).length;

  it("of one address are counted together, and fill up again with time", () => {
    let at = 0;
    const { take } = createClientBuckets(limit, () => at);
    expect(times(10, () => take(one))).toBe(3);
    expect(take({ address: "203.0.113.2", network: null })).toBe(true);
    at = 2_000;
    expect(times(10, () => take(one))).toBe(2);
  });

  it("of one network are four times as many, whatever its addresses", () => {
    const { take } = createClientBuckets(limit, () => 0);
    expect(times(50, (n) => take(inNetwork(n)))).toBe(12);
    expect(take({ address: "2001:db8:1:0::", network: "2001:db8:1::/48" })).toBe(true);
  });

  it("are counted for so many clients, without those of a network that is refused", () => {
    const { take } = createClientBuckets(limit, () => 0, 14);
    expect(times(10, () => take(one))).toBe(3);
    times(50, (n) => take(inNetwork(n)));
    expect(take(one)).toBe(false);
    for (let n = 0; n < 14; n += 1) take({ address: `198.51.100.${n}`, network: null });
    expect(take(one)).toBe(true);
  });
});

describe("sockets", () => {
  it("are pinged for as long as they answer", () => {
    const life = createHeartbeat(30_000);
    const peer = new Peer();
    life.watch(peer as unknown as WebSocket);
    vi.advanceTimersByTime(90_000);
    expect(peer).toMatchObject({ pings: 3, isTerminated: false });
    life.stop();
    vi.advanceTimersByTime(90_000);
    expect(peer.pings).toBe(3);
  });

  it("are ended one interval after an unanswered ping", () => {
    const life = createHeartbeat(30_000);
    const peer = new Peer();
    life.watch(peer as unknown as WebSocket);
    peer.isThere = false;
    vi.advanceTimersByTime(59_999);
    expect(peer.isTerminated).toBe(false);
    vi.advanceTimersByTime(1);
    expect(peer).toMatchObject({ pings: 1, isTerminated: true });
    life.stop();
  });
});
