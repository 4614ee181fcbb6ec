import type { Duplex } from "node:stream";
import type pg from "pg";

/**
 * Cuts a connection whose server process says nothing within the query's time-out. Without this it goes back to the pool with that query
 * still waiting, and hangs whoever gets it next; a process that is stopped answers nothing more, and its socket stays open.
 */
export function cutWhenHung(client: pg.PoolClient): void {
  // Looked up at each call: who counts statements replaces the method of the class.
  const methods = Object.getPrototypeOf(client) as { query: (...given: unknown[]) => unknown };
  Object.assign(client, {
    query: (...given: unknown[]): unknown => {
      const result = Reflect.apply(methods.query, client, given);
      if (!(result instanceof Promise)) return result;
      return result.catch(async (error: unknown) => {
        if (error instanceof Error && error.message === "Query read timeout") await cut(client.connection.stream);
        throw error;
      });
    },
  });
}

/** Once it is closed the pool no longer takes the connection back. */
async function cut(stream: Duplex): Promise<void> {
  if (stream.closed) return;
  const closed = new Promise((resolve) => stream.once("close", resolve));
  stream.destroy();
  await closed;
}
