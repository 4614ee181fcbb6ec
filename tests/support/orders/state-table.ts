import { toMinor } from "#contract/money.ts";
import { CodedError } from "#contract/errors.ts";
import type { Command } from "../../../server/orders/decisions/command.ts";
import { decide } from "../../../server/orders/decisions/decide.ts";
import { evolve } from "../../../server/orders/decisions/evolve.ts";
import type { OrderState } from "../../../server/orders/decisions/order.ts";
import type { MarketNow } from "../../../server/orders/decisions/decide-price.ts";
import { fixedTerms, floatingTerms, marketAt, milliEth, second, stateAfter } from "./sample-orders.ts";

const see = (key: string, milli: number, at = 10, standing = 0): Command => ({
  kind: "see_deposit",
  deposit: { key, amount: milliEth(milli) },
  standing: milliEth(standing),
  market: marketAt(3000),
  at: second(at),
});
const settle = (milli: number, price = 3000): Command => ({
  kind: "settle",
  received: milliEth(milli),
  lastMinedAt: second(15),
  market: marketAt(price),
  at: second(20),
});
const finish: Command = { kind: "complete_payment", txId: "0xpaid", market: marketAt(3000), at: second(30) };
const refund: Command = {
  kind: "request_refund",
  to: { address: "back", memo: null },
  claimed: { amount: milliEth(499), networkFee: milliEth(1) },
  received: milliEth(500),
  networkFee: milliEth(1),
  refundDelaySeconds: 600,
  at: second(40),
};
const stop: Command = { kind: "stop_refund", at: second(45) };
const release: Command = { kind: "release_refund", to: null, at: second(45) };
const refundUndecided: Command = {
  kind: "refund_undecided",
  to: { address: "named", memo: null },
  received: milliEth(500),
  networkFee: milliEth(1),
  refundDelaySeconds: 0,
  at: second(45),
};
const accept = (price = 2000, at = 50): Command => ({
  kind: "accept_rate_mode_change",
  received: milliEth(500),
  isMined: true,
  market: marketAt(price),
  at: second(at),
});
const paidOffer: Command = {
  kind: "accept_paid_offer",
  received: milliEth(500),
  paid: toMinor(990_000_000n),
  at: second(30),
};
const autoRefund: Command = {
  kind: "auto_refund",
  received: milliEth(500),
  lastMinedAt: second(15),
  market: marketAt(2000),
  networkFee: milliEth(1),
  lastDepositAt: second(10),
  autoRefundSeconds: 3600,
  at: second(3700),
};
/** The payout of 0.5 ETH through a partner that quoted the order. */
const partnerTerms = { ...floatingTerms, provider: "some" };
const partnerMarket = (rate: bigint | null): MarketNow => ({
  ...marketAt(3000),
  routes: {
    offers:
      rate === null
        ? []
        : [
            {
              partner: "some",
              curve: [
                { amountFrom: milliEth(100), amountTo: 100n * rate },
                { amountFrom: milliEth(1000), amountTo: 1000n * rate },
              ],
            },
          ],
    sendingFee: milliEth(1),
    ownBalance: 0n,
  },
});
const settleAtPartner: Command = {
  kind: "settle",
  received: milliEth(500),
  lastMinedAt: second(15),
  market: partnerMarket(2_990_000n),
  at: second(20),
};
const providerFailed: Command = { kind: "provider_failed", partner: "some", at: second(25) };
const reroute: Command = { kind: "reroute", market: partnerMarket(null), at: second(26) };
const paidAs = (purpose: "payout" | "refund", amount: bigint): Command => ({
  kind: "correct_payment",
  purpose,
  txId: "0xpaid",
  amount,
  at: second(30),
});
const expire: Command = { kind: "expire", at: second(90_000) };
const changed = [see("a", 500), settle(500, 2000)];

const STATES: [string, OrderState][] = [
  ["awaiting deposit, floating", stateAfter(floatingTerms)],
  ["awaiting deposit, fixed", stateAfter(fixedTerms)],
  ["expired", stateAfter(fixedTerms, expire)],
  ["confirming, floating", stateAfter(floatingTerms, see("a", 500))],
  ["confirming, fixed", stateAfter(fixedTerms, see("a", 500))],
  ["awaiting choice", stateAfter(fixedTerms, ...changed)],
  ["confirming, accepted", stateAfter(fixedTerms, ...changed, accept())],
  ["paying", stateAfter(floatingTerms, see("a", 500), settle(500))],
  ["paying, by a partner", stateAfter(partnerTerms, see("a", 500), settleAtPartner)],
  ["rerouting", stateAfter(partnerTerms, see("a", 500), settleAtPartner, providerFailed)],
  ["completed", stateAfter(floatingTerms, see("a", 500), settle(500), finish)],
  ["refund requested", stateAfter(fixedTerms, ...changed, refund)],
  ["refund requested, to a new address", stateAfter(floatingTerms, see("a", 500), refund)],
  ["refund stopped", stateAfter(floatingTerms, see("a", 500), refund, stop)],
  ["refunding", stateAfter(fixedTerms, ...changed, refund, settle(500))],
  ["refunded", stateAfter(fixedTerms, ...changed, refund, settle(500), finish)],
];

const COMMANDS: [string, Command][] = [
  ["a deposit in time", see("b", 500)],
  ["a deposit after the rate lock", see("b", 500, 1201)],
  ["a deposit after the sum was complete", see("b", 500, 11, 500)],
  ["the deposit seen again", see("a", 500)],
  ["all confirmed, as agreed", settle(500, 3000)],
  ["all confirmed, market fell 33 %", settle(500, 2000)],
  ["all confirmed, other amount", settle(600, 3000)],
  ["all confirmed, under the minimum", settle(5, 3000)],
  ["all confirmed, over the maximum", settle(90_000, 3000)],
  ["customer requests a refund", refund],
  ["a waiting refund is stopped", stop],
  ["an operator releases the refund", release],
  ["an operator refunds what nobody decided", refundUndecided],
  ["an operator accepts what was paid", paidOffer],
  ["customer accepts, market stayed", accept(2000)],
  ["customer accepts, market fell 5 %", accept(1900)],
  ["customer accepts, offer ended", accept(2000, 700)],
  ["nobody paid in time", expire],
  ["automatic refund is due", autoRefund],
  ["the partner returned it", providerFailed],
  ["another provider is chosen", reroute],
  ["payment confirmed", finish],
  ["it was paid another amount", paidAs("payout", 1_490_000_000n)],
  ["it was refunded another amount", paidAs("refund", milliEth(498))],
];

/** Every state against every command, as Markdown, made by decide() itself. */
export function stateTable(): string {
  const head = `| state | ${COMMANDS.map(([name]) => name).join(" | ")} |`;
  const rule = `|${"---|".repeat(COMMANDS.length + 1)}`;
  const rows = STATES.map(
    ([name, state]) => `| **${name}** | ${COMMANDS.map(([, command]) => cell(command, state)).join(" | ")} |`,
  );
  return [head, rule, ...rows].join("\n");
}

function cell(command: Command, state: OrderState): string {
  try {
    const { events, wait } = decide(command, state);
    if (events.length === 0) return wait === null ? "–" : `waits: ${wait}`;
    const next = events.reduce(evolve, state).kind;
    return `${events.map((event) => event.kind).join(", ")} → *${next}*`;
  } catch (error) {
    if (error instanceof CodedError) return error.code;
    throw error;
  }
}
