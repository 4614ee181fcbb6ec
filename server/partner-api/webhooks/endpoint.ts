import { isIP } from "node:net";
import { isPublicAddress } from "../../base/outbound/public-address.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Written as it is: a parser of URLs drops line breaks, and hides what else nobody sees. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Whether an address is this machine's own, which receivers may be on while the sandbox is on. */
export const isLoopback = (url: URL): boolean => LOOPBACK.has(url.hostname);

/**
 * Why a webhook may not be sent to `text`; null where it may (contract §13). Names are judged again by what they resolve to. `mayBeHere`: it
 * may be on this machine.
 */
export function endpointProblem(text: string, mayBeHere: boolean): string | null {
  const url = URL.parse(text);
  if (url === null) return "is no URL";
  if (UNSEEN.test(text)) return "must not have spaces, line breaks or invisible characters";
  if (url.username !== "" || url.password !== "") return "must not have a user name or a password";
  if (url.hash !== "") return "must not have a fragment";
  if (mayBeHere && isLoopback(url) && /^https?:$/.test(url.protocol)) return null;
  if (url.protocol !== "https:") return "must begin with https://";
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  const isInternal = isIP(literal) === 0 ? !literal.includes(".") || isLoopback(url) : !isPublicAddress(literal);
  return isInternal ? "must be a public address" : null;
}
