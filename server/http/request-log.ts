import type { FastifyInstance } from "fastify";

/** One line for each answer, without what a URL may give away: the route's pattern stands for it. */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (reply.statusCode >= 500) request.log.warn(line, "answered");
    else request.log.debug(line, "answered");
    done();
  });
}
