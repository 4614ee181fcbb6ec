import type { FastifyRequest } from "fastify";
import { pagePolicy } from "../http/security/security-headers.ts";
import { type EntryServer, isEmbed } from "#contract/site/ssr.ts";
import { inlineScriptHashes } from "./page.ts";

/** The widget has a page of its own, with scripts and styles of its own. */
export const EMBED_TEMPLATE = "embed.html";

/** `frames` are the origins whose pages it may show in frames, beside our own: none by default. */
export type PolicyOf = (request: FastifyRequest, frames?: readonly string[]) => string;

/** The content policy of pages made from this template: its inline scripts may run, nothing else that is inline may. */
export function policyFor(template: string, connect: readonly string[] = []): PolicyOf {
  const scriptHashes = inlineScriptHashes(template);
  return (request, frames = []) =>
    pagePolicy({ nonce: request.cspNonce, isFramedAnywhere: isEmbed(request.url), scriptHashes, connect, frames });
}

/** What renders pages: the build, or Vite in development. */
export type Renderer = {
  load(url: string): Promise<{
    readonly template: string;
    readonly entry: EntryServer;
    readonly linksFor: (modules: readonly string[], styled?: readonly string[]) => string;
    readonly policyOf: PolicyOf;
  }>;
};
