import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { formatAmount, parseAmount } from "#contract/money.ts";

/** A fault of one request: it never reaches the partner, or only its answer is lost. */
export type Fault = "stall" | "500" | "429" | "lost-reply" | "garbage" | "401" | "403";

/** An exchange as stored by the partner; tests change its status. Amounts are decimals. */
export type HeldExchange = {
  id: string;
  clientId: string | null;
  deposit: { address: string; memo: string | null };
  destination: { address: string; memo: string | null };
  refund: { address: string; memo: string | null };
  amount: string;
  status: string;
  payoutHash: string | null;
  delivered: string | null;
  createdAt: string;
};

export type Asked = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: unknown;
};
export type Reply = { status: number; body: unknown };

const DECIMALS = 18;

/** A local partner that implements its public documents, stores exchanges, and fails on demand. */
export abstract class PartnerServer {
  readonly exchanges: HeldExchange[] = [];
  readonly asked: Asked[] = [];
  /** Each is used up by the first request whose path it matches. */
  readonly faults: { path: RegExp; fault: Fault }[] = [];
  /** What it delivers: `amount × rate − fee`. */
  rate = "2990";
  fee = "1";
  min = "0.01";
  max = "100";
  /** Deposit addresses are made of this and a number. */
  addressPrefix = "partner";
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response));
  readonly #stalled = new Set<ServerResponse>();

  abstract reply(asked: Asked): Reply;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    return this;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the partner is not started");
    return `http://127.0.0.1:${address.port}/v2`;
  }

  async stop(): Promise<void> {
    for (const response of this.#stalled) response.destroy();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  /** What arrives for an amount. */
  deliver(amount: string): string {
    const [sent, rate, fee] = [amount, this.rate, this.fee].map((text) => parseAmount(text, DECIMALS) ?? 0n);
    const whole = ((sent ?? 0n) * (rate ?? 0n)) / 10n ** BigInt(DECIMALS) - (fee ?? 0n);
    return formatAmount(whole > 0n ? whole - (whole % 10n ** 12n) : 0n, DECIMALS);
  }

  isWithin(amount: string): boolean {
    const [given, min, max] = [amount, this.min, this.max].map((text) => parseAmount(text, DECIMALS) ?? 0n);
    return (given ?? 0n) >= (min ?? 0n) && (given ?? 0n) <= (max ?? 0n);
  }

  hold(exchange: Omit<HeldExchange, "id" | "deposit" | "payoutHash" | "delivered" | "createdAt">): HeldExchange {
    const n = this.exchanges.length + 1;
    const held: HeldExchange = {
      ...exchange,
      id: `exchange${n}`,
      deposit: { address: `${this.addressPrefix}-${n}`, memo: null },
      payoutHash: null,
      delivered: null,
      createdAt: new Date().toISOString(),
    };
    this.exchanges.push(held);
    return held;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const url = new URL(request.url ?? "/", "http://partner");
    const text = Buffer.concat(chunks).toString();
    const asked: Asked = {
      method: request.method ?? "",
      path: url.pathname.replace("/v2/", ""),
      query: url.searchParams,
      headers: request.headers,
      body: text === "" ? null : JSON.parse(text),
    };
    this.asked.push(asked);
    const fault = this.#takeFault(`${asked.method} ${asked.path}`);
    if (fault === "stall") return void this.#stalled.add(response);
    if (fault === "500") return send(response, 500, `{"error":"internal"}`);
    if (fault === "429") return send(response, 429, `{"error":{"message":"Rate limit exceeded"}}`);
    if (fault === "401" || fault === "403") return send(response, Number(fault), `{"error":{"message":"Denied"}}`);
    const { status, body } = this.reply(asked);
    if (fault === "lost-reply") return void response.destroy();
    if (fault === "garbage") return send(response, status, "<html>Bad gateway</html>");
    send(response, status, writeJson(body));
  }

  #takeFault(path: string): Fault | null {
    const at = this.faults.findIndex((one) => one.path.test(path));
    return at === -1 ? null : (this.faults.splice(at, 1)[0]?.fault ?? null);
  }
}

/** A decimal that the partner writes as a JSON number. */
export const asNumber = (decimal: string | null): string | null => decimal && `#number ${decimal}#`;

const writeJson = (body: unknown): string => JSON.stringify(body).replace(/"#number ([^#"]+)#"/g, "$1");

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}
