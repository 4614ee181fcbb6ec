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
};

export const defaultSocketLimits: SocketLimits = { perAddress: 200, total: 20_000, burst: 40, perSecond: 10 };

/** A bucket of messages that fills up again with time; `take` is false when it is empty. */
export function createTokenBucket({ burst, perSecond }: SocketLimits, now: () => number): { take(): boolean } {
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

const NETWORK_SOCKETS = 4;

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
      const isNetworkFull = network !== null && (open.get(network) ?? 0) >= perAddress * NETWORK_SOCKETS;
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
