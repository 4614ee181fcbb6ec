import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Lets what has begun end, and its connection with it: a kept one would hold up the stop until its client goes. One that has
 * never asked anything, as browsers open ahead of need, is cut.
 */
export function closeAfterAnswers(app: FastifyInstance): void {
  let isClosing = false;
  const silent = trackSilent(app, () => isClosing);
  app.addHook("preClose", (done) => {
    isClosing = true;
    for (const socket of silent) socket.destroy();
    done();
  });
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (isClosing) reply.header("connection", "close");
    done(null, payload);
  });
}

/** The connections without a request so far. */
function trackSilent({ server }: FastifyInstance, isClosing: () => boolean): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    if (isClosing()) {
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
