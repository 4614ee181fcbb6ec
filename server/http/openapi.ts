import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";

/** Collects the routes that are added after it into one OpenAPI document at /api/openapi.json. */
export async function addOpenApi(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Wherry API",
        version: "1",
        description:
          "Amounts, prices and fees are decimal strings, times are ISO-8601 UTC. Failures carry a code in `status`.",
      },
      servers: [{ url: publicUrl }],
    },
    transform: jsonSchemaTransform,
  });
  app.get("/api/openapi.json", { schema: { hide: true } }, () => app.swagger());
}
