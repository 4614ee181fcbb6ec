import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import * as z from "zod";

/** Starts the bare server in a process of its own, as the real one has; gives its origin. */
export async function startBareServer(resources: AsyncDisposableStack): Promise<string> {
  const child = fork(fileURLToPath(new URL("./bare-server.ts", import.meta.url)));
  const ended = once(child, "exit");
  resources.defer(async () => {
    child.kill();
    await ended;
  });
  const [address]: unknown[] = await once(child, "message");
  const { port } = z.object({ port: z.int() }).parse(address);
  return `http://127.0.0.1:${port}`;
}
