import * as z from "zod";
import { boundedFetch } from "../../base/outbound/bounded-fetch.ts";

/** An error that the node returned. */
export class BitcoinRpcError extends Error {
  override name = "BitcoinRpcError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type BitcoinRpc = {
  /** Calls the node and parses its response; throws `BitcoinRpcError` for its errors, and on time-outs and responses of another shape. */
  call<Answer>(method: string, params: unknown[], answer: z.ZodType<Answer>, options?: CallOptions): Promise<Answer>;
};

type CallOptions = { timeoutMs?: number; /** One of the node's wallets. */ wallet?: string };

const replySchema = z.object({
  result: z.unknown(),
  error: z.object({ code: z.int(), message: z.string() }).nullish(),
});

const ask = boundedFetch();

/** JSON-RPC of Bitcoin Core and its descendants; user and password stand in the URL. Nothing is retried. */
export function createBitcoinRpc(rpcUrl: string, timeoutMs: number): BitcoinRpc {
  const url = new URL(rpcUrl);
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = `Basic ${Buffer.from(user).toString("base64")}`;
  url.username = "";
  url.password = "";
  const base = url.href.replace(/\/$/, "");

  const post = async (path: string, body: string, limitMs: number): Promise<Response> => {
    try {
      return await ask(`${base}${path}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(limitMs),
      });
    } catch (error) {
      throw new Error(`the node does not answer: ${reasonOf(error)}`, { cause: error });
    }
  };

  return {
    call: async (method, params, answer, options = {}) => {
      const path = options.wallet === undefined ? "" : `/wallet/${encodeURIComponent(options.wallet)}`;
      const body = JSON.stringify({ jsonrpc: "1.0", id: 1, method, params });
      const response = await post(path, body, options.timeoutMs ?? timeoutMs);
      const text = await response.text();
      // Errors come as JSON too, with status 500; what is not JSON never reached the method.
      if (!text.startsWith("{")) throw new Error(`the node answers ${method} with HTTP ${response.status}`);
      const { result, error } = replySchema.parse(parseExactly(text));
      if (error) throw new BitcoinRpcError(error.code, error.message);
      return answer.parse(result);
    },
  };
}

/** Keeps amounts as the text that the node wrote: 0.1 has no exact number. */
function parseExactly(text: string): unknown {
  const keepDecimals = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" && context?.source?.includes(".") === true ? context.source : value;
  return JSON.parse(text, keepDecimals);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
