import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startScript, type ScriptProcess } from "../../../tests/support/processes/script-process.ts";
import { FolderInUseError } from "../../base/processes/lock-file.ts";
import { createLog } from "../../base/logging/log.ts";
import { commandOfProcess, startOfProcess } from "../../base/processes/process-identity.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "./postgres.ts";

const isRoot = process.getuid?.() === 0;
const log = createLog({ level: "silent" });
let dataDir: string;
let running: ScriptProcess[];
let servers: EmbeddedPostgres[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "wherry-embedded-"));
  await chmod(dataDir, 0o711);
  running = [];
  servers = [];
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await Promise.all(running.map((app) => app.kill("SIGKILL")));
  await expect.poll(livingPostmaster, { timeout: 20_000 }).toBeNull();
  await rm(dataDir, { recursive: true, maxRetries: 10 });
});

// Writes rows as fast as it can, and prints each one only once its commit was acknowledged.
const writingApp = `
  import { openDatabase } from "#root/server/db/database.ts";
  import { startEmbeddedPostgres } from "#root/server/db/embedded/postgres.ts";
  import { createLog } from "#root/server/base/logging/log.ts";
  const log = createLog({ level: "silent" });
  const postgres = await startEmbeddedPostgres({ dataDir: process.argv[1], log }).catch((error) => {
    console.log("failed " + error.name + " " + error.message);
    process.exit(1);
  });
  const { pool } = openDatabase(postgres.url, { max: 1, log, applicationName: "writer" });
  await pool.query("create table if not exists trips (id bigint generated always as identity)");
  console.log("ready " + postgres.url);
  process.once("SIGTERM", () => postgres.stop().then(() => process.exit(0)));
  for (;;) {
    await pool.query("insert into trips default values returning id").then(
      ({ rows }) => console.log("row " + rows[0].id),
      () => new Promise((resolve) => setTimeout(resolve, 20)),
    );
  }
`;

function startApp(options: Parameters<typeof startScript>[2] = {}): ScriptProcess {
  const app = startScript(writingApp, [dataDir], options);
  running.push(app);
  return app;
}

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log });
  servers.push(server);
  return server;
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

function acknowledged(app: ScriptProcess): string[] {
  return app.lines.filter((line) => line.startsWith("row ")).map((line) => line.slice("row ".length));
}

async function expectNothingLost(app: ScriptProcess): Promise<void> {
  const { url } = await start();
  const rows = await query<{ id: string }>(url, "select id from trips");
  const stored = new Set(rows.map((row) => row.id));
  expect(acknowledged(app).length).toBeGreaterThan(10);
  expect(acknowledged(app).filter((id) => !stored.has(id))).toEqual([]);
}

async function postmasterPid(): Promise<number> {
  const [pid] = (await readFile(join(dataDir, "postgres-18/postmaster.pid"), "utf8")).split("\n", 1);
  return Number(pid);
}

async function livingPostmaster(): Promise<number | null> {
  if (!existsSync(join(dataDir, "postgres-18/postmaster.pid"))) return null;
  const pid = await postmasterPid();
  return commandOfProcess(pid)?.includes("postgres") ? pid : null;
}

describe("start and stop", () => {
  test("the first start makes the folder, the next one finds the data", async () => {
    const first = await start();
    await query(first.url, "create table trips as select 1 as id");
    await first.stop();
    expect(await livingPostmaster()).toBeNull();
    const next = await start();
    expect(await query(next.url, "select id from trips")).toEqual([{ id: 1 }]);
  });

  test("the server is on loopback only, with a password in a closed file, and the app's role is not a superuser", async () => {
    const { url } = await start();
    const facts =
      "current_setting('server_encoding') as encoding, current_setting('fsync') as fsync, current_user as role";
    const rows = await query(url, `select ${facts}, rolsuper as super from pg_roles where rolname = current_user`);
    expect(rows).toEqual([{ encoding: "UTF8", fsync: "on", role: "wherry", super: false }]);
    const lock = (await readFile(join(dataDir, "postgres-18/postmaster.pid"), "utf8")).split("\n");
    const [, , , port, socketFolder, listenAddress] = lock;
    expect({ port, socketFolder, listenAddress }).toEqual({
      port: new URL(url).port,
      socketFolder: "",
      listenAddress: "127.0.0.1",
    });
    const password = join(dataDir, "postgres-18/wherry-password");
    expect((await stat(password)).mode & 0o777).toBe(0o600);
    expect(new URL(url).password).toBe(await readFile(password, "utf8"));
    const guess = new URL(url);
    guess.password = "guess";
    await expect(query(guess.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  test("a second start while the first one lives is refused and leaves it alone", async () => {
    const { url } = await start();
    const second = startApp();
    const refusal = await second.line(/^failed/);
    expect(refusal).toContain(`FolderInUseError`);
    expect(refusal).toContain(`(process ${process.pid})`);
    await expect(start()).rejects.toThrow(FolderInUseError);
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("SIGTERM to the app stops both", async () => {
    const app = startApp();
    await app.line(/^row 20$/);
    const postmaster = await postmasterPid();
    app.child.kill("SIGTERM");
    expect(await app.ended).toBe(0);
    expect(startOfProcess(postmaster)).toBeNull();
  });

  test("a folder that is not ours is left alone", async () => {
    await mkdir(join(dataDir, "postgres-18"));
    await writeFile(join(dataDir, "postgres-18/holiday.jpg"), "sun");
    await expect(start()).rejects.toThrow("not a database folder of this app");
    expect(await readFile(join(dataDir, "postgres-18/holiday.jpg"), "utf8")).toBe("sun");
  });
});

// Each starts real servers, several of them: seconds on an idle machine, many of them on a busy one.
describe("kill -9", { timeout: 90_000 }, () => {
  test("of the app: the server goes with it, the next start has every acknowledged row", async () => {
    const app = startApp();
    await app.line(/^row 50$/);
    const postmaster = await postmasterPid();
    await app.kill("SIGKILL");
    await expectNothingLost(app);
    expect(startOfProcess(postmaster)).toBeNull();
  });

  test("of an app on a system without setpriv: the next start stops the server that outlived it", async () => {
    const tools = join(dataDir, "tools");
    await mkdir(tools);
    const id = process.platform === "linux" ? "/usr/bin/id" : "/bin/id";
    await symlink(id, join(tools, "id"));
    const app = startApp({ env: { PATH: [tools].join(delimiter) } });
    await app.line(/^row 50$/);
    const postmaster = await postmasterPid();
    await app.kill("SIGKILL");
    expect(startOfProcess(postmaster)).not.toBeNull();
    await expectNothingLost(app);
    expect(startOfProcess(postmaster)).toBeNull();
  });

  test("of the server: the app gets it back on the same address", async () => {
    const app = startApp();
    await app.line(/^row 50$/);
    const killed = await postmasterPid();
    process.kill(killed, "SIGKILL");
    // Rows that were acknowledged before may still arrive: the server is back once its file names another process.
    const isBack = async () => {
      const [pid] = await Promise.allSettled([postmasterPid()]);
      return pid.status === "fulfilled" && pid.value !== killed;
    };
    await expect.poll(isBack, { timeout: 20_000 }).toBe(true);
    const before = acknowledged(app).length;
    await expect.poll(() => acknowledged(app).length, { timeout: 20_000 }).toBeGreaterThan(before + 50);
    await app.kill("SIGKILL");
    await expectNothingLost(app);
  });

  test("of both, over and over", async () => {
    for (let round = 0; round < 3; round++) {
      const app = startApp();
      await app.line(/^ready/);
      await expect.poll(() => acknowledged(app).length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(20);
      process.kill(await postmasterPid(), "SIGKILL");
      await app.kill("SIGKILL");
      await expectNothingLost(app);
      await Promise.all(servers.splice(0).map((server) => server.stop()));
    }
  });

  test("in the middle of the first start: the next one begins afresh", async () => {
    const app = startApp();
    const draft = async (): Promise<string[]> => {
      const name = (await readdir(dataDir)).find((entry) => /^postgres-18\.draft-\w+$/.test(entry));
      return name === undefined ? [] : readdir(join(dataDir, name));
    };
    await expect.poll(draft, { interval: 2, timeout: 20_000 }).toContain("PG_VERSION");
    await app.kill("SIGKILL");
    expect(await readdir(dataDir)).not.toContain("postgres-18");
    const { url } = await start();
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect((await readdir(dataDir)).filter((entry) => entry.includes("draft"))).toEqual([]);
  });

  test("and a lock whose pid belongs to another program by now", async () => {
    await (await start()).stop();
    await writeFile(join(dataDir, "postgres-18/postmaster.pid"), `${process.pid}\n${dataDir}/postgres-18\n`, {
      mode: 0o600,
    });
    const { url } = await start();
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

describe.runIf(isRoot)("users", () => {
  test("as root the server is the user postgres", async () => {
    await start();
    expect((await stat(`/proc/${await postmasterPid()}`)).uid).toBe((await stat(join(dataDir, "postgres-18"))).uid);
    expect((await stat(join(dataDir, "postgres-18"))).uid).not.toBe(0);
  });

  test("as root it works below a folder that is closed to everyone else", async () => {
    await chmod(dataDir, 0o700);
    const { url } = await start();
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect((await stat(`/proc/${await postmasterPid()}`)).uid).not.toBe(0);
  });

  test("a user who is not root runs it as that user, and root can take it over", async () => {
    const nobody = { uid: 65_534, gid: 65_534 };
    await chown(dataDir, nobody.uid, nobody.gid);
    const app = startApp(nobody);
    await app.line(/^row 20$/);
    expect((await stat(`/proc/${await postmasterPid()}`)).uid).toBe(nobody.uid);
    await app.kill("SIGKILL");
    await expectNothingLost(app);
    expect((await stat(`/proc/${await postmasterPid()}`)).uid).toBe(nobody.uid);
  });
});
