import type { WebSocket } from "@fastify/websocket";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";

/**
 * What a proxy in front may understand otherwise than we do: Node takes the first of two Host headers, none here, HTTP/0.9, and a whole URL
 * of any host for a path; of an unknown transfer coding it reads no body, but only after a quick route has answered.
 */
export function refuseAmbiguousRequests(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, reply, done) => {
    const hosts = countHosts(raw.rawHeaders);
    const isOfVersion = raw.httpVersion === "1.1" ? hosts === 1 : raw.httpVersion === "1.0" && hosts <= 1;
    const isClear = isOfVersion && raw.url?.startsWith("/") === true;
    const coding = raw.headers["transfer-encoding"];
    if (isClear && (coding === undefined || coding.toLowerCase() === "chunked")) return done();
    reply.header("connection", "close");
    done(new CodedError("ERR_BAD_REQUEST", "The request could not be read"));
  });
}

function countHosts(namesAndValues: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < namesAndValues.length; at += 2) {
    const name = namesAndValues[at];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}

/** The plugin would answer 101 on every path to any origin, and leave the connection open until the other side closes it. */
export function refuseStrayUpgrades(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    // What follows a declined upgrade in the same bytes is lost in Node.
    if (request.headers.upgrade !== undefined && !request.ws) reply.header("connection", "close");
    const isStray = request.ws && request.routeOptions.config.isSocket !== true;
    done(isStray ? new CodedError("ERR_NOT_FOUND", "There is no socket here") : undefined);
  });
}

/** What a client breaks (no frame, too long a message, a lost connection) is no error of ours: nobody could flood the log with it. */
export function endFaultySocket(error: Error, socket: WebSocket, { log }: FastifyRequest): void {
  if ("code" in error) log.debug({ err: error }, "a connection failed");
  else log.error({ err: error }, "a socket could not be served");
  socket.terminate();
}
