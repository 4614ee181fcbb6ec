import { EventEmitter } from "node:events";
import type { WebSocket } from "@fastify/websocket";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHeartbeat } from "./socket-limits.ts";

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
