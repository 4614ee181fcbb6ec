import { MINUTE_MS } from "#contract/durations.ts";
import { setBounded } from "../../base/bounded-map.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";
import type { SecurityEvent, SecurityLog } from "../../base/logging/security-log.ts";
import { RefusedLaunchError } from "../../base/sign-in-errors.ts";
import { clientKey, clientNetwork } from "./client-names.ts";

type Refusal = Extract<SecurityEvent, { repeated?: number | undefined }>["event"];

const CLIENTS = 10_000;
/** Of all clients together: what is beyond is counted in the next line of the same client. */
const LINES_A_MINUTE = 1_000;

/**
 * Records every request that is refused for its credentials, its rights or its number. A client, or an IPv6 network, that is refused again and
 * again gets a line per route and minute, which says how many it stands for.
 */
export function recordRefusals(
  app: FastifyInstance,
  log: SecurityLog,
  now: () => number = () => performance.now(),
): void {
  const lines = new Map<string, { at: number; left: number }>();
  let minute = { from: now(), lines: 0 };

  const record = (event: Refusal, request: FastifyRequest): void => {
    const fields = { client: clientKey(request), route: request.routeOptions.url ?? "none", traceId: request.id };
    const key = `${event} ${clientNetwork(request) ?? fields.client} ${fields.route}`;
    const last = lines.get(key);
    if (last !== undefined && now() - last.at < MINUTE_MS) {
      last.left += 1;
      return;
    }
    if (now() - minute.from >= MINUTE_MS) minute = { from: now(), lines: 0 };
    minute.lines += 1;
    const isLeftOut = minute.lines > LINES_A_MINUTE;
    setBounded(lines, key, { at: now(), left: isLeftOut ? (last?.left ?? 0) + 1 : 0 }, CLIENTS);
    if (!isLeftOut)
      log.record({ event, ...fields, ...(last !== undefined && last.left > 0 && { repeated: last.left }) });
  };

  app.addHook("onError", async (request, _reply, error: unknown) => {
    const refusal = error instanceof CodedError ? refusalOf(error) : null;
    if (refusal !== null) record(refusal, request);
  });
}

/** What asks for one more proof is the first step of a sign-in or a change that goes well. */
const asksForProof = ({ data }: CodedError): boolean =>
  data?.["secondFactor"] === true || data?.["reauthenticate"] === true;

function refusalOf(error: CodedError): Refusal | null {
  const { code, httpStatus } = error;
  if (httpStatus === 429) return "limit.exceeded";
  if (httpStatus === 403) return asksForProof(error) ? null : "call.forbidden";
  if (error instanceof RefusedLaunchError) return "launch.refused";
  if (code === "ERR_INVALID_CREDENTIALS" || code === "ERR_INVALID_PASSWORD_RESET_CODE") return "sign-in.refused";
  return code === "ERR_UNAUTHORIZED" ? "session.refused" : null;
}
