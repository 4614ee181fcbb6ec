import type { priceCalls } from "#contract/calls/prices.ts";
import type { rateCalls } from "#contract/calls/rates.ts";
import { failure, type FailuresOf, invalid } from "./failure.ts";

export const tooSmall = failure(
  "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
  "Less than the minimum is sent",
  "The minimum is 0.0016",
  { data: { expected: "0.0016", instrument: "eth" } },
);
export const tooBig = failure(
  "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG",
  "More than the maximum is sent; `floatingMax` where the floating rate takes more",
  "The maximum is 15.9",
  { data: { expected: "15.9", instrument: "eth", floatingMax: "79.9" } },
);
export const pairNotActive = failure(
  "ERR_PAIR_NOT_ACTIVE",
  "The pair is off",
  "eth can't be exchanged to usdt-erc20 at the moment",
);
export const noLiquidity = failure(
  "ERR_NO_LIQUIDITY_AVAILABLE",
  "Nobody pays this amount",
  "This amount can't be paid out at the moment",
);
export const noFixedRate = failure(
  "ERR_NOT_ACCEPTABLE",
  "The pair can't be had in this rate mode",
  "This pair has no fixed rate",
);
export const noPrice = failure(
  "ERR_SERVICE_UNAVAILABLE",
  "A price is missing",
  "There is no market price to quote at the moment",
  { retryAfterSeconds: 3 },
);
export const notSupported = failure("ERR_NETWORK_NOT_SUPPORTED", "The network is off", "ETH is not supported now");
export const refundOnly = (message: string) =>
  failure("ERR_SERVICE_UNAVAILABLE", "The exchange takes nothing new", message, { retryAfterSeconds: 60 });

const closed = refundOnly("No new exchanges are taken now; payouts and refunds go on");
const listed = [invalid("all", 'Invalid option: expected one of "true"|"false"')];

export const rateFailures: FailuresOf<keyof typeof rateCalls | keyof typeof priceCalls> = {
  validateAddress: [
    invalid("currencyTitle", "is no known instrument of this network"),
    failure("ERR_NETWORK_NOT_SUPPORTED", "The network is off", "This network is not supported"),
  ],
  defaultPair: [],
  recommendedAmount: [
    invalid("instrumentFromCurrencyTitle", "is no known instrument of this network"),
    noFixedRate,
    pairNotActive,
    noPrice,
    closed,
  ],
  rate: [
    invalid("instrumentToSlug", "is no known instrument"),
    invalid("claimedDepositAmount", "must be more than zero", "The amount is none of its instrument"),
    noFixedRate,
    tooSmall,
    tooBig,
    pairNotActive,
    noLiquidity,
    noPrice,
    closed,
  ],
  instruments: listed,
  instrumentsV1: listed,
  pairs: [],
  prices: [invalid("symbols", "must have at most 1024 characters")],
  priceHistory: [
    invalid("range", 'Invalid option: expected one of "24h"|"7d"|"1m"|"1y"|"all"'),
    failure("ERR_NOT_FOUND", "There is no such coin", "No coin has this symbol"),
  ],
};
