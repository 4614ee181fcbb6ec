import { BaseError, createClient, http, rpcSchema } from "viem";
import type * as z from "zod";
import { boundedFetch } from "../../base/outbound/bounded-fetch.ts";

/** What a node said, without what the client adds to it. */
export function reasonOf(error: unknown): string {
  if (error instanceof BaseError) return error.details || error.shortMessage;
  return error instanceof Error ? error.message : String(error);
}

type AnyMethod = [{ Method: string; Parameters: unknown[]; ReturnType: unknown }];

export type EvmRpc = {
  /** Calls the node and parses its response; throws on an error, a time-out and a response of another shape. */
  call<Answer>(method: string, params: unknown[], answer: z.ZodType<Answer>, options?: CallOptions): Promise<Answer>;
};

type CallOptions = { retryCount?: number };

/** JSON-RPC over HTTP with a time limit for each try; nothing is cached between calls. */
export function createEvmRpc(rpcUrl: string, timeoutMs: number): EvmRpc {
  const client = createClient({
    transport: http(rpcUrl, { timeout: timeoutMs, retryCount: 1, retryDelay: 100, fetchFn: boundedFetch() }),
    cacheTime: 0,
    rpcSchema: rpcSchema<AnyMethod>(),
  });
  return {
    call: async (method, params, answer, options) => answer.parse(await client.request({ method, params }, options)),
  };
}
