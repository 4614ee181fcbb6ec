import type { FastifyInstance } from "fastify";
import { sendCompressed } from "./compress.ts";
import type { Renderer } from "./renderer.ts";

const CLOSED = ["/api/", "/dict/", "/order/", "/ru/order/", "/sandbox"];

/** robots.txt and sitemap.xml, both with the canonical origin in them. */
export function addSearchFiles(app: FastifyInstance, renderer: Renderer, origin: string): void {
  const robots = [
    "User-agent: *",
    ...CLOSED.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
  app.get("/robots.txt", (_request, reply) => reply.type("text/plain; charset=utf-8").send(robots));
  app.get("/sitemap.xml", async (request, reply) => {
    const { entry } = await renderer.load(request.url);
    const sitemap = await entry.sitemap({ origin, api: app.callInProcess });
    return sendCompressed(
      request,
      reply.type("application/xml; charset=utf-8").header("cache-control", "public, max-age=3600"),
      sitemap,
    );
  });
}
