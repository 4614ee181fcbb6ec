import { createHmac, hash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { calls } from "#contract/calls.ts";
import { AccountBrowser } from "./account-browser.ts";
import type { TestApp } from "./http-app.ts";

export type PartnerKey = { apiId: string; publicKey: string; secretKey: string };
export type PartnerReply = { http: number; body: Record<string, unknown>; headers: Record<string, unknown> };
type Sending = {
  body?: object;
  version?: 1 | 2;
  at?: number;
  address?: string;
  headers?: Record<string, string>;
  idempotencyKey?: string;
};

/** A key of a signed-in account. */
export async function generatedKey(browser: AccountBrowser, whiteListIp = ""): Promise<PartnerKey> {
  const { http, body } = await browser.send("generateApiKey", { name: "Shop", whiteListIp });
  if (http !== 201) throw new Error(`${calls.generateApiKey.path} answered ${http}: ${JSON.stringify(body)}`);
  return body as PartnerKey;
}

/** The headers of a signed call, written from contract §13. */
export function signedHeaders(
  { publicKey, secretKey }: Pick<PartnerKey, "publicKey" | "secretKey">,
  call: { method: string; path: string; body?: string; version?: 1 | 2; at?: number },
): Record<string, string> {
  const { method, path, body = "", version = 2, at = Date.now() } = call;
  const text =
    version === 1 ? `${at}${body}${publicKey}` : `${at}\n${method}\n${path}\n${hash("sha256", body)}\n${publicKey}`;
  return {
    "x-api-public-key": publicKey,
    "x-api-timestamp": `${at}`,
    "x-api-signature": createHmac("sha256", secretKey).update(text).digest("base64"),
    ...(version === 2 && { "x-api-signature-version": "2" }),
  };
}

/** A partner's own program: each of its calls is signed. */
export class PartnerProgram {
  readonly app: FastifyInstance;
  readonly key: PartnerKey;
  /** No two calls have one time stamp, as the server takes each signature once. */
  private last = 0;

  constructor(app: FastifyInstance, key: PartnerKey) {
    this.app = app;
    this.key = key;
  }

  async send(method: "GET" | "POST" | "DELETE", path: string, sending: Sending = {}): Promise<PartnerReply> {
    const { version = 2, at = this.now(), address = "192.0.2.1", headers = {}, idempotencyKey } = sending;
    const body = sending.body === undefined ? "" : JSON.stringify(sending.body);
    const answer = await this.app.inject({
      method,
      url: path,
      remoteAddress: address,
      headers: {
        ...signedHeaders(this.key, { method, path, body, version, at }),
        ...(body !== "" && { "content-type": "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
        ...headers,
      },
      ...(body !== "" && { payload: body }),
    });
    return { http: answer.statusCode, body: answer.json(), headers: answer.headers };
  }

  private now(): number {
    this.last = Math.max(this.last + 1, Date.now());
    return this.last;
  }
}

/** A program of a new account. */
export async function partnerProgram(app: TestApp, email = "ann@mail.example"): Promise<PartnerProgram> {
  const browser = new AccountBrowser(app);
  const credentials = { email, password: "a long enough phrase" };
  await browser.send("createLocal", credentials);
  await browser.send("authenticateLocal", credentials);
  return new PartnerProgram(app, await generatedKey(browser));
}
