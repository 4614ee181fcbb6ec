import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calls, partnerCalls } from "#contract/calls.ts";
import { CARD_SIGNATURE_HEADER } from "#contract/card.ts";
import { parseAmount } from "#contract/money.ts";
import type { CoinOrder } from "#contract/order.ts";
import { SANDBOX_OUTCOMES } from "#contract/partner-api.ts";
import { Api, readFailure } from "../support/http/api.ts";
import { signedHeaders } from "../support/http/partner-program.ts";
import { apiKeyOf, signedInHeaders } from "../support/http/signed-in.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { DevnetRpc } from "../support/chains/devnet-rpc.ts";
import { eventually } from "../support/eventually.ts";
import {
  applicationFor,
  finish,
  HALF_ETH,
  orderAfter,
  randomAddress,
  rateOf,
  readOrder,
} from "../support/scenarios/http-swap.ts";
import { ServerProcess } from "../support/processes/server-process.ts";

const FIXED_HOLD_SECONDS = 1200;
/** Blocks come every second: two of them would be mined in this time. */
const SEVERAL_BLOCKS_MS = 2_500;

let database: TestDatabase;
let server: ServerProcess;
let api: Api;
let devnet: DevnetRpc;

beforeAll(async () => {
  database = await freshDatabase({ max: 2 });
  server = await ServerProcess.start({ DATABASE_URL: database.url });
  api = new Api(server.url);
  devnet = new DevnetRpc(server.rpcUrl);
});
afterAll(async () => {
  await server.end();
  await database.drop();
});

const setPrice = (slug: string, price: string) => api.call("sandboxMarket", { body: { slug, price } });
const advance = (advanceSeconds: number) => api.call("sandboxClock", { body: { advanceSeconds } });
const command = (body: { mine: number } | { paused: boolean } | { reorg: number }) =>
  api.call("sandboxNetwork", { params: { networkTitle: "ETH" }, body });
const open = async (asked?: Parameters<typeof rateOf>[1]): Promise<CoinOrder> =>
  api.call("createOrder", await applicationFor(api, asked));

describe("the sandbox", () => {
  it("pays what it is asked to pay, and without an amount what the order asks for", async () => {
    const order = await open();
    const first = await api.call("sandboxPay", { body: { orderId: order.orderId, amount: "0.2" } });
    expect(first).toMatchObject({ orderId: order.orderId, amount: "0.2", instrument: "eth" });
    const second = await api.call("sandboxPay", { body: { orderId: order.orderId } });
    expect(second.amount).toBe("0.5");
    const done = await finish(api, devnet, order);
    expect(new Map(done.deposits.map(({ txId, amount }) => [txId, amount]))).toEqual(
      new Map([
        [first.txId, "0.2"],
        [second.txId, "0.5"],
      ]),
    );
    expect(await api.send({ path: "/sandbox/pay", json: { orderId: "A".repeat(32) } })).toMatchObject({ status: 404 });
  });

  it("sets a market price, and what is quoted next is of that price", async () => {
    const price = async () => (await rateOf(api)).marketLeftPrice;
    for (const wanted of ["2500", "9000.5", "3100"]) {
      expect(await setPrice("eth", wanted)).toEqual({ slug: "eth", price: wanted });
      expect(await price()).toBe(wanted);
    }
  });

  it("mines, and stops blocks while the node goes on answering", async () => {
    const before = await devnet.height();
    expect((await command({ mine: 5 })).height).toBeGreaterThanOrEqual(before + 5);
    await command({ paused: true });
    const stopped = await devnet.height();
    await new Promise((resolve) => setTimeout(resolve, SEVERAL_BLOCKS_MS));
    expect(await devnet.height()).toBe(stopped);
    expect(await api.call("health", {})).toEqual({ status: "OK" });
    await command({ paused: false });
    await eventually("blocks come again", async () => (await devnet.height()) > stopped || null);
  });

  it("removes a deposit by a reorganisation, and the order pays the one that comes after it, once", async () => {
    await setPrice("eth", "3000");
    await setPrice("usdt-erc20", "1");
    const order = await open();
    await command({ paused: true });
    const lost = await devnet.pay(order.depositAddress, HALF_ETH);
    await command({ mine: 2 });
    await orderAfter(api, order, "INCOMING_FUNDS_DETECTED");
    await command({ reorg: 2 });
    const bare = await eventually("the deposit is gone", async () => {
      const now = await readOrder(api, order);
      return now.deposits.length === 0 ? now : null;
    });
    expect(bare.orderEvents.map(({ kind }) => kind)).toContain("DEPOSIT_REGISTERED");
    expect(bare.withdrawals).toEqual([]);
    expect(await devnet.confirmations(lost)).toBe(0);

    const found = await devnet.pay(order.depositAddress, HALF_ETH + HALF_ETH / 5n);
    await command({ paused: false });
    const done = await finish(api, devnet, order);
    expect(done.deposits.map(({ txId, amount }) => [txId, amount])).toEqual([[found, "0.6"]]);
    const { amountToGet } = await rateOf(api, { amount: "0.6" });
    expect(Math.abs(Number(done.amountToGet) - Number(amountToGet))).toBeLessThan(1);
    const contract = done.pair.instrumentTo.contractAddress ?? "";
    const amount = parseAmount(done.amountToGet, 6);
    expect(await devnet.tokenTransfers(contract, done.destinationAddress)).toEqual([
      { amount, txId: done.withdrawals[0]?.txId },
    ]);
  });

  it("moves the clock: a fixed order whose time is over floats, and the chain's time stays", async () => {
    const order = await open({ rateMode: "FIXED" });
    const { expiresAt, createdAt } = order;
    expect(Date.parse(expiresAt ?? "") - Date.parse(createdAt)).toBe(FIXED_HOLD_SECONDS * 1000);
    const { now, offsetSeconds } = await advance(FIXED_HOLD_SECONDS + 1);
    expect(Date.parse(now)).toBeGreaterThan(Date.parse(expiresAt ?? ""));
    expect(offsetSeconds).toBe(FIXED_HOLD_SECONDS + 1);
    expect(Date.parse((await rateOf(api)).updatedAt)).toBeGreaterThan(Date.parse(expiresAt ?? ""));

    await api.call("sandboxPay", { body: { orderId: order.orderId } });
    const late = await orderAfter(api, order, "RATE_MODE_CHANGED");
    expect(late.orderEvents.map(({ kind }) => kind)).toContain("FIXED_RATE_SLOW_DEPOSIT_DETECTED");
    expect(late.offer).toMatchObject({ amountToGet: expect.stringMatching(/^\d/) });
    expect(late.withdrawals).toEqual([]);
  });

  it("refuses what it does not know", async () => {
    for (const [path, json, status] of [
      ["market", { slug: "nope", price: "1" }, "ERR_VALIDATION"],
      ["market", { slug: "eth", price: "-1" }, "ERR_VALIDATION"],
      ["clock", { advanceSeconds: -1 }, "ERR_VALIDATION"],
      ["networks/NOPE", { mine: 1 }, "ERR_NOT_FOUND"],
      ["networks/ETH", { mine: 0 }, "ERR_VALIDATION"],
      ["networks/ETH", { mine: 1, reorg: 1 }, "ERR_VALIDATION"],
    ] as const)
      expect(readFailure(await api.send({ path: `/sandbox/${path}`, json })).status).toBe(status);
  });
});

const KYC_KEY = "07".repeat(32);

describe("SANDBOX=off", () => {
  it("lets a partner's program request no outcome, and the sandbox's card provider nothing", async () => {
    await using bare = await freshDatabase({ max: 1 });
    const origin = "https://wherry.example";
    const env = { DATABASE_URL: bare.url, SANDBOX: "off", KYC_KEY, API_KEYS_KEY: KYC_KEY, PUBLIC_URL: origin };
    await using production = await ServerProcess.start(env);
    const client = new Api(production.url);
    const session = { ...(await signedInHeaders(client, "shop@mail.example")), origin };
    const key = await apiKeyOf(client, session);
    const path = partnerCalls.partnerCreateOrder.path;
    for (const sandboxOutcome of SANDBOX_OUTCOMES) {
      const text = JSON.stringify({
        rateMode: "FLOATING",
        instrumentFromSlug: "eth",
        instrumentToSlug: "usdt-erc20",
        destinationAddress: randomAddress(),
        claimedDepositAmount: "0.5",
        claimedPublicRate: { price: "2983", updatedAt: new Date().toISOString(), claimedAmountToReceive: "1491.5" },
        sandboxOutcome,
      });
      const headers = {
        ...signedHeaders(key, { method: "POST", path, body: text }),
        "idempotency-key": sandboxOutcome,
      };
      const reply = await client.send({ path, text, headers });
      expect([sandboxOutcome, reply.status, readFailure(reply)]).toEqual([
        sandboxOutcome,
        400,
        expect.objectContaining({ data: { sandboxOutcome: expect.stringContaining("sandbox") } }),
      ]);
    }
    const news = JSON.stringify({ payload: { data: { status: "paid", merchant_transaction_id: "a", type: "buy" } } });
    const signature = createHmac("sha256", "sandbox-sign-key").update(news).digest("hex");
    const forged = await client.send({
      path: calls.cardCallback.path,
      text: news,
      headers: { [CARD_SIGNATURE_HEADER]: signature },
    });
    // There is no provider whose news could be taken.
    expect([forged.status, readFailure(forged).status]).toEqual([503, "ERR_SERVICE_UNAVAILABLE"]);
    for (const played of ["card", "credit", "mercuryo/v1.6/widget/buy"]) {
      const reply = await client.send({ path: `/sandbox/${played}`, json: {} });
      expect([played, reply.status]).toEqual([played, 404]);
    }
    const { rows } = await bare.pool.query(
      "select (select count(*) from orders) + (select count(*) from rehearsals) as kept",
    );
    expect(rows).toEqual([{ kept: 0n }]);
  });

  it("leaves nothing of the sandbox: every call of it is 404, and no local chain is started", async () => {
    await using bare = await freshDatabase({ max: 1 });
    const PUBLIC_URL = "https://wherry.example";
    await using production = await ServerProcess.start({ DATABASE_URL: bare.url, SANDBOX: "off", KYC_KEY, PUBLIC_URL });
    const client = new Api(production.url);
    for (const [path, json] of [
      ["pay", { orderId: "A".repeat(32) }],
      ["market", { slug: "eth", price: "1" }],
      ["clock", { advanceSeconds: 5 }],
      ["networks/ETH", { mine: 1 }],
    ] as const) {
      const reply = await client.send({ path: `/sandbox/${path}`, json });
      expect([path, reply.status, readFailure(reply).status]).toEqual([path, 404, "ERR_NOT_FOUND"]);
    }
    // No network works here, and a service that is down replaces every page, known or not.
    for (const path of ["/sandbox", "/nowhere"])
      expect([path, (await client.send({ method: "GET", path })).status]).toEqual([path, 503]);
    const mails = await client.send({ method: "GET", path: "/sandbox/mail" });
    expect([mails.status, readFailure(mails).status]).toEqual([404, "ERR_NOT_FOUND"]);
    expect(production.nodePid()).toBeNull();
    expect(await client.call("healthz", {})).toEqual({ status: "OK" });
    expect(await client.call("health", {})).toEqual({ status: "TECHNICAL_DIFFICULTIES" });
    expect((await client.call("instruments", { query: {} })).length).toBeGreaterThan(0);
    expect(await production.term()).toBe(0);
  });
});
