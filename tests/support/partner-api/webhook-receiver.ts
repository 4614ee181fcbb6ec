import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";

export type Received = { headers: IncomingHttpHeaders; text: string; id: string; orderId: string | null; at: number };
/** How a receiver behaves: the status that it answers, nothing at all, bytes that are no HTTP, a cut connection, another protocol, or interim answers without end. */
export type Behaviour = number | "hang" | "garbage" | "cut" | "redirect" | "upgrade" | "flood";

/** A partner's receiver of webhooks. What it answers 2xx is `taken`; all that came is `seen`. */
export class WebhookReceiver implements AsyncDisposable {
  readonly seen: Received[] = [];
  readonly taken: Received[] = [];
  behave: (received: Received) => Behaviour = () => 200;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        const { id, data } = JSON.parse(text) as { id: string; data: { orderId?: string } };
        const received = { headers: request.headers, text, id, orderId: data.orderId ?? null, at: performance.now() };
        this.seen.push(received);
        const behaviour = this.behave(received);
        if (typeof behaviour === "number") {
          if (behaviour < 300) this.taken.push(received);
          response.writeHead(behaviour).end("x".repeat(100));
        } else if (behaviour === "redirect") response.writeHead(307, { location: "/elsewhere" }).end();
        else if (behaviour === "garbage") request.socket.end("\u0000garbage\r\n\r\n");
        else if (behaviour === "upgrade")
          request.socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
        else if (behaviour === "flood") flood(request.socket);
        else if (behaviour === "cut") request.socket.destroy();
      });
    });
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  async listen(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }
}

function flood(socket: Socket): void {
  const interim = "HTTP/1.1 102 Processing\r\n\r\n".repeat(1_000);
  const pump = () => {
    while (!socket.destroyed && socket.write(interim));
  };
  socket.on("error", () => undefined).on("drain", pump);
  pump();
}
