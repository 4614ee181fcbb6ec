import { createHmac, randomUUID } from "node:crypto";
import * as z from "zod";
import { calls, type BodyInput } from "#contract/calls.ts";
import { sandboxCalls } from "#contract/calls/sandbox.ts";
import { CARD_SIGNATURE_HEADER } from "#contract/card.ts";
import { signedHeaders, type PartnerKey } from "../http/partner-program.ts";
import { browserKeys } from "../services/push-service.ts";
import { type Api, Refusal } from "../http/api.ts";
import { samplePhoto } from "../http/verification-form.ts";
import { codeCalls, newAddress } from "./ready-calls.ts";
import { textOf, type Fuzzed, type ReadyCalls } from "./requests.ts";

const PASSWORD = "a long enough phrase";
/** A sign-in proves who somebody is for ten minutes: a new one before. */
const PROOF_MS = 540_000;
/** What the sandbox's own card provider signs its news with. */
const CARD_SIGN_KEY = "sandbox-sign-key";
const PERSON = "/api/v1/users/";
/** Nobody listens there. */
const RECEIVER = "https://receiver.invalid/";
/** The sandbox takes it, and sends nothing there. */
const TRON_ADDRESS = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";
const deliveriesSchema = z.object({ items: z.array(z.object({ id: z.string() })) });
const TEST_ADDRESS = `T${"1".repeat(33)}`;
/** Stand in a request for what the person of the moment has. */
export const CARD_TOKEN = "@card-token";

export type Sent = { status: number; text: string };

/** An account of its own whose session the fuzzed calls carry. They may end it: then another one takes its place. */
export class Person {
  readonly url: string;
  /** Accounts so far. */
  count = 0;
  private readonly name: string;
  private readonly cookies = new Map<string, { value: string; path: string }>();
  private signedInAt = 0;
  private cardToken = "";

  constructor(url: string, name: string) {
    this.url = url;
    this.name = name;
  }

  /** Signs up as somebody new, unless the session is recent and lives. */
  async ensure(): Promise<void> {
    if (Date.now() - this.signedInAt < PROOF_MS && (await this.send("GET", `${PERSON}account-data`)).status === 200)
      return;
    this.cookies.clear();
    this.count += 1;
    const credentials = { email: `${this.name}-${this.count}@mail.example`, password: PASSWORD };
    await this.must("local/create", credentials);
    await this.must("local/authenticate", credentials);
    this.signedInAt = Date.now();
    const root = "/api/v1/liquidity-providers/mercuryo/user/";
    await this.send("POST", `${root}sign-up`, { accept: true });
    const { text } = await this.send("POST", `${root}sign-in`, {});
    this.cardToken = z.object({ bearerToken: z.string() }).parse(JSON.parse(text)).bearerToken;
  }

  /** A key of this person; the call that makes it must not be among the fuzzed ones of the same account. */
  async key(): Promise<PartnerKey> {
    return z
      .object({ apiId: z.string(), publicKey: z.string(), secretKey: z.string() })
      .parse(JSON.parse(await this.must("generate-api-key", { name: "Shop", whiteListIp: "" })));
  }

  /** What this person's calls name: a key, a receiver and what was sent to it, another session, a balance; and who they are. */
  async known(): Promise<Record<string, unknown[]>> {
    await this.ensure();
    const ids = async (path: string, name: string) => {
      const listed = z.array(z.looseObject({})).parse(JSON.parse((await this.send("GET", path)).text));
      return listed.map((one) => one[name]);
    };
    const apiIds = await ids(calls.listApiKeys.path, "apiId");
    if (apiIds.length === 0) apiIds.push((await this.key()).apiId);
    const webhookIds = await ids(calls.webhooks.path, "id");
    if (webhookIds.length === 0) {
      const { text } = await this.send("POST", calls.createWebhook.path, { url: RECEIVER });
      webhookIds.push(z.object({ id: z.string() }).parse(JSON.parse(text)).id);
    }
    const { userId } = z
      .object({ userId: z.int() })
      .parse(JSON.parse((await this.send("GET", `${PERSON}account-data`)).text));
    await this.send("POST", sandboxCalls.sandboxCredit.path, { userId, amount: "50" });
    const email = `${this.name}-${this.count}@mail.example`;
    const { endpoint, keys } = browserKeys(`${RECEIVER}push`);
    return {
      apiId: apiIds,
      webhookId: webhookIds,
      sessionId: await ids(calls.sessions.path, "sessionId"),
      email: [email, "somebody@mail.example"],
      password: [PASSWORD],
      name: ["Shop"],
      whiteListIp: ["", "192.0.2.1"],
      address: [TEST_ADDRESS],
      amount: ["10"],
      endpoint: [endpoint],
      keys: [keys],
    };
  }

  /** What is accepted of this person, by what `known` has found. */
  async ready(api: Api, known: Record<string, unknown[]>): Promise<ReadyCalls> {
    const [apiId] = known["apiId"] ?? [];
    const [webhookId] = known["webhookId"] ?? [];
    await this.send("POST", calls.testWebhook.path, { webhookId });
    const listed = await this.send("GET", `${calls.webhookDeliveries.path}?webhookId=${String(webhookId)}`);
    const deliveryId = deliveriesSchema.parse(JSON.parse(listed.text)).items[0]?.id;
    const photo = await samplePhoto();
    const mine = (body: unknown) => [{ by: "person" as const, body }];
    const identity = { firstName: "Ann", lastName: "Lee", issueCountry: "FR", birthDate: "1990-01-01" };
    const document = { identityType: "passport", identityNumber: "AB123456", expireDate: "2099-01-01" };
    return {
      updateApiKey: mine({ apiId, name: "Shop", whiteListIp: "", isActive: true }),
      deleteApiKey: mine({ apiId }),
      createWithdrawal: mine({ currencyTitle: "USDT", networkTitle: "TRX", address: TRON_ADDRESS, amount: "10" }),
      testWebhook: mine({ webhookId }),
      deleteWebhook: mine({ webhookId }),
      redeliverWebhook: mine({ webhookId, deliveryId }),
      webhookDeliveries: [{ by: "person", query: { webhookId } }],
      endSession: (known["sessionId"] ?? []).slice(0, 1).flatMap((sessionId) => mine({ sessionId })),
      submitVerification: mine({ ...identity, ...document, facePhoto: photo, frontPhoto: photo }),
      ...(await codeCalls({ send: (...call) => this.send(...call), api })),
    };
  }

  async fuzz(request: Fuzzed): Promise<Sent> {
    return sendWith(this.url, withToken(request, this.cardToken), this.headersFor(request.path), this.keep);
  }

  private async must(call: string, body: unknown): Promise<string> {
    const { status, text } = await this.send("POST", `${PERSON}${call}`, body);
    if (status >= 300) throw new Error(`${call} answered ${status}: ${text}`);
    return text;
  }

  private async send(method: string, path: string, body?: unknown): Promise<Sent> {
    const headers = { ...this.headersFor(path), ...(body !== undefined && { "content-type": "application/json" }) };
    const answer = await fetched(`${this.url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    this.keep(answer);
    return { status: answer.status, text: await answer.text() };
  }

  private headersFor(path: string): Record<string, string> {
    const sent = [...this.cookies].filter(([, cookie]) => path.startsWith(cookie.path));
    return {
      origin: this.url,
      // Limits of clients, such as that of mails, are for whoever is one.
      "x-forwarded-for": newAddress(),
      ...(sent.length > 0 && { cookie: sent.map(([key, { value }]) => `${key}=${value}`).join("; ") }),
    };
  }

  private readonly keep = (answer: Response): void => {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split(/;\s*/);
      const [key = "", value = ""] = pair.split(/=(.*)/s);
      const path = attributes.find((one) => /^path=/i.test(one))?.slice("path=".length) ?? "/";
      if (value === "" || attributes.some((one) => /^max-age=0$/i.test(one))) this.cookies.delete(key);
      else this.cookies.set(key, { value, path });
    }
  };
}

/** Signs each request, as a partner's program does; no two have one time stamp. */
export class Program {
  readonly url: string;
  private readonly key: PartnerKey;
  private last = 0;
  private waiting: string[] = [];
  private order: Record<string, unknown> = {};

  constructor(url: string, key: PartnerKey) {
    this.url = url;
    this.key = key;
  }

  /** An order of its own and a receiver of webhooks, which fuzzed calls may have deleted. */
  async ensure(application: BodyInput<"createOrder">): Promise<{ orderId: string; webhookId: string }> {
    const order = partnerBody(application);
    this.order = order;
    const { orderId } = z.object({ orderId: z.string() }).parse(await this.made("orders", order));
    const listed = z.array(z.object({ id: z.string() })).parse(await this.made("webhooks"));
    const [webhook = z.object({ id: z.string() }).parse(await this.made("webhooks", { url: RECEIVER }))] = listed;
    return { orderId, webhookId: webhook.id };
  }

  /** What is accepted; orders that wait for a choice are those of the round before. */
  async ready(webhookId: string, fixed: BodyInput<"createOrder">): Promise<ReadyCalls> {
    const [refunded, accepted] = this.waiting;
    const { order } = this;
    const wrong = { ...partnerBody(fixed), sandboxOutcome: "wrong-amount" };
    const idOf = async () => z.object({ orderId: z.string() }).parse(await this.made("orders", wrong)).orderId;
    this.waiting = [await idOf(), await idOf()];
    const { instrumentFromSlug, instrumentToSlug, claimedDepositAmount } = order;
    await this.made(`webhooks/${webhookId}/test`, {});
    const { items } = deliveriesSchema.parse(await this.made(`webhooks/${webhookId}/deliveries`));
    const params = { webhookId };
    return Object.fromEntries(
      Object.entries({
        partnerRate: [{ query: { instrumentFromSlug, instrumentToSlug, claimedDepositAmount, markupBps: "50" } }],
        partnerCreateOrder: [{ body: order }],
        partnerRefund: refunded === undefined ? [] : [{ params: { orderId: refunded }, body: {} }],
        partnerAccept: accepted === undefined ? [] : [{ params: { orderId: accepted }, body: {} }],
        partnerTestWebhook: [{ params }],
        partnerDeliveries: [{ params }],
        partnerRedeliver: items.slice(0, 1).map(({ id }) => ({ params: { ...params, deliveryId: id } })),
      }).map(([name, ready]) => [name, ready.map((one) => ({ by: "program" as const, ...one }))]),
    );
  }

  private async made(path: string, body?: object): Promise<unknown> {
    const plain = {
      name: path,
      by: "program",
      address: newAddress(),
      query: {},
      isForm: false,
      isPage: false,
    } as const;
    const method = body === undefined ? "GET" : "POST";
    const idempotencyKey = randomUUID();
    const sent = await this.fuzz({ ...plain, method, path: `/api/v2/partner/${path}`, body, idempotencyKey });
    // A round may go without: the program's orders that nobody pays are bounded, as anybody's are.
    if (sent.status >= 300) throw new Refusal(sent);
    return JSON.parse(sent.text);
  }

  async fuzz(request: Fuzzed): Promise<Sent> {
    this.last = Math.max(this.last + 1, Date.now());
    const { pathname, search } = urlOf(this.url, request);
    const { method, body } = request;
    const text = method === "GET" || body === undefined ? "" : JSON.stringify(body);
    const call = { method, path: `${pathname}${search}`, body: text, at: this.last };
    return sendWith(this.url, request, signedHeaders(this.key, call));
  }
}

const partnerBody = ({ instrumentFrom, instrumentTo, ...rest }: BodyInput<"createOrder">) => ({
  ...rest,
  instrumentFromSlug: instrumentFrom.slug,
  instrumentToSlug: instrumentTo.slug,
});

/** Nobody in particular; of the card provider's news every other one has its signature. */
export function fuzzAsGuest(url: string, request: Fuzzed): Promise<Sent> {
  const isSigned = request.name === "cardCallback" && request.idempotencyKey === null;
  const text = JSON.stringify(request.body) ?? "";
  return sendWith(url, request, {
    ...(isSigned && { [CARD_SIGNATURE_HEADER]: createHmac("sha256", CARD_SIGN_KEY).update(text).digest("hex") }),
  });
}

function urlOf(root: string, { path, query }: Fuzzed): URL {
  const url = new URL(path, root);
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, textOf(value));
  return url;
}

async function sendWith(
  root: string,
  request: Fuzzed,
  headers: Record<string, string>,
  keep: (answer: Response) => void = () => undefined,
): Promise<Sent> {
  const { method, body, isForm, address, idempotencyKey } = request;
  const sent = body === undefined || method === "GET" ? undefined : isForm ? formOf(body) : JSON.stringify(body);
  const answer = await fetched(urlOf(root, request), {
    method,
    redirect: "manual",
    headers: {
      "x-forwarded-for": address,
      ...(sent !== undefined && !isForm && { "content-type": "application/json" }),
      ...(idempotencyKey !== null && { "idempotency-key": idempotencyKey }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  });
  keep(answer);
  return { status: answer.status, text: await answer.text() };
}

/**
 * The server may close an idle connection at the moment of its next request, which browsers then send again. One that refuses a request
 * by its headers does not read the body: on a busy machine its answer is seen only if nothing more is written.
 */
async function fetched(url: URL | string, init: RequestInit): Promise<Response> {
  const { body: _, ...bodiless } = init;
  for (const sent of [init, init]) {
    try {
      return await fetch(url, sent);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return fetch(url, bodiless);
}

function formOf(body: unknown): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(typeof body === "object" && body !== null ? body : { body }))
    if (value instanceof Uint8Array) form.append(key, new Blob([Uint8Array.from(value)]), "file");
    else form.append(key, textOf(value));
  return form;
}

const withToken = ({ query, ...rest }: Fuzzed, token: string): Fuzzed => ({
  ...rest,
  query: Object.fromEntries(Object.entries(query).map(([key, one]) => [key, one === CARD_TOKEN ? token : one])),
});
