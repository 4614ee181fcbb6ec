import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";

const FILE = /^[a-z0-9-]{1,120}\.(avif|webp)$/;
/** Where each kind is served, and where the build has written it. */
const FOLDERS = { "/covers": "covers", "/article-pictures": "pictures" } as const;

/** Serves the articles' covers and pictures that the build wrote to `folder` (`dist/content`); their names change with their content. */
export function addArticlePictures(app: FastifyInstance, folder: string): void {
  for (const [path, built] of Object.entries(FOLDERS))
    app.get<{ Params: { file: string } }>(`${path}/:file`, async (request, reply) => {
      const { file } = request.params;
      const [, format] = FILE.exec(file) ?? [];
      if (format === undefined || !existsSync(join(folder, built, file))) return reply.callNotFound();
      return reply
        .type(`image/${format}`)
        .header("cache-control", "public, max-age=31536000, immutable")
        .send(await readFile(join(folder, built, file)));
    });
}
