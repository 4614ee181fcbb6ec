import type * as z from "zod";
import { parseJsonExactly } from "../../base/json.ts";
import { boundedFetch } from "../../base/outbound/bounded-fetch.ts";

export type TronNodeOptions = {
  /** The base address under which `/wallet` is served. */
  rpcUrl: string;
  /** The same for `/walletsolidity`, which a node of one's own serves at another port. */
  solidityUrl: string;
  /** Sent as TRON-PRO-API-KEY. */
  apiKey: string | null;
  /** The limit of each call. */
  timeoutMs: number;
};

export type TronRpc = {
  /** Calls the node and parses its response; throws on an error, a time-out and a response of another shape. */
  call<Answer>(path: TronPath, body: Record<string, unknown>, answer: z.ZodType<Answer>): Promise<Answer>;
};

type TronPath = `wallet/${string}` | `walletsolidity/${string}`;

const MAX_QUOTED = 200;
const ask = boundedFetch();

/** The HTTP API of a TRON node, which returns most of its errors with status 200. */
export function createTronRpc({ rpcUrl, solidityUrl, apiKey, timeoutMs }: TronNodeOptions): TronRpc {
  const headers = { "content-type": "application/json", ...(apiKey !== null && { "TRON-PRO-API-KEY": apiKey }) };
  return {
    call: async (path, body, answer) => {
      const base = path.startsWith("walletsolidity/") ? solidityUrl : rpcUrl;
      const response = await ask(`${base.replace(/\/+$/, "")}/${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, MAX_QUOTED)}`);
      const read = parseJson(path, text);
      if (isRecord(read) && typeof read["Error"] === "string") throw new Error(`${path}: ${read["Error"]}`);
      return answer.parse(read);
    },
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A lite node says in plain text that it has no history. */
function parseJson(path: string, text: string): unknown {
  try {
    return parseJsonExactly(text, "largeBigint");
  } catch (error) {
    throw new Error(`${path} answered no JSON: ${text.slice(0, MAX_QUOTED)}`, { cause: error });
  }
}
