import type { FastifyInstance, FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";

export type OriginRule = { publicUrl: string; sandbox: boolean };

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
const SESSION_COOKIE = /(?:^|;\s*)(?:access|refresh)=/;

/** Refuses state-changing calls that another site makes in a person's browser (contract §1). */
export function guardSameOrigin(app: FastifyInstance, rule: OriginRule): void {
  app.addHook("onRequest", (request, _reply, done) => {
    done(SAFE_METHODS.has(request.method) || mayChange(request, rule) ? undefined : fromElsewhere());
  });
}

/** A socket is opened by our own pages, or by a program that has no Origin. */
export const mayOpenSocket = (request: FastifyRequest, rule: OriginRule): boolean => {
  const { origin } = request.headers;
  return origin === undefined || isOwnOrigin(origin, request, rule);
};

const fromElsewhere = (): CodedError => new CodedError("ERR_FORBIDDEN", "This call may only come from our own pages");

function mayChange(request: FastifyRequest, rule: OriginRule): boolean {
  const { origin, cookie } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site === "cross-site") return false;
  if (origin !== undefined) return isOwnOrigin(origin, request, rule);
  return site !== undefined || !SESSION_COOKIE.test(cookie ?? "");
}

/** PUBLIC_URL, or while the sandbox is on the scheme and host that the request names. */
function isOwnOrigin(origin: string, request: FastifyRequest, { publicUrl, sandbox }: OriginRule): boolean {
  if (origin === publicUrl) return true;
  return sandbox && loopbackAlike(origin) === loopbackAlike(`${request.protocol}://${request.host}`);
}

const loopbackAlike = (origin: string): string =>
  origin.toLowerCase().replace(/^(https?:\/\/)(?:localhost|127\.0\.0\.1|\[::1\])(?=:|$)/, "$1localhost");
