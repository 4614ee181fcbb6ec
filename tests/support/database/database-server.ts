import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../../server/db/database.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../../server/db/embedded/postgres.ts";
import { migrate } from "../../../server/db/migrate.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { memoryFolder } from "./memory-folder.ts";

const templateName = "wherry_template";

interface TestServer {
  postgres: EmbeddedPostgres;
  folder: string;
}

/**
 * One real PostgreSQL for a whole test run, with a migrated template to clone. It is started by the first test that asks for its
 * address (a GET of the provided `databaseServer`), so that a run without a database does not pay for it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<TestServer> | undefined;
  const door = createServer((_request, response) => {
    server ??= startServer();
    server.then(
      ({ postgres }) => response.end(postgres.url),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  }).listen(0, "127.0.0.1");
  await once(door, "listening");
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("the test database has no address");
  project.provide("databaseServer", `http://127.0.0.1:${address.port}/`);

  return async () => {
    door.close();
    door.closeAllConnections();
    if (server === undefined) return;
    const { postgres, folder } = await server;
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function startServer(): Promise<TestServer> {
  const log = createLog({ level: "error" });
  const folder = await memoryFolder("wherry-tests-");
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log, sync: false });
  await letRowsBePutBack(postgres.url);
  const admin = new pg.Client(postgres.url);
  await admin.connect();
  await admin.query(`create database ${templateName}`);
  await admin.end();
  const template = openDatabase(databaseUrl(postgres.url, templateName), { max: 1, log, applicationName: "template" });
  await migrate(template);
  await template.close();
  return { postgres, folder };
}

/** Rows that are put back together need none of the triggers and foreign keys that the app's role may not turn off. */
async function letRowsBePutBack(serverUrl: string): Promise<void> {
  const url = new URL(serverUrl);
  url.username = "postgres";
  const superuser = new pg.Client(url.href);
  await superuser.connect();
  await superuser.query("grant set on parameter session_replication_role to wherry");
  await superuser.end();
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
