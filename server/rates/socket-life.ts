import type { WebSocket } from "@fastify/websocket";

const PING_EVERY_MS = 30_000;

/** Ends sockets whose other side no longer answers a ping. */
export function watchLife(everyMs: number = PING_EVERY_MS): { watch(socket: WebSocket): void; stop(): void } {
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
