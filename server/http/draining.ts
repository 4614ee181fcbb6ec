import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { CodedError } from "#contract/errors.ts";

/** How long a request that is on its way may take to arrive. */
const ARRIVES_WITHIN_MS = 100;
/** A turn of the event loop accepts one of those that wait, of which there are at most 511 (Node's backlog), and the next one reads it. */
const TURNS = 513;

/**
 * Lets what has begun end, and its connection with it: a kept one would hold up the stop until its client goes. What was sent before the
 * stop is read and told 503; a connection that has never asked anything, as browsers open ahead of need, is cut.
 */
export function closeAfterAnswers(app: FastifyInstance): void {
  let isClosing = false;
  let isClosed = false;
  const silent = trackSilent(app, () => isClosed);
  app.addHook("preClose", async () => {
    isClosing = true;
    await delay(ARRIVES_WITHIN_MS);
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    isClosed = true;
    for (const socket of silent) socket.destroy();
  });
  app.addHook("onRequest", (_request, _reply, done) => {
    done(isClosing ? leaving() : undefined);
  });
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (isClosing) reply.header("connection", "close");
    done(null, payload);
  });
}

const leaving = () =>
  new CodedError("ERR_SERVICE_UNAVAILABLE", "This process is about to stop", { retryAfterSeconds: 5 });

/** The connections without a request so far. */
function trackSilent({ server }: FastifyInstance, isClosed: () => boolean): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    if (isClosed()) {
      socket.destroy();
      return;
    }
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  const speaks = ({ socket }: IncomingMessage) => silent.delete(socket);
  server.on("request", speaks).on("upgrade", speaks);
  return silent;
}
