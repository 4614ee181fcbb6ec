import { createServer } from "node:net";

const LOWEST_PORT = 20_000;
/** Above it, connections of other programs get their ports: one could take ours before its server starts, or between two runs of it. */
const HIGHEST_PORT = 32_000;

/** A TCP port of this machine that nothing listens on now, and that no connection is given. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
