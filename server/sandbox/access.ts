import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { CodedError } from "#contract/errors.ts";
import { SANDBOX_TOKEN_HEADER } from "#contract/headers.ts";
import { createIsDirect } from "../base/direct-requests.ts";
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
/** Who may use the sandbox's calls. Every process of a database knows the same token. */
export async function openSandboxAccess(database: Database, publicUrl: string): Promise<SandboxAccess> {
  const token = await sharedToken(database);
  const isDirect = createIsDirect(publicUrl);
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
