import { createHmac, randomInt } from "node:crypto";
import { numberToHex, type Hex } from "viem";
import * as z from "zod";
import { afterAll, beforeAll, expect, it } from "vitest";
import { calls } from "#contract/calls.ts";
import type { CoinOrder } from "#contract/order.ts";
import { SANDBOX_BOT_TOKEN } from "../../server/config/telegram.ts";
import { Api, type Reply } from "../support/http/api.ts";
import { DevnetRpc } from "../support/chains/devnet-rpc.ts";
import { applicationFor, finish, HALF_ETH, orderAfter, randomAddress } from "../support/scenarios/http-swap.ts";
import { launchData } from "../support/services/launch-data.ts";
import { ServerProcess } from "../support/processes/server-process.ts";

/** A /48 may do four times what one address may. */
const WRITES = 20;
const NETWORK_TIMES = 4;
/** Far more than a transfer of ether costs, in gas. */
const BURNED_GAS = 20_000_000;
const GAS_OF_A_PAYOUT = 100_000n;
const SOLANA_ADDRESS = "7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q";

let server: ServerProcess;
let api: Api;
let devnet: DevnetRpc;

beforeAll(async () => {
  server = await ServerProcess.start({ TRUST_PROXY: "1", RATE_LIMIT_WRITES: `${WRITES}` });
  api = new Api(server.url);
  devnet = new DevnetRpc(server.rpcUrl);
});
afterAll(async () => server.end());

const from = (address: string) => ({ "x-forwarded-for": address });
const nobody = () => `203.0.113.${randomInt(1, 250)}`;
const quantity = z.string().transform(BigInt);
const balanceOf = (address: string) => devnet.call("eth_getBalance", [address, "latest"], quantity);

async function created(): Promise<CoinOrder> {
  const { body, headers } = await applicationFor(api);
  return api.call("createOrder", { body, headers: { ...headers, ...from(nobody()) } });
}

const send = (path: string, body: unknown, headers: Record<string, string>): Promise<Reply> =>
  api.send({ method: "POST", path, json: body, headers });

it("whoever rents an IPv6 /48 calls four times as often as one address, and locks nobody else out", async () => {
  const { body } = await applicationFor(api);
  const statuses: number[] = [];
  for (let at = 0; at < WRITES * NETWORK_TIMES * 2; at += 1) {
    const reply = await send(calls.createOrder.path, body, from(`2001:db8:7:${at.toString(16)}::1`));
    statuses.push(reply.status);
  }
  const served = statuses.filter((status) => status !== 429);
  expect(served.length).toBeGreaterThanOrEqual(WRITES);
  expect(served.length).toBeLessThanOrEqual(WRITES * NETWORK_TIMES);
  const neighbour = await send(calls.createOrder.path, (await applicationFor(api)).body, from("2001:db8:8::1"));
  expect(neighbour.status).toBe(200);
});

it("a victim's launch data is worth nothing once the victim has logged out, whatever is changed in it", async () => {
  const user = JSON.stringify({ id: randomInt(1, 1_000_000_000), first_name: "Ann" });
  const auth_date = String(Math.floor(Date.now() / 1000));
  const initData = launchData(SANDBOX_BOT_TOKEN, { auth_date, user, signature: "of-the-victim" });
  const headers = from(nobody());
  const { accessToken } = await api.call("createByTelegram", { body: { initData }, headers });
  await api.call("logOut", { headers: { ...headers, authorization: `Bearer ${accessToken}` } });

  const fields = new URLSearchParams(initData);
  const hash = fields.get("hash") ?? "";
  const own = new URLSearchParams(launchData(SANDBOX_BOT_TOKEN, { auth_date, user: JSON.stringify({ id: 7 }) }));
  own.set("hash", hash);
  const upper = new URLSearchParams(initData);
  upper.set("hash", hash.toUpperCase());
  const other = new URLSearchParams(initData);
  other.set("hash", createHmac("sha256", "guess").update(initData).digest("hex"));
  const attempts = {
    again: initData,
    "another hash": `${other}`,
    "upper case": `${upper}`,
    "the victim's hash": `${own}`,
  };
  for (const [what, forged] of Object.entries(attempts)) {
    const reply = await send(calls.authenticateByTelegram.path, { initData: forged }, from(nobody()));
    expect([what, reply.status, reply.text]).toEqual([what, 400, expect.stringContaining("ERR_INVALID_CREDENTIALS")]);
  }
  const old = await api.send({
    path: calls.accountData.path,
    headers: { ...headers, authorization: `Bearer ${accessToken}` },
  });
  expect(old.status).not.toBe(200);
});

it("a destination that becomes a contract after the order burns none of our gas, and delays nobody's payout", async () => {
  const [hostile, honest] = [randomAddress(), randomAddress()];
  const trap = await etherOrder(hostile);
  const plain = await etherOrder(honest);
  await devnet.call("anvil_setCode", [hostile, burner(BURNED_GAS)], z.unknown());
  for (const { orderId } of [trap, plain]) await api.call("sandboxPay", { body: { orderId } });
  await finish(api, devnet, plain);
  expect(await balanceOf(honest)).toBeGreaterThan(0n);
  const held = await orderAfter(api, trap, "FUNDS_WITHDRAWAL_START", () => devnet.mine(1));
  expect(held.orderEvents.map(({ kind }) => kind)).not.toContain("WITHDRAWAL_COMPLETED");
  expect(await balanceOf(hostile)).toBe(0n);
  const block = await devnet.call("eth_getBlockByNumber", ["latest", false], z.object({ gasUsed: quantity }));
  expect(block.gasUsed).toBeLessThan(GAS_OF_A_PAYOUT * 10n);
  // Another customer's order, made after it, goes through too.
  const later = await created();
  await devnet.pay(later.depositAddress, HALF_ETH);
  await finish(api, devnet, later);
});

it("unpaid orders for twice a wallet's balance leave others half of it", async () => {
  // 2.4 BTC are almost the largest order.
  const largest = { from: "btc", to: "sol", amount: "2.4", destinationAddress: SOLANA_ADDRESS };
  for (let made = 0; made < 20; made += 1) await orderOf(largest);
  const query = { instrumentFromSlug: "btc", instrumentToSlug: "sol", claimedDepositAmount: "2.4" };
  expect(await api.call("rate", { query, headers: from(nobody()) })).toMatchObject({ amountToGive: "2.4" });
});

const etherOrder = (destinationAddress: string): Promise<CoinOrder> =>
  orderOf({ from: "usdt-erc20", to: "eth", amount: "200", destinationAddress });

type Asked = { from: string; to: string; amount: string; destinationAddress: string };

async function orderOf({ from: given, to, amount, destinationAddress }: Asked): Promise<CoinOrder> {
  const headers = from(nobody());
  const rate = await api.call("rate", {
    query: { instrumentFromSlug: given, instrumentToSlug: to, claimedDepositAmount: amount },
    headers,
  });
  const refOf = ({ currencyTitle, networkTitle, slug }: typeof rate.instrumentFrom) => ({
    currencyTitle,
    networkTitle,
    slug,
  });
  return api.call("createOrder", {
    headers,
    body: {
      rateMode: "FLOATING",
      instrumentFrom: refOf(rate.instrumentFrom),
      instrumentTo: refOf(rate.instrumentTo),
      destinationAddress,
      claimedDepositAmount: rate.amountToGive,
      claimedPublicRate: {
        price: rate.price,
        updatedAt: rate.updatedAt,
        claimedAmountToReceive: rate.amountToGet,
      },
    },
  });
}

/** A contract whose fallback counts down for about so much gas. */
function burner(gas: number): Hex {
  const rounds = Math.floor(gas / 40);
  // PUSH4 rounds, JUMPDEST, PUSH1 1, SWAP1, SUB, DUP1, PUSH1 5, JUMPI, STOP
  return `0x63${numberToHex(rounds, { size: 4 }).slice(2)}5b600190038060055700`;
}
