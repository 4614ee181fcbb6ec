import type { FastifyInstance, FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";
import type { SecurityEvent, SecurityLog } from "../base/security-log.ts";
import { clientKey } from "./rate-limits.ts";

type Refusal = Extract<SecurityEvent, { repeated?: number | undefined }>["event"];

/** A client that is refused again and again gets one line per route and minute, which says how many it stands for. */
const MINUTE_MS = 60_000;
const CLIENTS = 10_000;

/** Records every request that is refused for its credentials, its rights or its number. */
export function recordRefusals(
  app: FastifyInstance,
  log: SecurityLog,
  now: () => number = () => performance.now(),
): void {
  const lines = new Map<string, { at: number; left: number }>();

  const record = (event: Refusal, request: FastifyRequest): void => {
    const fields = { client: clientKey(request), route: request.routeOptions.url ?? "none", traceId: request.id };
    const key = `${event} ${fields.client} ${fields.route}`;
    const last = lines.get(key);
    if (last !== undefined && now() - last.at < MINUTE_MS) {
      last.left += 1;
      return;
    }
    // Deleted first, so that the map stays in the order of time and its oldest is dropped.
    lines.delete(key);
    lines.set(key, { at: now(), left: 0 });
    const oldest = lines.size > CLIENTS ? lines.keys().next().value : undefined;
    if (oldest !== undefined) lines.delete(oldest);
    log.record({ event, ...fields, ...(last !== undefined && last.left > 0 && { repeated: last.left }) });
  };

  app.addHook("onError", async (request, _reply, error: unknown) => {
    const refusal = error instanceof CodedError ? refusalOf(error) : null;
    if (refusal !== null) record(refusal, request);
  });
}

function refusalOf({ code, httpStatus }: CodedError): Refusal | null {
  if (httpStatus === 429) return "limit.exceeded";
  if (httpStatus === 403) return "call.forbidden";
  if (code === "ERR_INVALID_CREDENTIALS") return "launch.refused";
  return code === "ERR_UNAUTHORIZED" ? "session.refused" : null;
}
