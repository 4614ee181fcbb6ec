import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { parseAmount } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import { Api } from "../support/http/api.ts";
import { DevnetRpc } from "../support/chains/devnet-rpc.ts";
import { askForRefund, bodyOf, orderAfter, randomAddress, rateOf } from "../support/scenarios/http-swap.ts";
import { ServerProcess } from "../support/processes/server-process.ts";

let server: ServerProcess;
let api: Api;
let devnet: DevnetRpc;

beforeAll(async () => {
  server = await ServerProcess.start();
  api = new Api(server.url);
  devnet = new DevnetRpc(server.rpcUrl);
  process.stdout.write(`node: ${await devnet.call("web3_clientVersion", [], z.string())}\n`);
});
afterAll(async () => server.end());

const create = (body: Parameters<typeof api.call<"createOrder">>[1]["body"]): Promise<Order> =>
  api.call("createOrder", { body, headers: { "idempotency-key": randomUUID() } });
const payFromSandbox = ({ orderId }: Order, amount?: string) =>
  api.call("sandboxPay", { body: { orderId, ...(amount !== undefined && { amount }) } });
const weiAt = async (address: string) =>
  BigInt(await devnet.call("eth_getBalance", [address, "latest"], z.string().regex(/^0x[0-9a-f]+$/)));

describe("a swap from a token to the chain's own coin, and kill -9 between its deposit and its payout", () => {
  it("pays once, exactly", async () => {
    const query = { instrumentFromSlug: "usdt-erc20", instrumentToSlug: "eth", claimedDepositAmount: "900" };
    const order = await create(bodyOf(await api.call("rate", { query: { ...query, rateMode: "FIXED" } })));
    await payFromSandbox(order);
    await orderAfter(api, order, "INCOMING_FUNDS_DETECTED");
    await server.kill9();
    await server.restart();
    const done = await orderAfter(api, order, "WITHDRAWAL_COMPLETED");
    expect(done.withdrawals).toMatchObject([{ kind: "payout", amount: order.amountToGet }]);
    expect(await weiAt(order.destinationAddress)).toBe(parseAmount(order.amountToGet, 18));
  });
});

describe("a refund of another amount than agreed, and kill -9 when it was requested", () => {
  it("is refunded once, to the address that was set, and nothing is paid out", async () => {
    const refundAddress = randomAddress();
    const body = { ...bodyOf(await rateOf(api, { rateMode: "FIXED" })), refundAddress };
    const order = await create(body);
    await payFromSandbox(order, "0.4");
    await orderAfter(api, order, "RATE_MODE_CHANGED");
    await askForRefund(api, order, refundAddress);
    await server.kill9();
    await server.restart();
    const done = await orderAfter(api, order, "REFUND_COMPLETED");
    const [withdrawal] = done.withdrawals;
    expect(done.withdrawals).toHaveLength(1);
    expect(withdrawal?.kind).toBe("refund");
    expect(await weiAt(refundAddress)).toBe(parseAmount(withdrawal?.amount ?? "", 18));
    const contract = order.pair.instrumentTo.contractAddress ?? "";
    expect(await devnet.tokenTransfers(contract, order.destinationAddress)).toEqual([]);
  });
});
