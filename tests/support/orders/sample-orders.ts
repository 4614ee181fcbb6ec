import { powerOfTen, toMinor, type Minor } from "#contract/money.ts";
import type { Command } from "../../../server/orders/decisions/command.ts";
import type { MarketNow } from "../../../server/orders/decisions/decide-price.ts";
import { decide } from "../../../server/orders/decisions/decide.ts";
import { evolve } from "../../../server/orders/decisions/evolve.ts";
import type { OrderState, OrderTerms } from "../../../server/orders/decisions/order.ts";

export const usd = (price: number): Minor<"usd"> => toMinor(BigInt(Math.round(price * 100)) * powerOfTen(16));
export const milliEth = (milli: number): Minor<"from"> => toMinor(BigInt(milli) * powerOfTen(15));
export const second = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
export const marketAt = (givePrice: number): MarketNow => ({
  fromPriceUsd: usd(givePrice),
  toPriceUsd: usd(1),
  networkFee: toMinor(1_000_000n),
});

/** 0.5 ETH to USDT at 3,000 USD, floating, 0.5 %, from 0.01 to 80 ETH. */
export const floatingTerms: OrderTerms = {
  rateMode: "FLOATING",
  from: { slug: "eth", networkTitle: "ETH", decimals: 18 },
  to: { slug: "usdt-erc20", networkTitle: "ETH", decimals: 6 },
  destination: { address: "to", memo: null },
  refund: null,
  deposit: { address: "deposit", memo: null },
  claimedDepositAmount: milliEth(500),
  quoted: {
    amountTo: toMinor(1_491_500_000n),
    price: "2983",
    platformFee: toMinor(7_500_000n),
    networkFee: toMinor(1_000_000n),
    market: { fromPriceUsd: usd(3000), toPriceUsd: usd(1) },
  },
  floatingFeeBps: toMinor(50n),
  spreadBps: toMinor(0n),
  minAmount: milliEth(10),
  maxAmount: milliEth(80_000),
  requiredConfirmations: 3,
  createdAt: second(0),
  fixed: null,
  minDeposit: milliEth(1),
  offer: { validSeconds: 600, toleranceBps: toMinor(50n) },
  unpaidUntil: second(86_400),
};

/** The same at a fixed rate with a rate lock of 20 minutes and a refund address. */
export const fixedTerms: OrderTerms = {
  ...floatingTerms,
  rateMode: "FIXED",
  refund: { address: "back", memo: null },
  unpaidUntil: second(87_600),
  fixed: { expiresAt: second(1200), volatilityBps: toMinor(300n), dustBps: toMinor(50n), lateBps: toMinor(100n) },
};

/** The state that some commands lead to. */
export function stateAfter(terms: OrderTerms, ...commands: Command[]): OrderState {
  let state = evolve(null, { kind: "CREATION_END", data: { terms }, at: second(0) });
  for (const command of commands) for (const event of decide(command, state).events) state = evolve(state, event);
  return state;
}
