import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";

/** For requests that are already on their way. */
const ARRIVES_WITHIN_MS = 100;
/** Each turn of the event loop accepts one waiting connection, of at most 511 (Node's backlog), and the next turn reads it. */
const TURNS = 513;

/**
 * Graceful shutdown: running requests finish and their connections close, because a keep-alive connection would hold up the stop.
 * What was sent before that and reads is answered too, the health always with 200 (contract §6); the rest gets 503. Connections
 * without any request, as browsers open them in advance, are cut.
 */
export function closeAfterAnswers(app: FastifyInstance): void {
  let isClosing = false;
  let isClosed = false;
  const idle = trackIdle(app, () => isClosed);
  app.addHook("preClose", async () => {
    isClosing = true;
    // Nothing is on its way to a server that never listened.
    if (app.server.listening) await arrivals();
    isClosed = true;
    for (const socket of idle) socket.destroy();
  });
  app.addHook("onRequest", (request, reply, done) => {
    if (!isClosing || isRead(request)) {
      done();
      return;
    }
    // Node leaves the connection of a refused upgrade open, and the stop would wait for its other end.
    const { socket } = request.raw;
    if (asksForSocket(request)) reply.raw.once("finish", () => socket.destroySoon());
    done(stopping());
  });
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (isClosing) reply.header("connection", "close");
    done(null, payload);
  });
}

async function arrivals(): Promise<void> {
  await delay(ARRIVES_WITHIN_MS);
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
}

/** Whether a request would become a WebSocket, and not be answered. */
export const asksForSocket = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers.upgrade?.toLowerCase() === "websocket";

/** A new WebSocket would have to be closed at once. */
const isRead = (request: FastifyRequest): boolean =>
  (request.method === "GET" || request.method === "HEAD") && !asksForSocket(request);

const stopping = () =>
  new CodedError("ERR_SERVICE_UNAVAILABLE", "This process is about to stop", { retryAfterSeconds: 5 });

/** Connections without a request so far. */
function trackIdle({ server }: FastifyInstance, isClosed: () => boolean): ReadonlySet<Socket> {
  const idle = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    if (isClosed()) {
      socket.destroy();
      return;
    }
    idle.add(socket);
    socket.once("close", () => idle.delete(socket));
  });
  const markUsed = ({ socket }: IncomingMessage) => idle.delete(socket);
  server.on("request", markUsed).on("upgrade", markUsed);
  return idle;
}

const GOING_AWAY = 1001;
const SOCKET_CLOSE_TIMEOUT_MS = 2_000;

/** Sends every WebSocket a close frame, and cuts those that do not answer it. */
export function closeSockets({ websocketServer }: FastifyInstance, done: () => void): void {
  for (const socket of websocketServer.clients) socket.close(GOING_AWAY, "the server restarts");
  const timer = setTimeout(() => {
    for (const socket of websocketServer.clients) socket.terminate();
  }, SOCKET_CLOSE_TIMEOUT_MS);
  websocketServer.close(() => {
    clearTimeout(timer);
    done();
  });
}
