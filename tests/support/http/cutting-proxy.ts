import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * What commits: the whole statement, because the one that begins a "read committed" transaction contains the word as well; and the one
 * statement that opens an order, which is a transaction by itself.
 */
const COMMITS = ["commit\0", "insert_order\0"];

/**
 * A proxy to PostgreSQL that can be cut at a COMMIT: with the COMMIT delivered and done before its answer is lost, or not delivered at
 * all. Everything else passes.
 */
export class CuttingProxy implements AsyncDisposable {
  readonly url: string;
  /** How the next COMMIT ends; null lets it pass. */
  next: "done" | "lost" | null = null;
  /** How many were cut. */
  cuts = 0;
  readonly #close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.#close = close;
  }

  static async to(databaseUrl: string): Promise<CuttingProxy> {
    const { hostname, port } = new URL(databaseUrl);
    const sockets: Socket[] = [];
    const proxy: { made: CuttingProxy | null } = { made: null };
    const listener = createServer((client) => {
      const server = connect(Number(port), hostname);
      sockets.push(client, server);
      let cut: "done" | "lost" | null = null;
      client.on("data", (data) => {
        if (cut === null && proxy.made?.next && COMMITS.some((statement) => data.includes(statement))) {
          cut = proxy.made.next;
          proxy.made.next = null;
          proxy.made.cuts += 1;
        }
        if (cut === "lost") client.destroy();
        else server.write(data);
      });
      server.on("data", (data) => {
        if (cut === null) client.write(data);
        else client.destroy();
      });
      for (const socket of [client, server]) socket.on("error", () => socket.destroy());
      client.on("close", () => server.end());
    }).listen(0, "127.0.0.1");
    await once(listener, "listening");
    const url = new URL(databaseUrl);
    url.port = String((listener.address() as AddressInfo).port);
    proxy.made = new CuttingProxy(url.href, async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, "close");
    });
    return proxy.made;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}
