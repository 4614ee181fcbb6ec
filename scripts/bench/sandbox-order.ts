import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { calls } from "#contract/calls.ts";
import { sandboxCalls } from "#contract/calls/sandbox.ts";
import type { CreateOrderBody } from "#contract/order.ts";

// A published example of EIP-55: addresses of one repeated byte are refused.
const DESTINATION = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
/** Small, so that what the treasury can promise lasts for every order of a run. */
const AMOUNT = "0.02";

const rateQuery = new URLSearchParams({
  instrumentFromSlug: "eth",
  instrumentToSlug: "usdt-erc20",
  claimedDepositAmount: AMOUNT,
});
export const RATE_PATH = `${calls.rate.path}?${rateQuery.toString()}`;

/** What creates a floating order of ETH to USDT at the rate of now; it stays good while the market moves within the tolerance. */
export async function orderBody(origin: string): Promise<CreateOrderBody> {
  const rate = await answerOf(calls.rate.answer, fetch(origin + RATE_PATH));
  const { instrumentFrom: from, instrumentTo: to } = rate;
  return {
    rateMode: "FLOATING",
    instrumentFrom: { currencyTitle: from.currencyTitle, networkTitle: from.networkTitle, slug: from.slug },
    instrumentTo: { currencyTitle: to.currencyTitle, networkTitle: to.networkTitle, slug: to.slug },
    destinationAddress: DESTINATION,
    claimedDepositAmount: AMOUNT,
    claimedPublicRate: { price: rate.price, updatedAt: rate.updatedAt, claimedAmountToReceive: rate.amountToGet },
  };
}

/** Creates one order and gives its id, the query that opens it and the length of the answer. */
export async function createOrder(
  origin: string,
  headers: Record<string, string> = {},
): Promise<{ orderId: string; query: string; bytes: number }> {
  const order = await answerOf(
    calls.createOrder.answer,
    fetch(origin + calls.createOrder.path, {
      method: calls.createOrder.method,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(await orderBody(origin)),
    }),
  );
  const { orderId, destinationAddress } = order;
  return {
    orderId,
    query: String(new URLSearchParams({ orderId, destinationAddress })),
    bytes: JSON.stringify(order).length,
  };
}

/** Longer than a rate lock, and too short for an order to expire. */
const PAST_RATE_LOCKS_SECONDS = 7_200;
/** A server reads at least every 15 seconds what its wallets can promise. */
const BALANCES_READ_MS = 16_000;

/** Gives the treasury back what it has promised to the unpaid orders so far: the rate locks of all end. */
export async function endRateLocks(origin: string): Promise<void> {
  const { method, path, answer } = sandboxCalls.sandboxClock;
  const body = JSON.stringify({ advanceSeconds: PAST_RATE_LOCKS_SECONDS });
  await answerOf(answer, fetch(origin + path, { method, headers: { "content-type": "application/json" }, body }));
  await delay(BALANCES_READ_MS);
}

async function answerOf<Schema extends z.core.$ZodType>(
  schema: Schema & { parse(value: unknown): z.output<Schema> },
  request: Promise<Response>,
): Promise<z.output<Schema>> {
  const response = await request;
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(response.url).pathname} answered ${response.status}: ${text}`);
  return schema.parse(JSON.parse(text));
}
