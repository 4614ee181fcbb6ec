import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";

const FILE = /^[a-z0-9-]{1,120}\.(avif|webp)$/;

/** Serves the covers that the build wrote to `folder`; their names change with their content. */
export function addCovers(app: FastifyInstance, folder: string): void {
  app.get<{ Params: { file: string } }>("/covers/:file", async (request, reply) => {
    const { file } = request.params;
    const [, format] = FILE.exec(file) ?? [];
    if (format === undefined || !existsSync(join(folder, file))) return reply.callNotFound();
    return reply
      .type(`image/${format}`)
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(await readFile(join(folder, file)));
  });
}
