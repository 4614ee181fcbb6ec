import type { FastifyInstance } from "fastify";
import { CodedError } from "#contract/errors.ts";
import { sendFailure } from "./errors.ts";

/** 404 where there is nothing, 405 where there is something under another verb. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const allowed = methods.get(path);
    if (!allowed) return sendFailure(new CodedError("ERR_NOT_FOUND", "There is nothing here"), request, reply);
    reply.header("allow", [...allowed].sort().join(", "));
    return sendFailure(
      new CodedError("ERR_BAD_REQUEST", `${request.method} is not allowed here`, { httpStatus: 405 }),
      request,
      reply,
    );
  });
}
