import { mkdir, realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { acquireLock } from "../../base/processes/lock-file.ts";
import type { Log } from "../../base/logging/log.ts";
import { embeddedBinaries } from "./binaries.ts";
import { openCluster } from "./cluster.ts";
import { clearLeftover } from "./leftover.ts";
import { ServerStartError, startServer, type RunningServer, type ServerSettings } from "./server.ts";
import { postgresRunner } from "./user.ts";

export interface EmbeddedPostgres {
  /** Where the app's database is, with its password: never log it. It stays the same while this process lives. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that came with `npm ci` on DATA_DIR/postgres-18, which is created at the first start. It answers on 127.0.0.1
 * only, is restarted when it dies, and dies with this process. Throws `FolderInUseError` when a living process runs it already.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Log;
  /** Off: faster, a power cut loses data, and stored passwords are weakly hashed. For tests only. */
  sync?: boolean;
}): Promise<EmbeddedPostgres> {
  const { log, sync = true } = options;
  await mkdir(options.dataDir, { recursive: true, mode: 0o711 });
  const dataDir = await realpath(options.dataDir);
  const folder = join(dataDir, "postgres-18");
  const lock = await acquireLock(dataDir, "postgres-18-owner");
  try {
    const binaries = await embeddedBinaries();
    const runner = await postgresRunner(binaries, dataDir, folder);
    await clearLeftover(folder, log);
    const password = await openCluster(folder, { binaries, runner, sync });
    const settings = { program: binaries.postgres, runner, folder, password, sync, log };
    const { server, port } = await startOnFreePort(settings);
    const stop = keepAlive(server, { ...settings, port });
    return {
      url: `postgres://wherry:${password}@127.0.0.1:${port}/wherry`,
      async stop() {
        await stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startOnFreePort(
  settings: Omit<ServerSettings, "port">,
): Promise<{ server: RunningServer; port: number }> {
  const patience = Date.now() + 30_000;
  for (;;) {
    const port = await freePort();
    try {
      return { server: await startServer({ ...settings, port }), port };
    } catch (error) {
      // Sessions of a killed server hold its memory a moment longer; a free port may be taken before we listen on it.
      const mayPass =
        error instanceof ServerStartError && /shared memory block|Address already in use/.test(error.lastLines);
      if (!mayPass || Date.now() > patience) throw error;
      await delay(100);
    }
  }
}

/** Restarts the server on the same port whenever it dies; returns the function that ends this. */
function keepAlive(first: RunningServer, settings: ServerSettings): () => Promise<void> {
  const stopping = new AbortController();
  const watched = (async () => {
    let server = first;
    while (true) {
      await Promise.race([server.ended, aborted(stopping.signal)]);
      if (stopping.signal.aborted) return server.stop();
      settings.log.error("the embedded database died; restarting it");
      const revived = await revive(settings, stopping.signal);
      if (revived === null) return;
      server = revived;
      settings.log.info("the embedded database is back");
    }
  })();
  return async () => {
    stopping.abort();
    await watched;
  };
}

async function revive(settings: ServerSettings, stopping: AbortSignal): Promise<RunningServer | null> {
  for (let pauseMs = 100; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    try {
      await clearLeftover(settings.folder, settings.log);
      return await startServer(settings);
    } catch (error) {
      settings.log.error({ err: error }, "the embedded database can't be started yet");
      await Promise.race([delay(pauseMs), aborted(stopping)]);
    }
  }
  return null;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no free port on 127.0.0.1");
  return address.port;
}
