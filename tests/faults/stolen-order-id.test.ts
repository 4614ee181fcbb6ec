import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calls, type BodyInput } from "#contract/calls.ts";
import { CARD_SIGNATURE_HEADER } from "#contract/card.ts";
import { orderSchema, type CoinOrder } from "#contract/order.ts";
import { Api, readFailure } from "../support/http/api.ts";
import { signedInHeaders } from "../support/http/signed-in.ts";
import { DevnetRpc } from "../support/chains/devnet-rpc.ts";
import { eventually } from "../support/eventually.ts";
import {
  applicationFor,
  askForRefund,
  bodyOf,
  finish,
  HALF_ETH,
  orderAfter,
  randomAddress,
} from "../support/scenarios/http-swap.ts";
import { browserKeys } from "../support/services/push-service.ts";
import { ServerProcess } from "../support/processes/server-process.ts";

const THIEF = "eve@mail.example";
const OWNER = "ann@mail.example";

let server: ServerProcess;
let api: Api;
let devnet: DevnetRpc;

beforeAll(async () => {
  server = await ServerProcess.start({ LOG_LEVEL: "trace" });
  api = new Api(server.url);
  devnet = new DevnetRpc(server.rpcUrl);
});
afterAll(async () => server.end());

const create = async (changes: Partial<BodyInput<"createOrder">> = {}): Promise<CoinOrder> => {
  const { body, headers } = await applicationFor(api);
  return api.call("createOrder", { body: { ...body, ...changes }, headers });
};
const mailTo = async (recipient: string, { orderId }: CoinOrder) =>
  (await api.call("sandboxMail", {})).filter((mail) => mail.to === recipient && mail.orderId === orderId);

/** What nobody who lacks it may learn. */
const secretsOf = ({ orderId, destinationAddress, depositAddress }: CoinOrder): string[] => [
  orderId,
  destinationAddress,
  depositAddress,
];

describe("whoever knows an order's id and not its address", () => {
  it("learns nothing from mail that they have sent to themselves, and changes nothing that the owner can't", async () => {
    const order = await create();
    const { orderId, destinationAddress } = order;
    await devnet.pay(order.depositAddress, HALF_ETH);
    await api.call("setEmail", { body: { orderId, userEmail: THIEF } });
    await orderAfter(api, order, "INCOMING_FUNDS_DETECTED");
    await api.call("refundInfo", { query: { orderId } });
    const done = await finish(api, devnet, order);
    const mails = await eventually("mail about the end", async () => {
      const sent = await mailTo(THIEF, order);
      return sent.length >= 3 ? sent : null;
    });
    const read = JSON.stringify(
      mails.map(({ subject, text, html }) => [subject, text, html.replace(/style="[^"]*"/g, "")]),
    );
    for (const secret of [...secretsOf(order), ...done.withdrawals.map(({ txId }) => txId ?? "none"), "http", "0x"])
      expect(read).not.toContain(secret);
    expect(read).not.toMatch(/\d\.\d/);

    expect(await api.call("setEmail", { body: { orderId, destinationAddress, userEmail: OWNER } })).toEqual({
      orderId,
      isEmailConfirmed: true,
    });
    const [mail] = await eventually("the owner's mail", async () => {
      const sent = await mailTo(OWNER, order);
      return sent.length > 0 ? sent : null;
    });
    expect(mail?.text).toContain(`destinationAddress=${destinationAddress}`);
  });

  it("can do nothing else with it", async () => {
    const order = await create();
    const { orderId } = order;
    await devnet.pay(order.depositAddress, HALF_ETH);
    await orderAfter(api, order, "INCOMING_FUNDS_DETECTED");
    const guessed = { orderId, destinationAddress: randomAddress() };
    const refund = { refundAddress: randomAddress(), refundAmount: "0.4", claimedNetworkFee: "0.1" };
    const { endpoint, keys } = browserKeys("https://push.test/a");
    const attempts: Promise<unknown>[] = [
      api.call("orderInfo", { query: guessed }),
      api.call("refundInfo", { query: guessed }),
      api.call("requestRefund", { body: { ...guessed, ...refund } }),
      api.call("acceptRateModeChange", { body: guessed }),
      api.call("setEmail", { body: { ...guessed, userEmail: THIEF } }),
      api.call("stopRefund", { body: { orderId, token: "A".repeat(43) } }),
      api.call("subscribePush", { body: { ...guessed, endpoint, keys, locale: "en" } }),
    ];
    for (const { status, reason } of (await Promise.allSettled(attempts)) as PromiseRejectedResult[])
      expect([status, reason.failure.status]).toEqual(["rejected", "ERR_NOT_FOUND_E"]);
    const page = await fetch(`${server.url}/order/${orderId}`);
    expect(page.status).toBe(404);
    const html = await page.text();
    expect(html).not.toContain(order.destinationAddress);
    expect(html).not.toContain(order.depositAddress);
  });
});

describe("an order by card", () => {
  it("opens and moves by its owner's session and its provider's news alone", async () => {
    const owner = await signedInHeaders(api, OWNER);
    const thief = await signedInHeaders(api, THIEF);
    const query = { instrumentFromSlug: "usd", instrumentToSlug: "eth", claimedDepositAmount: "100" } as const;
    const rate = await api.call("rate", { query: { ...query, exchangeType: "fiat" } });
    const body = { ...bodyOf(rate), exchangeType: "fiat" as const };
    const asGuest = await api.send({ path: calls.createOrder.path, json: body });
    expect([asGuest.status, readFailure(asGuest).status]).toEqual([401, "ERR_UNAUTHORIZED"]);
    const made = await api.send({ path: calls.createOrder.path, json: body, headers: owner });
    expect([made.status, made.text]).toEqual([200, expect.stringContaining("orderId")]);
    const order = orderSchema.parse(JSON.parse(made.text));
    const { orderId, destinationAddress } = order;

    const guessed = { orderId, destinationAddress: randomAddress() };
    const refund = { refundAddress: randomAddress(), refundAmount: "1", claimedNetworkFee: "0" };
    const attempts = [
      api.call("orderInfo", { query: guessed, headers: thief }),
      api.call("requestRefund", { body: { ...guessed, ...refund }, headers: thief }),
      api.call("acceptRateModeChange", { body: guessed, headers: thief }),
      api.call("setEmail", { body: { ...guessed, userEmail: THIEF }, headers: thief }),
    ];
    for (const { status, reason } of (await Promise.allSettled(attempts)) as PromiseRejectedResult[])
      expect([status, reason.failure?.status]).toEqual(["rejected", "ERR_NOT_FOUND_E"]);
    const claimed = await api.call("claimOrders", { body: { orders: [guessed] }, headers: thief });
    expect(claimed).toEqual({ claimed: [] });
    // Who knows both parts may read it, and still isn't its owner.
    const both = { orderId, destinationAddress };
    expect(await api.call("claimOrders", { body: { orders: [both] }, headers: thief })).toEqual({ claimed: [] });

    const news = JSON.stringify({
      payload: { data: { status: "paid", merchant_transaction_id: orderId, type: "buy" } },
    });
    for (const signature of [undefined, "0".repeat(64), createHmac("sha256", orderId).update(news).digest("hex")]) {
      const headers: Record<string, string> = signature === undefined ? {} : { [CARD_SIGNATURE_HEADER]: signature };
      const reply = await api.send({ path: calls.cardCallback.path, text: news, headers });
      expect([reply.status, readFailure(reply).status]).toEqual([401, "ERR_UNAUTHORIZED"]);
    }
    for (const origin of ["https://evil.test", server.url]) {
      const json = { orderId, state: "paid" };
      const reply = await api.send({ path: "/sandbox/card", json, headers: { ...thief, origin } });
      expect([origin, reply.status]).toEqual([origin, 403]);
    }
    const now = orderSchema.parse(await api.call("orderInfo", { query: both }));
    expect(now.orderEvents.map(({ kind }) => kind)).toEqual(["CREATION_END"]);
    const log = server.output.join("\n");
    for (const secret of [orderId, destinationAddress, order.redirectUrl ?? "none"]) expect(log).not.toContain(secret);
  });
});

describe("the log", () => {
  it("contains neither the id nor an address of an order, in any state", async () => {
    const swapped = await create({ userEmail: OWNER });
    await devnet.pay(swapped.depositAddress, HALF_ETH);
    await finish(api, devnet, swapped);
    const returned = await create({ userEmail: OWNER });
    await devnet.pay(returned.depositAddress, HALF_ETH);
    await orderAfter(api, returned, "INCOMING_FUNDS_DETECTED");
    const refundAddress = randomAddress();
    await askForRefund(api, returned, refundAddress);
    await orderAfter(api, returned, "REFUND_COMPLETED", () => devnet.mine(1));
    for (const order of [swapped, returned])
      await fetch(`${server.url}/order/${order.orderId}?destinationAddress=${order.destinationAddress}`);
    // A link that was cut: it must not stand in the log of what was not found either.
    await fetch(`${server.url}/api/v1/orders/${swapped.orderId}?destinationAddress=${swapped.destinationAddress}`);

    const log = server.output.join("\n").toLowerCase();
    for (const secret of [...secretsOf(swapped), ...secretsOf(returned), refundAddress, OWNER])
      expect(log).not.toContain(secret.toLowerCase());
    // It would prove nothing of a log that says nothing about orders.
    const events = server.output.filter((line) => line.includes('"order event"'));
    expect(events.length).toBeGreaterThan(5);
    for (const line of events) expect(line).toMatch(/"orderId":"[0-9a-f]{16}"/);
    expect(server.output.some((line) => line.includes('"message sent"'))).toBe(true);
  });
});
