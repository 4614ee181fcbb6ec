import type { FastifyInstance } from "fastify";
import { SERVER_TIME_HEADER } from "#contract/headers.ts";
import type { Clock } from "../base/clock.ts";
import { pathOf } from "./request-path.ts";

/** Tells the business clock with every answer of the API: pages count down to an order's times by it, whatever their device's clock says. */
export function sendServerTime(app: FastifyInstance, clock: Clock): void {
  let written = { at: -1, text: "" };
  const text = (): string => {
    const now = clock.now();
    // A busy server answers many requests in a millisecond.
    if (now.getTime() !== written.at) written = { at: now.getTime(), text: now.toISOString() };
    return written.text;
  };
  app.addHook("onSend", (request, reply, payload, done) => {
    if (pathOf(request).startsWith("/api/")) reply.header(SERVER_TIME_HEADER, text());
    done(null, payload);
  });
}
