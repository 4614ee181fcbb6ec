import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import * as z from "zod";

type Asked = { method: string; body: Record<string, unknown> };
/** How Telegram answers; `hang` never does, `drop` closes the connection. */
type Answer = { result: unknown } | { error: number; retryAfter?: number } | "hang" | "drop";

type Person = { id: number; language_code?: string };
type Update = { update_id: number; message: object };
const webhookSchema = z.object({ url: z.string(), secret_token: z.string() });
/** What a webhook may answer with: a call that Telegram makes for the bot. */
const replySchema = z.looseObject({ method: z.optional(z.string()) });
const SECRET_HEADER = "x-telegram-bot-api-secret-token";

const CALL = /^\/bot([^/]+)\/(\w+)$/;

/** A server with Telegram's Bot API over HTTP, as documented at core.telegram.org/bots/api, with faults on request. */
export class BotApi implements AsyncDisposable {
  readonly token = "7:token-of-the-tests";
  /** Stays the same when the server has stopped. */
  url = "";
  readonly asked: Asked[] = [];
  /** Used up one by one by the calls of a method; later calls succeed. */
  readonly answers = new Map<string, Answer[]>();
  webhook: z.output<typeof webhookSchema> | null = null;
  private readonly updates: Update[] = [];
  private waiting: (() => void)[] = [];
  private lastUpdate = 0;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<BotApi> {
    const api = new BotApi();
    await new Promise<void>((resolve) => api.server.listen(0, "127.0.0.1", resolve));
    const { port } = api.server.address() as AddressInfo;
    api.url = `http://127.0.0.1:${port}`;
    return api;
  }

  calls(method: string): Record<string, unknown>[] {
    return this.asked.filter((call) => call.method === method).map(({ body }) => body);
  }

  will(method: string, ...answers: Answer[]): void {
    this.answers.set(method, answers);
  }

  /** A person writes to the bot. */
  write(words: string, from: Person): Update {
    return this.message(from, {
      text: words,
      ...(words.startsWith("/") && {
        entities: [{ type: "bot_command", offset: 0, length: words.split(" ", 1)[0]?.length ?? 0 }],
      }),
    });
  }

  /** A person lets the bot write to them, when the mini-app asks. */
  allowMessages(from: Person): Update {
    return this.message(from, { write_access_allowed: { from_request: true } });
  }

  private message(from: Person, content: object): Update {
    const message = {
      message_id: ++this.lastUpdate,
      date: Math.floor(Date.now() / 1000),
      chat: { id: from.id, type: "private", first_name: "Ann" },
      from: { is_bot: false, first_name: "Ann", ...from },
      ...content,
    };
    const update = { update_id: this.lastUpdate, message };
    this.updates.push(update);
    for (const wake of this.waiting.splice(0)) wake();
    return update;
  }

  /** Sends an update to a webhook and makes the call that it answers with; returns the HTTP status. */
  async send(update: Update, { url = "", secret = "" } = {}): Promise<number> {
    const response = await fetch(url || (this.webhook?.url ?? ""), {
      method: "POST",
      headers: { "content-type": "application/json", [SECRET_HEADER]: secret || (this.webhook?.secret_token ?? "") },
      body: JSON.stringify(update),
    });
    const answer = await response.text();
    if (!response.ok) return response.status;
    const { method, ...body } = replySchema.parse(JSON.parse(answer));
    if (method !== undefined) this.asked.push({ method, body });
    return response.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token, method = ""] = CALL.exec(request.url ?? "") ?? [];
    const body = z.record(z.string(), z.unknown()).parse(JSON.parse((await text(request)) || "{}"));
    this.asked.push({ method, body });
    const planned = this.answers.get(method)?.shift();
    if (planned === "hang") return;
    if (planned === "drop") return void response.destroy();
    if (token !== this.token) return refuse(response, 401);
    if (planned && "error" in planned) return refuse(response, planned.error, planned.retryAfter);
    reply(response, 200, { ok: true, result: planned ? planned.result : await this.resultOf(method, body) });
  }

  private async resultOf(method: string, body: Record<string, unknown>): Promise<unknown> {
    switch (method) {
      case "getMe":
        return { id: 7, is_bot: true, first_name: "Wherry", username: "wherry_bot" };
      case "setWebhook":
        this.webhook = webhookSchema.parse(body);
        return true;
      case "deleteWebhook":
        this.webhook = null;
        return true;
      case "getUpdates": {
        const offset = z.number().catch(0).parse(body["offset"]);
        const fresh = () => this.updates.filter(({ update_id }) => update_id >= offset);
        const isLong = z.number().catch(0).parse(body["timeout"]) > 0;
        if (fresh().length === 0 && isLong) await new Promise<void>((resolve) => this.waiting.push(resolve));
        return fresh();
      }
      case "sendMessage":
        return { message_id: this.asked.length, date: 0, chat: { id: body["chat_id"], type: "private" } };
      default:
        return true;
    }
  }
}

const refuse = (response: ServerResponse, code: number, retryAfter?: number): void =>
  reply(response, code, {
    ok: false,
    error_code: code,
    description: `refused with ${code}`,
    ...(retryAfter !== undefined && { parameters: { retry_after: retryAfter } }),
  });

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
