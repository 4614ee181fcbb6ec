import Fastify from "fastify";
import { expect, it, onTestFinished } from "vitest";
import { freshDatabase } from "../../../tests/support/database/database.ts";
import { addSandboxProviderPages } from "./pages.ts";
import type { SandboxProvider } from "./provider.ts";
import { createSandboxCardStore } from "./store.ts";

it.each(["buy?init_token=", "sell?init_token=", "kyc?access_token=", "email?token="])(
  "a page of the sandbox's card provider is not found by a NUL: %s",
  async (path) => {
    const database = await freshDatabase();
    const app = Fastify();
    onTestFinished(async () => {
      await app.close();
      await database.drop();
    });
    await addSandboxProviderPages(app, { store: createSandboxCardStore(database) } as SandboxProvider);
    for (const value of ["%00", "a%00b", "unknown"])
      expect((await app.inject(`/sandbox/mercuryo/${path}${value}`)).statusCode).toBe(404);
    const form = { method: "POST" as const, headers: { "content-type": "application/x-www-form-urlencoded" } };
    const [page = "", payload = ""] = `${path}%00`.split("?");
    expect((await app.inject({ ...form, url: `/sandbox/mercuryo/${page}`, payload })).statusCode).toBe(404);
  },
);
