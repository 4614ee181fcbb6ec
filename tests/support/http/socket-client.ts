/** A WebSocket client whose messages and end a test can wait for. */
export class SocketClient {
  readonly messages: unknown[] = [];
  readonly opened = Promise.withResolvers<void>();
  readonly closed = Promise.withResolvers<{ code: number; reason: string }>();
  private readonly socket: WebSocket;
  private wake = Promise.withResolvers<void>();

  constructor(port: number, headers: Record<string, string> = {}) {
    // Node's WebSocket takes headers, which the browser's types don't know.
    this.socket = Reflect.construct(WebSocket, [`ws://127.0.0.1:${port}/api/v2/ws`, { headers }]) as WebSocket;
    this.socket.addEventListener("open", () => this.opened.resolve());
    this.socket.addEventListener("message", ({ data }) => {
      this.messages.push(JSON.parse(String(data)));
      this.wake.resolve();
      this.wake = Promise.withResolvers<void>();
    });
    this.socket.addEventListener("close", ({ code, reason }) => {
      this.closed.resolve({ code, reason });
      this.opened.reject(new Error(`closed with ${code} before it opened`));
    });
    // A handshake that is refused ends in "close" too.
    this.socket.addEventListener("error", () => this.wake.resolve());
    this.opened.promise.catch((error: unknown) => this.failures.push(error));
  }

  /** Why the handshake failed, if it did. */
  readonly failures: unknown[] = [];

  static async open(port: number, headers: Record<string, string> = {}): Promise<SocketClient> {
    const client = new SocketClient(port, headers);
    await client.opened.promise;
    return client;
  }

  send(message: string | Uint8Array<ArrayBuffer>): void {
    this.socket.send(message);
  }

  ask(params: unknown, event = "pairs.rates"): void {
    this.send(JSON.stringify({ event, params }));
  }

  /** The message of that number, counted from 0, once it is there. */
  async message(at: number): Promise<unknown> {
    while (this.messages.length <= at) await this.wake.promise;
    return this.messages[at];
  }

  close(): void {
    this.socket.close();
  }
}
