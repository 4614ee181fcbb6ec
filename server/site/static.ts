import { DAY_SECONDS } from "#contract/durations.ts";
import { existsSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { PolicyOf } from "./renderer.ts";

/** For the server alone, never sent as they are. */
const INTERNAL = /^(?:(?:index|embed)\.html|\.vite\/.*|.*\.(?:br|gz))$/;
const HASHED = /^assets\//;
/** The messages of a language: cached for 24 hours (spec §9). */
const MESSAGES = /^assets\/messages\//;
/** Revalidated each time: they say which build is the newest. */
const UNHASHED_SIGNALS = /^(?:sw\.js|manifest(?:\.\w+)?\.webmanifest|builds\/.*|shell\.html)$/;

const cacheControl = (file: string): string => {
  if (MESSAGES.test(file)) return `public, max-age=${DAY_SECONDS}`;
  if (HASHED.test(file)) return "public, max-age=31536000, immutable";
  return UNHASHED_SIGNALS.test(file) ? "no-cache" : `public, max-age=${DAY_SECONDS}`;
};

/** Serves what the build wrote, precompressed. A missing asset is the API's own 404, never a page. */
export async function serveStatic(app: FastifyInstance, clientDir: string, policyOf: PolicyOf): Promise<void> {
  await app.register(fastifyStatic, {
    root: clientDir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    etag: true,
  });
  const files = new Set(listFiles(clientDir));
  for (const file of files) {
    app.get(`/${file}`, { config: { isUncounted: HASHED.test(file) } }, (request, reply) => {
      reply.header("cache-control", cacheControl(file));
      if (file.endsWith(".html")) reply.header("content-security-policy", policyOf(request));
      return reply.sendFile(file);
    });
  }
  for (const folder of ["assets", "builds", "icons", "screenshots"])
    app.get(`/${folder}/*`, (_request, reply) => reply.callNotFound());
}

function listFiles(clientDir: string): string[] {
  if (!existsSync(clientDir)) throw new Error(`nothing is built in ${clientDir}`);
  return readdirSync(clientDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(clientDir.length + 1)
        .split(sep)
        .join("/"),
    )
    .filter((file) => !INTERNAL.test(file));
}
