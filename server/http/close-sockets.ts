import type { FastifyInstance } from "fastify";

const GOING_AWAY = 1001;
const PATIENCE_MS = 2_000;

/** Tells every socket that this server goes away, and ends those that don't answer. */
export function closeSockets({ websocketServer }: FastifyInstance, done: () => void): void {
  for (const socket of websocketServer.clients) socket.close(GOING_AWAY, "the server restarts");
  const timer = setTimeout(() => {
    for (const socket of websocketServer.clients) socket.terminate();
  }, PATIENCE_MS);
  websocketServer.close(() => {
    clearTimeout(timer);
    done();
  });
}
