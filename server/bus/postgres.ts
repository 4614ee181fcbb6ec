import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Log } from "../base/logging/log.ts";
import { throttle } from "../base/concurrency/loop.ts";
import { openLastingSession, type LastingSession } from "../db/lasting-session.ts";
import { createListeners } from "./listeners.ts";
import { INVALIDATIONS, type Bus, type Invalidation } from "./port.ts";

const CHANNEL = "wherry_invalidations";
/** A connection that died unseen costs the polls' time until it is found. */
const BEAT_EVERY_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** A busy process publishes each invalidation at most this often: the others read the same rows anyway. */
const PUBLISH_GAP_MS = 100;

/**
 * A bus over the database's own LISTEN and NOTIFY, on a connection of its own. While that is lost invalidations are dropped; it
 * reconnects by itself, and every listener is called after it.
 */
export function createPostgresBus(url: string, log: Log): Bus {
  const me = randomUUID();
  const listeners = createListeners();
  let session: LastingSession | null = null;
  let connecting: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  let isClosed = false;

  const connect = async (): Promise<void> => {
    try {
      const opened = await openLastingSession(url, "wherry bus", lose, BEAT_EVERY_MS);
      opened.client.on("notification", ({ payload }) => receive(payload ?? ""));
      await opened.query(`listen ${CHANNEL}`);
      session = opened;
      pauseMs = FIRST_PAUSE_MS;
      if (!isClosed) listeners.callAll();
    } catch (error) {
      lose(error);
    }
  };

  /** The database's other connections report its outage. */
  const lose = (error: unknown): void => {
    log.debug({ err: error }, "other processes' changes are found by polling until the bus is connected again");
    session = null;
    if (isClosed || retry !== null) return;
    retry = setTimeout(() => {
      retry = null;
      connecting = connect();
    }, pauseMs);
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  };

  const receive = (payload: string): void => {
    const [sender, name] = payload.split(" ");
    const invalidation = INVALIDATIONS.find((known) => known === name);
    if (sender !== me && invalidation !== undefined) listeners.call(invalidation);
  };

  const send = async (invalidation: Invalidation): Promise<void> => {
    try {
      await session?.query("select pg_notify($1, $2)", [CHANNEL, `${me} ${invalidation}`]);
    } catch (error) {
      log.debug({ err: error, invalidation }, "an invalidation was lost: PostgreSQL does not answer");
    }
  };

  const outgoing = new Map(INVALIDATIONS.map((name) => [name, throttle(PUBLISH_GAP_MS, () => void send(name))]));
  connecting = connect();
  return {
    on: listeners.on,
    publish: (invalidation) => outgoing.get(invalidation)?.call(),
    close: async () => {
      isClosed = true;
      if (retry !== null) clearTimeout(retry);
      for (const one of outgoing.values()) one.stop();
      listeners.clear();
      await connecting;
      await session?.end();
    },
  };
}

/** Notifies every member from outside. */
export async function notifyOnce(url: string, invalidations: readonly Invalidation[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "wherry-admin" });
  await client.connect();
  try {
    for (const invalidation of invalidations)
      await client.query("select pg_notify($1, $2)", [CHANNEL, `- ${invalidation}`]);
  } finally {
    await client.end();
  }
}
