import * as z from "zod";
import { PartnerError } from "../port.ts";
import { isSameAddress } from "#contract/address.ts";
import { parseJsonExactly } from "../../base/json.ts";
import { boundedFetch } from "../../base/outbound/bounded-fetch.ts";

const TIMEOUT_MS = 10_000;
/** A list of every coin is a few megabytes; more is no answer. */
const boundedTo20MB = boundedFetch(20_000_000);

export type PartnerAnswer = { status: number; body: unknown };
/** An id that a partner gives to an exchange. */
export const idSchema = z.string().regex(/^[\w-]{1,64}$/);
export const isPartnerId = (text: string): boolean => idSchema.safeParse(text).success;
/** A decimal amount, read exactly later. */
export const amountSchema = z.string().max(80);
/** Empty, absent and null all mean that there is none. */
export const optionalTextSchema = z
  .string()
  .max(256)
  .nullish()
  .transform((value) => value || null);

/** Reads answers of a partner; `what` names one in the error for an answer that is a failure or that the schema doesn't describe. */
export const answerReader =
  (partner: string) =>
  <T>(schema: z.ZodType<T>, { status, body }: PartnerAnswer, what: string): T => {
    const parsed = schema.safeParse(body);
    if (status < 400 && parsed.success) return parsed.data;
    throw new PartnerError(`${partner} gave ${what} that can't be read (${status})`);
  };

export type PartnerHttp = (
  method: "GET" | "POST",
  path: string,
  options?: { query?: Record<string, string>; body?: Record<string, unknown>; headers?: Record<string, string> },
) => Promise<PartnerAnswer>;

/** Calls a partner's API. Throws `PartnerError` for no answer, an unreadable one, 429 and 5xx: in all of these the result is unknown. */
export function partnerHttp(
  baseUrl: string,
  headers: Record<string, string>,
  timeoutMs: number = TIMEOUT_MS,
): PartnerHttp {
  return async (method, path, { query = {}, body, headers: own = {} } = {}) => {
    const url = new URL(`${baseUrl.replace(/\/$/, "")}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { status, text } = await fetchText(url, `${method} ${path}`, {
      method,
      headers: { accept: "application/json", ...(body && { "content-type": "application/json" }), ...headers, ...own },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (status === 429 || status >= 500) throw new PartnerError(`${method} ${path} answered ${status}`);
    return { status, body: parseExactly(text, `${method} ${path}`) };
  };
}

/** An error says `what` was asked: the partner's URL may hold a key. */
async function fetchText(url: URL, what: string, init: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const answer = await boundedTo20MB(url, init);
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    throw new PartnerError(`${what} had no answer`, { cause: error });
  }
}

function parseExactly(text: string, what: string): unknown {
  try {
    return parseJsonExactly(text, "text");
  } catch (error) {
    throw new PartnerError(`${what} did not answer with JSON`, { cause: error });
  }
}

/** A list that is loaded again when it is old; a failure is not cached. */
export function cached<T>(load: () => Promise<T>, validMs: number, now: () => number = Date.now): () => Promise<T> {
  let known: { at: number; value: Promise<T> } | null = null;
  return async () => {
    if (known !== null && now() - known.at < validMs) return known.value;
    const asked = { at: now(), value: load() };
    known = asked;
    try {
      return await asked.value;
    } catch (error) {
      if (known === asked) known = null;
      throw error;
    }
  };
}

/** Throws `PartnerError` where our key or this server is refused: that is a configuration error, not an amount without a quote. */
export function requireAccess({ status }: PartnerAnswer, what: string): void {
  if (status === 401 || status === 403) throw new PartnerError(`access to ${what} is refused (${status})`);
}

/** Whether two contract addresses are the same; null is a network's own coin. */
export const isSameContract = (one: string | null, other: string | null): boolean =>
  one === other || (one !== null && other !== null && isSameAddress(one, other));
