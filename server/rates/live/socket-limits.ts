import type { WebSocket } from "@fastify/websocket";

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

type Bucket = { burst: number; perSecond: number };

/** An address asks for as many rates as over HTTP (1,200 a minute), and all its sockets may come back at one moment. */
export const defaultSocketLimits: SocketLimits = {
  perAddress: 200,
  total: 20_000,
  burst: 40,
  perSecond: 10,
  ofAddress: { burst: 400, perSecond: 20 },
};

/** A bucket of messages that fills up again with time; `take` is false when it is empty. */
export function createTokenBucket({ burst, perSecond }: Bucket, now: () => number): { take(): boolean } {
  let left = burst;
  let at = now();
  return {
    take() {
      const time = now();
      left = Math.min(burst, left + ((time - at) / 1000) * perSecond);
      at = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

/** Whose socket it is: an address, and the network of an IPv6 address. */
export type SocketClient = { address: string; network: string | null };

/** What a network has of what one address has. */
const NETWORK_SHARE = 4;
/** Buckets of a kind; the one that was not asked for the longest is full by the time that it is dropped. */
const MAX_BUCKETS = 20_000;

/** Buckets of messages for each address and each network; they outlive their sockets, so that a new socket is no new bucket. */
export function createClientBuckets(
  { burst, perSecond }: Bucket,
  now: () => number,
  max = MAX_BUCKETS,
): { take(client: SocketClient): boolean } {
  const addresses = new Map<string, { take(): boolean }>();
  const networks = new Map<string, { take(): boolean }>();
  const takeFrom = (buckets: typeof addresses, name: string, times: number): boolean => {
    const bucket = buckets.get(name) ?? createTokenBucket({ burst: burst * times, perSecond: perSecond * times }, now);
    buckets.delete(name);
    buckets.set(name, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > max && oldest !== undefined) buckets.delete(oldest);
    return bucket.take();
  };
  return {
    // The network first: once it is refused, none of its addresses takes the place of another one's bucket.
    take: ({ address, network }) =>
      (network === null || takeFrom(networks, network, NETWORK_SHARE)) && takeFrom(addresses, address, 1),
  };
}

/** Counts what is open for each address and each network. */
export function createConnectionLimit({ perAddress, total }: SocketLimits): {
  enter(client: SocketClient): boolean;
  leave(client: SocketClient): void;
} {
  const open = new Map<string, number>();
  let all = 0;
  const change = (name: string, by: number) => {
    const next = (open.get(name) ?? 0) + by;
    if (next <= 0) open.delete(name);
    else open.set(name, next);
  };
  const changeAll = ({ address, network }: SocketClient, by: number) => {
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
