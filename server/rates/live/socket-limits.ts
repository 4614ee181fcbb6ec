import type { WebSocket } from "@fastify/websocket";
import { NETWORK_SHARE, type Bucket, type BucketClient } from "../../base/concurrency/token-buckets.ts";

/** Limits of the live socket for one address and for all together. */
export type SocketLimits = {
  /** Open sockets of one address; a network of addresses has four times as many. */
  perAddress: number;
  /** Open sockets of this process. */
  total: number;
  /** Messages that one socket may send at once, and how many a second it gets back. */
  burst: number;
  perSecond: number;
  /** The same for all sockets of one address; a network of addresses has four times as many. */
  ofAddress: Bucket;
};

/** An address asks for as many rates as over HTTP (1,200 a minute), and all its sockets may come back at one moment. */
export const defaultSocketLimits: SocketLimits = {
  perAddress: 200,
  total: 20_000,
  burst: 40,
  perSecond: 10,
  ofAddress: { burst: 400, perSecond: 20 },
};

/** Counts what is open for each address and each network. */
export function createConnectionLimit({ perAddress, total }: SocketLimits): {
  enter(client: BucketClient): boolean;
  leave(client: BucketClient): void;
} {
  const open = new Map<string, number>();
  let all = 0;
  const change = (name: string, by: number) => {
    const next = (open.get(name) ?? 0) + by;
    if (next <= 0) open.delete(name);
    else open.set(name, next);
  };
  const changeAll = ({ address, network }: BucketClient, by: number) => {
    change(address, by);
    if (network !== null) change(network, by);
    all += by;
  };
  return {
    enter(client) {
      const { address, network } = client;
      const isNetworkFull = network !== null && (open.get(network) ?? 0) >= perAddress * NETWORK_SHARE;
      if ((open.get(address) ?? 0) >= perAddress || isNetworkFull || all >= total) return false;
      changeAll(client, 1);
      return true;
    },
    leave: (client) => changeAll(client, -1),
  };
}

const PING_EVERY_MS = 30_000;

/** Ends sockets whose other side no longer answers a ping. */
export function createHeartbeat(everyMs: number = PING_EVERY_MS): { watch(socket: WebSocket): void; stop(): void } {
  const hasAnswered = new Map<WebSocket, boolean>();
  const timer = setInterval(() => {
    for (const [socket, answered] of hasAnswered) {
      if (!answered) {
        socket.terminate();
        continue;
      }
      hasAnswered.set(socket, false);
      socket.ping();
    }
  }, everyMs);
  return {
    watch(socket) {
      hasAnswered.set(socket, true);
      socket.on("pong", () => void hasAnswered.set(socket, true));
      socket.on("close", () => void hasAnswered.delete(socket));
    },
    stop: () => clearInterval(timer),
  };
}
