import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { ignoreAbort } from "../../base/concurrency/ignore-abort.ts";
import type { Log } from "../../base/logging/log.ts";
import type { PostgresRunner } from "./user.ts";

export interface ServerSettings {
  program: string;
  runner: PostgresRunner;
  folder: string;
  port: number;
  password: string;
  sync: boolean;
  log: Log;
}

export interface RunningServer {
  /** Settles when the process has ended, for whatever reason. */
  ended: Promise<void>;
  /** Ends the sessions, writes everything to disk and stops; in the last resort it is killed. */
  stop(): Promise<void>;
}

/** The server ended before it was ready; `lastLines` are the last lines of its log. */
export class ServerStartError extends Error {
  override name = "ServerStartError";
  readonly lastLines: string;

  constructor(lastLines: string) {
    super(`The embedded database did not start: ${lastLines}`);
    this.lastLines = lastLines;
  }
}

/** What a server says to its sessions while it starts or is stopped. */
const USUAL = /the database system is|terminating connection due to administrator command/;
const readyWithinMs = 120_000;

/** Starts the server process and waits until it answers, also through a recovery after a crash. */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  const child = settings.runner.start(settings.program, serverArguments(settings), "INT");
  const lastLines = followLog(child, settings.log);
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", (error) => {
      lastLines.push(error.message);
      resolve();
    });
  }).then(() => {
    hasEnded = true;
  });
  const server = { ended, stop: () => stopChild(child, ended) };
  try {
    for (const deadline = Date.now() + readyWithinMs; Date.now() < deadline; await Promise.race([delay(25), ended])) {
      if (hasEnded) throw new ServerStartError(lastLines.join("; "));
      if (await makeReady(settings)) return server;
    }
    throw new ServerStartError(`it did not answer within ${readyWithinMs / 1000} s; ${lastLines.join("; ")}`);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function serverArguments({ folder, port, sync }: ServerSettings): string[] {
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    // The servers of two test files share one.
    max_connections: sync ? "100" : "400",
    timezone: "UTC",
    log_timezone: "UTC",
    log_line_prefix: "",
    // Errors of statements reach the app anyway; their text and details hold user input.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_checkpoints: "off",
    ...(!sync && { fsync: "off", synchronous_commit: "off", full_page_writes: "off", scram_iterations: "1" }),
  };
  return ["-D", folder, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

function followLog(child: ChildProcess, log: Log): string[] {
  const lastLines: string[] = [];
  if (child.stderr === null) return lastLines;
  createInterface({ input: child.stderr }).on("line", (line) => {
    const isAlarm = /^(WARNING|FATAL|PANIC)/.test(line) && !USUAL.test(line);
    log[isAlarm ? "warn" : "debug"]({ area: "postgres" }, line);
    lastLines.push(line.replace(/^\w+:\s+/, ""));
    if (lastLines.length > 10) lastLines.shift();
  });
  return lastLines;
}

/** The app's role owns its database and nothing else; true once both are there. */
async function makeReady({ port, password }: ServerSettings): Promise<boolean> {
  const client = new pg.Client({
    host: "127.0.0.1",
    port,
    user: "postgres",
    database: "postgres",
    password,
    connectionTimeoutMillis: 2_000,
  });
  // A server that is recovering drops the connection; the failing query reports that as well.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const role = await client.query("select from pg_roles where rolname = 'wherry'");
    if (role.rowCount === 0) await client.query(`create role wherry login createdb password '${password}'`);
    const database = await client.query("select from pg_database where datname = 'wherry'");
    if (database.rowCount === 0) await client.query("create database wherry owner wherry");
    return true;
  } catch (error) {
    if (isNotYetUp(error)) return false;
    throw error;
  } finally {
    await client.end();
  }
}

function isNotYetUp(error: unknown): boolean {
  const startingUp = "57P03";
  const shuttingDown = "57P01";
  if (error instanceof pg.DatabaseError) return error.code === startingUp || error.code === shuttingDown;
  return error instanceof Error;
}

async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  for (const [signal, patienceMs] of [
    ["SIGINT", 20_000],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ] as const) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const cancel = new AbortController();
    await Promise.race([ended, delay(patienceMs, undefined, { signal: cancel.signal }).catch(ignoreAbort)]);
    cancel.abort();
  }
}
