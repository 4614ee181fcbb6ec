import * as z from "zod";
import { parseJsonExactly } from "../../base/json.ts";
import { boundedFetch } from "../../base/outbound/bounded-fetch.ts";
import { CardProviderError, CardTokenError } from "../port.ts";

const TIMEOUT_MS = 10_000;
const boundedTo2MB = boundedFetch(2_000_000);

export type MercuryoOptions = {
  /** Of the API, its version included. */
  url: string;
  /** Where verification and payment pages are. */
  pagesUrl: string;
  widgetId: string;
  /** The sign key of callbacks. */
  secret: string;
  partnerToken: string;
  /** Our commission as it is set at Mercuryo, in hundredths of a percent of what is charged. */
  feeBps: bigint;
};

type Call = { query?: Record<string, string>; body?: Record<string, unknown>; token?: string };
type Answer = { status: number; data: unknown; code: string | null; message: string };

const envelope = z.object({
  data: z.unknown().optional(),
  code: z.union([z.string(), z.number()]).nullish(),
  message: z.string().nullish(),
});

export type MercuryoHttp = {
  /** The data of a 2xx. Throws `CardTokenError` where a user's token is refused, `MercuryoRefusal` for another 4xx, else `CardProviderError`. */
  call<T>(method: "GET" | "POST", path: string, schema: z.ZodType<T>, given?: Call): Promise<T>;
};

/** A 4xx: nothing was done. `message` is ours: it holds nothing that was sent. */
export class MercuryoRefusal extends CardProviderError {
  override name = "MercuryoRefusal";
  readonly httpStatus: number;
  readonly code: string | null;
  /** For rules, not for logs. */
  readonly providerMessage: string;

  constructor(path: string, { status, code, message }: Answer) {
    super(`${path} was refused with ${status} ${code ?? ""}`.trim());
    this.httpStatus = status;
    this.code = code;
    this.providerMessage = message;
  }
}

/**
 * Mercuryo's API v1.6. Errors name the path alone: queries, bodies and headers hold tokens and addresses. Numbers are read as they are
 * written, so that money never becomes a binary fraction (engine law 9).
 */
export function mercuryoHttp(options: MercuryoOptions, timeoutMs: number = TIMEOUT_MS): MercuryoHttp {
  const send = async (method: "GET" | "POST", path: string, { query = {}, body, token }: Call): Promise<Answer> => {
    const url = new URL(`${options.url.replace(/\/$/, "")}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    try {
      const reply = await boundedTo2MB(url, {
        method,
        headers: {
          accept: "application/json",
          "user-agent": "Wherry",
          "sdk-partner-token": options.partnerToken,
          ...(token !== undefined && { "b2b-bearer-token": token }),
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { data, code, message } = envelope.parse(parseJsonExactly(await reply.text(), "text"));
      return { status: reply.status, data, code: code == null ? null : `${code}`, message: message ?? "" };
    } catch (error) {
      throw new CardProviderError(`${path} had no answer that can be read (${nameOf(error)})`);
    }
  };

  return {
    async call(method, path, schema, given = {}) {
      const answer = await send(method, path, given);
      if (answer.status === 401 && given.token !== undefined) throw new CardTokenError(`${path} refuses the token`);
      if (answer.status === 429 || answer.status >= 500)
        throw new CardProviderError(`${path} answered ${answer.status}`);
      if (answer.status >= 400) throw new MercuryoRefusal(path, answer);
      const parsed = schema.safeParse(answer.data);
      if (parsed.success) return parsed.data;
      throw new CardProviderError(`${path} gave data that can't be read`);
    },
  };
}

/** The cause itself may quote what was sent. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "unknown");
