import type { Order, OrderEventKind } from "#contract/order.ts";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";

const CREATED = Date.parse("2026-11-21T14:00:00.000Z");

/** The sample's time, in seconds after it was created. */
export const at = (seconds: number): string => new Date(CREATED + seconds * 1000).toISOString();
export const ms = (seconds: number): number => CREATED + seconds * 1000;

const ETH = sampleInstrument("eth", { currencyFriendlyTitle: "Ether", price: "3000" });
const USDT = sampleInstrument("usdt-erc20", {
  currencyFriendlyTitle: "Tether",
  precisionDecimals: 6,
  contractAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
});

/** An order of 0.5 ETH for 1490 USDT after the given events, a second apart, oldest first. */
export function sampleOrder(kinds: readonly OrderEventKind[], changes: Partial<Order> = {}): Order {
  return {
    orderId: "7KQ4M2XD7KQ4M2XD7KQ4M2XD",
    reference: "7KQ4-M2XD",
    status: kinds.at(-1) ?? "res",
    rateMode: "FIXED",
    pair: { instrumentFrom: ETH, instrumentTo: USDT },
    destinationAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    destinationAddressMemo: null,
    refundAddress: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
    refundAddressMemo: null,
    userEmail: null,
    isEmailConfirmed: true,
    claimedDepositAmount: "0.5",
    claimedPublicRate: {
      price: "2980",
      finalNetworkFeeAmount: "2.5",
      platformFee_Absolute: "7.5",
      claimedAmountToReceive: "1490",
    },
    amountToGet: "1490",
    createdAt: at(0),
    expiresAt: at(1200),
    unpaidUntil: null,
    minConfirmationsToWithdraw: 3,
    depositAddress: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
    depositAddressMemo: null,
    depositUri: "ethereum:0x90F79bf6EB2c4f870365E785982E1f101E93b906@31337?value=500000000000000000",
    deposits: [],
    withdrawals: [],
    orderEvents: kinds.map((kind, index) => ({ kind, at: at(index) })).toReversed(),
    offer: null,
    attention: null,
    review: null,
    redirectUrl: null,
    card: null,
    estimatedSeconds: null,
    feesTaken: null,
    pricesUsd: { from: "3000", to: "1" },
    finalPricesUsd: null,
    ...changes,
  };
}

export const deposit = (
  amount: string,
  confirmations: number,
  changes: Partial<Order["deposits"][number]> = {},
): Order["deposits"][number] => ({
  amount,
  confirmations,
  requiredConfirmations: 3,
  txId: `0x${"cf".repeat(32)}`,
  detectedAt: at(1),
  isCounted: true,
  ...changes,
});

export const withdrawal = (
  amount: string,
  kind: "payout" | "refund",
  txId: string | null = `0x${"a4".repeat(32)}`,
): Order["withdrawals"][number] => ({ amount, kind, txId, confirmations: txId === null ? 0 : 1 });
