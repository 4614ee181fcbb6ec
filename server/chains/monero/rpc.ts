import * as z from "zod";
import { parseJsonExactly } from "../../base/json.ts";
import { boundedFetch } from "../../base/outbound/bounded-fetch.ts";

/** An error that the program returned; `code` is its own. */
export class MoneroRpcError extends Error {
  override name = "MoneroRpcError";
  readonly code: number;

  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message} (${code})`);
    this.code = code;
  }
}

/** monerod or monero-wallet-rpc. Both throw on an error, a time-out and a response of another shape; nothing is retried. */
export type MoneroRpc = {
  /** A method of its JSON-RPC. */
  call<Answer>(method: string, params: object, answer: z.ZodType<Answer>): Promise<Answer>;
  /** One of monerod's calls that have a path of their own, such as `/send_raw_transaction`. */
  post<Answer>(path: string, body: object, answer: z.ZodType<Answer>): Promise<Answer>;
};

const envelope = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.bigint().transform(Number), message: z.string() }).optional(),
});

const ask = boundedFetch();

/** Whole numbers arrive as bigints, and bigints leave as whole numbers. */
export function createMoneroRpc(url: string, timeoutMs: number): MoneroRpc {
  const send = async (path: string, body: object): Promise<unknown> => {
    const reply = await ask(new URL(path, url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: toJson(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!reply.ok) throw new Error(`${path}: HTTP ${reply.status}`);
    return parseJsonExactly(await reply.text(), "bigint");
  };
  return {
    call: async (method, params, answer) => {
      const { result, error } = envelope.parse(await send("/json_rpc", { jsonrpc: "2.0", id: "0", method, params }));
      if (error !== undefined) throw new MoneroRpcError(method, error.code, error.message);
      return answer.parse(result);
    },
    post: async (path, body, answer) => answer.parse(await send(path, body)),
  };
}

/** Node knows `JSON.rawJSON`, TypeScript's library does not yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/**
 * As `JSON.stringify`, with bigints as whole numbers.
 *
 * @internal Exported for its tests.
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? rawJSON(part.toString()) : part));
}
