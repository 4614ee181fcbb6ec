import type { FastifyInstance } from "fastify";
import { sha256 } from "../base/secrets.ts";
import { compress, encodingFor, send, SMALLEST, type Compressed, type Encoding } from "./compress.ts";

/** Serves a large document that never changes while the process runs: written once, and compressed once for each encoding. */
export function addFixedDocument(app: FastifyInstance, path: string, make: () => unknown): void {
  let written: { text: string; digest: string; encoded: Map<Encoding, Promise<Compressed>> } | null = null;

  const write = () => {
    const text = JSON.stringify(make());
    return { text, digest: sha256(text).toString("base64url"), encoded: new Map() };
  };

  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    written ??= write();
    const { text, digest, encoded } = written;
    // The same for every encoding.
    reply.header("etag", `W/"${digest}"`).header("cache-control", "no-cache").header("vary", "accept-encoding");
    if (request.headers["if-none-match"]?.includes(`"${digest}"`)) return reply.code(304).send();
    const encoding = encodingFor(request);
    const body = encoded.get(encoding) ?? compress(text, encoding, SMALLEST);
    encoded.set(encoding, body);
    return send(reply.type("application/json; charset=utf-8"), await body);
  });
}
