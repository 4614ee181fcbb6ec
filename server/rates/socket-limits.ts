import type { WebSocket } from "@fastify/websocket";

/** Limits of the live socket for one address and for all together. */
export type SocketLimits = {
  /** Open sockets of one address. */
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

/** Counts what is open for each address. */
export function createConnectionLimit({ perAddress, total }: SocketLimits): {
  enter(address: string): boolean;
  leave(address: string): void;
} {
  const open = new Map<string, number>();
  let all = 0;
  return {
    enter(address) {
      const mine = open.get(address) ?? 0;
      if (mine >= perAddress || all >= total) return false;
      open.set(address, mine + 1);
      all += 1;
      return true;
    },
    leave(address) {
      const mine = open.get(address) ?? 0;
      if (mine <= 1) open.delete(address);
      else open.set(address, mine - 1);
      all -= 1;
    },
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
