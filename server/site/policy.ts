import type { FastifyRequest } from "fastify";
import { pagePolicy } from "../http/security-headers.ts";
import { inlineScriptHashes } from "./page.ts";

export type PolicyOf = (request: FastifyRequest) => string;

/** The content policy of pages made from this template: its inline scripts may run, nothing else that is inline may. */
export function policyFor(template: string, connect: readonly string[] = []): PolicyOf {
  const scriptHashes = inlineScriptHashes(template);
  return (request) => pagePolicy({ nonce: request.cspNonce, scriptHashes, connect });
}
