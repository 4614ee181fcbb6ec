import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { CodedError } from "#contract/errors.ts";
import { SANDBOX_TOKEN_HEADER } from "#contract/headers.ts";
import { equalsInConstantTime, randomHex } from "../base/secrets.ts";
import type { Database } from "../db/database.ts";
import { readOrMakeSetting } from "../db/settings.ts";

export type SandboxAccess = {
  /** Throws ERR_FORBIDDEN for a caller that may not play (contract §7). */
  guard(request: FastifyRequest): void;
  /** For the page that this request asks for; null where another site, or the visitor of a proxy, could read it. */
  tokenFor(request: FastifyRequest): string | null;
};

const KEY = "sandbox_token";
const storedSchema = z.object({ token: z.string() });
/** What proxies, load balancers and CDNs add to a call. */
const FORWARDING =
  /^(?:forwarded|via|cdn-loop|(?:x-)?(?:real|client|cluster-client|proxyuser|true-client)-?ip|true-client-ip|ali-cdn-.*|(?:x-)?(?:forwarded|original|envoy|azure|arr|amzn|amz-cf|appengine|akamai|fastly|fly|cf|vercel|nf)(?:-.*)?)$/;
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Who may use the sandbox's calls. Every process of a database knows the same token. */
export async function openSandboxAccess(database: Database, publicUrl: string): Promise<SandboxAccess> {
  const token = await sharedToken(database);
  const ownHost = new URL(publicUrl).host;
  // A name that was made to lead to this machine is another site's: browsers let its pages read what they ask for there.
  const isDirect = ({ headers, host, socket }: FastifyRequest): boolean =>
    LOOPBACK.test(socket.remoteAddress ?? "") &&
    (LOOPBACK_HOST.test(host) || host === ownHost) &&
    !Object.keys(headers).some((name) => FORWARDING.test(name));
  return {
    guard(request) {
      const { origin, "sec-fetch-site": site, [SANDBOX_TOKEN_HEADER]: given } = request.headers;
      if (isDirect(request) && origin === undefined && site === undefined) return;
      // Whether the Origin is ours was checked before, as for every call that changes something.
      const isOwnPage = site === undefined || site === "same-origin";
      if (!isOwnPage || typeof given !== "string" || !equalsInConstantTime(given, token))
        throw new CodedError("ERR_FORBIDDEN", "The sandbox is for its own pages and for programs on this machine");
    },
    tokenFor: (request) => (isDirect(request) ? token : null),
  };
}

async function sharedToken(database: Database): Promise<string> {
  return storedSchema.parse(await readOrMakeSetting(database.kysely, KEY, { token: randomHex(24) })).token;
}
