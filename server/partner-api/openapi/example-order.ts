// What the examples of the partner API's document are made of: an exchange as the public document has it, with ids, units and a markup.

import type { AnswerOf } from "#contract/calls.ts";
import type { PartnerInstrument } from "#contract/partner-api.ts";
import {
  AT,
  COMPLETED,
  CREATED,
  ETH,
  ORDER_KEY,
  RATE,
  RATE_ACCEPTED,
  REFUND_REQUESTED,
  USDT,
} from "../../http/openapi/examples/exchange.ts";

export const EXAMPLE_AT = AT;

export const EXAMPLE_ETH: PartnerInstrument = {
  ...ETH,
  chainId: "eip155:1",
  assetId: "eip155:1/slip44:60",
  accountReserve: null,
  accountReserveUnits: null,
};

export const EXAMPLE_USDT: PartnerInstrument = {
  ...USDT,
  chainId: "eip155:1",
  assetId: "eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7",
  accountReserve: null,
  accountReserveUnits: null,
};

export const EXAMPLE_RATE: AnswerOf<"partnerRate"> = {
  ...RATE,
  instrumentFrom: EXAMPLE_ETH,
  instrumentTo: EXAMPLE_USDT,
  amountToGet: "1547.742911",
  price: "3095.485822",
  platformFee_Absolute: "15.63582",
  depositRules: {
    ...RATE.depositRules,
    minAmountUnits: "1600000000000000",
    maxAmountUnits: "79900000000000000000",
  },
  validUntil: "2026-11-21T12:01:00.000Z",
  amountToGiveUnits: "500000000000000000",
  amountToGetUnits: "1547742911",
  markupBps: 50,
};

export const EXAMPLE_DESTINATION = ORDER_KEY.destinationAddress;

type Order = AnswerOf<"partnerOrder">;

/** One that waits for its deposit. */
export const EXAMPLE_ORDER: Order = {
  ...CREATED,
  deposits: [],
  withdrawals: [],
  offer: null,
  attention: null,
  state: "PENDING",
  externalId: "cart-7",
  pair: { instrumentFrom: EXAMPLE_ETH, instrumentTo: EXAMPLE_USDT },
  claimedPublicRate: {
    price: EXAMPLE_RATE.price,
    finalNetworkFeeAmount: EXAMPLE_RATE.finalNetworkFeeAmount,
    platformFee_Absolute: EXAMPLE_RATE.platformFee_Absolute,
    claimedAmountToReceive: EXAMPLE_RATE.amountToGet,
  },
  amountToGet: EXAMPLE_RATE.amountToGet,
  markupBps: 50,
  claimedDepositAmountUnits: EXAMPLE_RATE.amountToGiveUnits,
  amountToGetUnits: EXAMPLE_RATE.amountToGetUnits,
  amountFromUsd: "1563.97",
  amountToUsd: "1548.13",
};

/** Deposits of the whole amount. */
const inUnits = (deposits: typeof CREATED.deposits): Order["deposits"] =>
  deposits.map((deposit) => ({ ...deposit, amountUnits: EXAMPLE_RATE.amountToGiveUnits }));

const PAID = "1547.73054";
const PAID_UNITS = "1547730540";

/** The same at its end. */
export const EXAMPLE_COMPLETED: Order = {
  ...EXAMPLE_ORDER,
  status: COMPLETED.status,
  state: "COMPLETED",
  amountToGet: PAID,
  amountToGetUnits: PAID_UNITS,
  feesTaken: { platformFee: "15.635695", networkFee: "0.203265" },
  finalPricesUsd: COMPLETED.finalPricesUsd,
  unpaidUntil: null,
  deposits: inUnits(COMPLETED.deposits),
  withdrawals: COMPLETED.withdrawals.map((payout) => ({ ...payout, amount: PAID, amountUnits: PAID_UNITS })),
  orderEvents: COMPLETED.orderEvents,
  estimatedSeconds: null,
  amountFromUsd: "1563.96",
  amountToUsd: "1548.11",
};

/** Its customer has asked for the deposit back. */
export const EXAMPLE_REFUND_REQUESTED: Order = {
  ...EXAMPLE_ORDER,
  status: REFUND_REQUESTED.status,
  state: "PROCESSING",
  refundAddress: REFUND_REQUESTED.refundAddress,
  unpaidUntil: null,
  deposits: inUnits(REFUND_REQUESTED.deposits),
  orderEvents: REFUND_REQUESTED.orderEvents,
  estimatedSeconds: null,
};

/** Its deposit came after the fixed rate had ended, and the floating one was accepted. */
export const EXAMPLE_ACCEPTED: Order = {
  ...EXAMPLE_REFUND_REQUESTED,
  status: RATE_ACCEPTED.status,
  rateMode: RATE_ACCEPTED.rateMode,
  claimedPublicRate: {
    price: "3079.850002",
    finalNetworkFeeAmount: EXAMPLE_RATE.finalNetworkFeeAmount,
    platformFee_Absolute: "23.45373",
    claimedAmountToReceive: "1539.925001",
  },
  amountToGet: PAID,
  amountToGetUnits: PAID_UNITS,
  feesTaken: EXAMPLE_COMPLETED.feesTaken,
  expiresAt: RATE_ACCEPTED.expiresAt,
  deposits: inUnits(RATE_ACCEPTED.deposits),
  orderEvents: RATE_ACCEPTED.orderEvents,
  estimatedSeconds: RATE_ACCEPTED.estimatedSeconds,
  amountToUsd: "1548.11",
};
