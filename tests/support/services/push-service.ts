import { DAY_SECONDS } from "#contract/durations.ts";
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import * as z from "zod";

/** What a browser's push manager gives, and the private side that only the browser has. */
export type Browser = {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  pair: ECDH;
};

/** Keys as a browser makes them for one subscription (RFC 8291 §2). */
export function browserKeys(endpoint: string): Browser {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const keys = { p256dh: pair.getPublicKey("base64url"), auth: randomBytes(16).toString("base64url") };
  return { endpoint, keys, pair };
}

type Answer = number | { status: number; retryAfter: string } | { location: string } | "hang" | "drop";
type Message = { text: string; ttl: number; urgency: string; topic: string; subject: string };

const headersSchema = z.object({
  authorization: z.string(),
  ttl: z.coerce.number().int().nonnegative(),
  urgency: z.enum(["very-low", "low", "normal", "high"]).default("normal"),
  topic: z
    .string()
    .regex(/^[\w-]{1,32}$/)
    .default(""),
  "content-encoding": z.literal("aes128gcm"),
});
const claimsSchema = z.object({ aud: z.string(), exp: z.number(), sub: z.string() });

/** A push service (RFC 8030, 8291, 8292) over HTTP with its browsers: it verifies signatures, decrypts messages, and fails on demand. */
export class PushService implements AsyncDisposable {
  url = "";
  /** The messages of each browser, by its endpoint. */
  readonly delivered = new Map<string, Message[]>();
  /** Requests, also those that were refused. */
  asked = 0;
  /** Used up one by one; later requests succeed. */
  answers: Answer[] = [];
  private readonly browsers = new Map<string, { browser: Browser; applicationServerKey: string }>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      this.take(request, response).catch(() => response.destroy());
    });
  }

  static async start(port = 0): Promise<PushService> {
    const service = new PushService();
    await new Promise<void>((resolve) => service.server.listen(port, "127.0.0.1", resolve));
    service.url = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`;
    return service;
  }

  /** A browser subscribes; messages must be signed with this key. */
  subscribe(applicationServerKey: string): Browser {
    const browser = browserKeys(`${this.url}/push/${randomBytes(12).toString("base64url")}`);
    this.browsers.set(browser.endpoint, { browser, applicationServerKey });
    return browser;
  }

  /** A browser drops its subscription without unsubscribing at the server. */
  forget({ endpoint }: Browser): void {
    this.browsers.delete(endpoint);
  }

  received({ endpoint }: Browser): Message[] {
    return this.delivered.get(endpoint) ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    this.asked += 1;
    const planned = this.answers.shift();
    if (planned === "hang") return;
    if (planned === "drop") return void response.destroy();
    if (typeof planned === "number") return void response.writeHead(planned).end();
    if (planned && "location" in planned) return void response.writeHead(307, planned).end();
    if (planned) return void response.writeHead(planned.status, { "retry-after": planned.retryAfter }).end();
    response.writeHead(this.judge(`${this.url}${request.url}`, request, body)).end();
  }

  private judge(endpoint: string, { method, headers: given }: IncomingMessage, body: Buffer): number {
    const known = this.browsers.get(endpoint);
    if (known === undefined) return 410;
    const headers = headersSchema.safeParse(given).data;
    if (method !== "POST" || headers === undefined) return 400;
    const subject = signedBy(headers.authorization, { audience: this.url, key: known.applicationServerKey });
    if (subject === null) return 403;
    const text = open(body, known.browser);
    const { ttl, urgency, topic } = headers;
    this.delivered.set(endpoint, [...(this.delivered.get(endpoint) ?? []), { text, ttl, urgency, topic, subject }]);
    return 201;
  }
}

/** The subject of a good signature, else null (RFC 8292 §2, §3). */
function signedBy(authorization: string, { audience, key }: { audience: string; key: string }): string | null {
  const [, token, by] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  if (token === undefined || by !== key) return null;
  const [head = "", body = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" }, format: "jwk" });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const { aud, exp, sub } = claimsSchema.parse(JSON.parse(Buffer.from(body, "base64url").toString()));
  const leftSeconds = exp - Date.now() / 1_000;
  const isGood = isSigned && aud === audience && leftSeconds > 0 && leftSeconds <= DAY_SECONDS;
  return isGood ? sub : null;
}

/** Opens a message as the browser does that it was written for (RFC 8291 §3.4, RFC 8188 §2). Throws for any other. */
export function open(body: Buffer, { keys, pair }: Pick<Browser, "keys" | "pair">): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + (body[20] ?? 0));
  const sealed = body.subarray(21 + sender.length);
  const derive = (secret: Buffer, by: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, by, info, length));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), sender]);
  const secret = derive(pair.computeSecret(sender), Buffer.from(keys.auth, "base64url"), info, 32);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12);
  const cipher = createDecipheriv("aes-128-gcm", key, nonce);
  cipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}
