import { expect, it } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import { parseAmount, toMinor } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import {
  fixedTerms,
  floatingTerms,
  marketAt,
  milliEth,
  second,
  stateAfter,
} from "../../../tests/support/orders/sample-orders.ts";
import type { Command } from "../decisions/command.ts";
import type { MarketNow } from "../decisions/decide-price.ts";
import type { OrderState } from "../decisions/order.ts";
import { viewOrder, type OrderView } from "./view.ts";

const coin = (slug: string): Instrument => ({
  slug,
  currencyTitle: slug,
  networkTitle: "ETH",
  bestChangeName: null,
  coinstatValue: null,
  price: null,
  currencyLogoLink: null,
  currencyFriendlyTitle: slug,
  networkFriendlyTitle: "Ethereum",
  instrumentType: "other",
  requiresMemo: false,
  precisionDecimals: 18,
  contractAddress: null,
  isPopular: false,
  explorerTx: null,
  explorerAddress: null,
  confirmations: 3,
  networkStandard: null,
  payoutFee: null,
  blockSeconds: null,
  payoutSeconds: null,
});

const view = (state: OrderState, rows: Partial<OrderView> = {}): Order =>
  viewOrder({
    id: "7KQ4M2XD7KQ4M2XD7KQ4M2XD",
    reference: "7KQ4-M2XD",
    state,
    userEmail: null,
    isEmailConfirmed: true,
    events: [],
    deposits: [],
    depositTip: null,
    payout: null,
    wait: null,
    unpaidUntil: null,
    isPayingStopped: false,
    now: second(0),
    ...rows,
    instrumentFrom: coin("eth"),
    instrumentTo: coin("usdt-erc20"),
    depositUri: "ethereum:deposit",
    estimatedSeconds: null,
  });

const received = milliEth(500);
const market = marketAt(2700);
const late: Command = {
  kind: "see_deposit",
  deposit: { key: "a", amount: received },
  standing: milliEth(0),
  market,
  at: second(1300),
};
const accept: Command = { kind: "accept_rate_mode_change", received, isMined: true, market, at: second(1310) };
const refund: Command = {
  kind: "request_refund",
  to: { address: "mine", memo: "7" },
  claimed: { amount: milliEth(499), networkFee: milliEth(1) },
  received,
  networkFee: toMinor(milliEth(1)),
  refundDelaySeconds: 0,
  at: second(60),
};

it("shows the accepted amount as the expected one, from the acceptance on", () => {
  const { offer } = view(stateAfter(fixedTerms, late));
  const order = view(stateAfter(fixedTerms, late, accept));
  expect(offer?.amountToGet).toBeDefined();
  expect(order.amountToGet).toBe(offer?.amountToGet);
  expect(order.claimedPublicRate.claimedAmountToReceive).toBe("1491.5");
});

it("says which fees are taken once a new rate was accepted: the quoted ones were those of another sum", () => {
  expect(view(stateAfter(fixedTerms, late)).feesTaken).toBeNull();
  const { amountToGet, feesTaken, claimedPublicRate } = view(stateAfter(fixedTerms, late, accept));
  expect(feesTaken?.platformFee).not.toBe(claimedPublicRate.platformFee_Absolute);
  const worth = 0.5 * 2700;
  const sum = Number(amountToGet) + Number(feesTaken?.platformFee) + Number(feesTaken?.networkFee);
  expect(sum).toBeCloseTo(worth, 6);
});

it("says until when an order waits for its deposit, when it has expired, and neither once that is seen", () => {
  const { unpaidUntil } = floatingTerms;
  expect(view(stateAfter(floatingTerms)).unpaidUntil).toBe(unpaidUntil?.toISOString());
  expect(view(stateAfter(floatingTerms, { ...late, at: second(30) })).unpaidUntil).toBeNull();
  expect(view({ kind: "expired", terms: floatingTerms, deposits: [] }).unpaidUntil).toBe(unpaidUntil?.toISOString());
  const { unpaidUntil: _unknown, ...older } = floatingTerms;
  expect(view(stateAfter(older)).unpaidUntil).toBeNull();
});

it("keeps the dollar prices of the market that the order was quoted on", () => {
  const { fromPriceUsd, toPriceUsd } = fixedTerms.quoted.market;
  const { pricesUsd } = view(stateAfter(fixedTerms));
  expect(parseAmount(pricesUsd?.from ?? "", 18)).toBe(fromPriceUsd);
  expect(parseAmount(pricesUsd?.to ?? "", 18)).toBe(toPriceUsd);
});

it("keeps the dollar prices of the market at its end, for a payout and for a refund", () => {
  const end = (prices: MarketNow | null): Command => ({
    kind: "complete_payment",
    txId: "0xpaid",
    market: prices,
    at: second(60),
  });
  const paid: Command = { ...late, at: second(30) };
  const settle: Command = { kind: "settle", received, lastMinedAt: second(40), market, at: second(50) };
  const paths: Command[][] = [
    [paid, settle],
    [paid, refund, settle],
  ];
  for (const commands of paths) {
    expect(view(stateAfter(floatingTerms, ...commands)).finalPricesUsd).toBeNull();
    const { finalPricesUsd } = view(stateAfter(floatingTerms, ...commands, end(marketAt(2500))));
    expect(parseAmount(finalPricesUsd?.from ?? "", 18)).toBe(marketAt(2500).fromPriceUsd);
    expect(parseAmount(finalPricesUsd?.to ?? "", 18)).toBe(marketAt(2500).toPriceUsd);
    expect(view(stateAfter(floatingTerms, ...commands, end(null))).finalPricesUsd).toBeNull();
  }
});

it("shows the requested refund address, where none was set at creation", () => {
  const paid: Command = { ...late, at: second(30) };
  expect(view(stateAfter(floatingTerms, paid))).toMatchObject({ refundAddress: null, refundAddressMemo: null });
  expect(view(stateAfter(floatingTerms, paid, refund))).toMatchObject({
    refundAddress: "mine",
    refundAddressMemo: "7",
  });
});
