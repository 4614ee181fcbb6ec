import type { FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";
import type { Accounts, SignedIn } from "../accounts/port.ts";

/** A signed-in caller, and the token that says so. */
export type Session = SignedIn & { readonly accessToken: string };

const BEARER = /^Bearer ([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/** Who is signed in by the call's `Authorization`; null without one. A token that isn't good fails the call, whatever it asks. */
export async function signedInBy(
  { headers }: FastifyRequest,
  accounts: Pick<Accounts, "whoHas">,
): Promise<Session | null> {
  if (headers.authorization === undefined) return null;
  const accessToken = BEARER.exec(headers.authorization)?.[1];
  if (accessToken === undefined) throw new CodedError("ERR_UNAUTHORIZED", "The authorization must be a bearer token");
  return { ...(await accounts.whoHas(accessToken)), accessToken };
}
