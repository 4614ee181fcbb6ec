import { connect, type Socket } from "node:net";
import { once } from "node:events";
import type { FastifyInstance } from "fastify";

/** Listens on a free port of this machine and gives it. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

/** A connection for requests that no HTTP client would send. */
export class RawConnection {
  private readonly socket: Socket;
  received = "";
  readonly ended: Promise<unknown>;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("latin1");
    socket.on("data", (text) => {
      this.received += String(text);
    });
    // The server may well cut the connection: then the end is what the test waits for.
    socket.on("error", () => socket.destroy());
    this.ended = once(socket, "close");
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ port, host: "127.0.0.1" });
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  write(text: string): void {
    this.socket.write(text, "latin1");
  }

  /** Stops reading, as a phone without signal does. */
  stall(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Cuts the connection off, as a crash does. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  close(): void {
    this.socket.destroy();
  }
}
