import type { earningsCalls } from "#contract/calls/earnings.ts";
import { BAD_ADDRESS, failure, type FailuresOf, invalid } from "./failure.ts";
import { blacklisted } from "./orders.ts";

const badAddress = invalid("address", BAD_ADDRESS, "The address is none of its network");
const badPage = [invalid("limit", "must be a number from 1 to 100")];
const notSupported = failure(
  "ERR_NETWORK_NOT_SUPPORTED",
  "The network is off, or not that of earnings",
  "Nothing can be withdrawn on TRX now",
);

export const earningsFailures: FailuresOf<keyof typeof earningsCalls> = {
  referrerId: [],
  affiliateBalances: [],
  affiliateStatistics: [invalid("days", 'Invalid option: expected one of "7"|"30"|"90"')],
  affiliateAccruals: badPage,
  affiliateCashbacks: badPage,
  affiliateWithdrawals: badPage,
  withdrawalTerms: [],
  createWithdrawal: [
    badAddress,
    invalid("amount", "must be a plain decimal with at most 6 decimals of USDT", "The amount is none of its coin"),
    blacklisted,
    failure(
      "ERR_WITHDRAWAL_TOO_SMALL",
      "The first number of `message` is the minimum",
      "10 USDT is the smallest withdrawal",
    ),
    failure("ERR_BALANCE_TOO_LOW", "The wallet has less", "The balance is smaller than this withdrawal"),
    failure("ERR_BALANCE_NOT_FOUND", "The wallet has none of it", "There is no balance of USDT"),
    notSupported,
    failure("ERR_BAD_REQUEST", "The account has withdrawn too often", "Too many withdrawals in one day", {
      httpStatus: 429,
      retryAfterSeconds: 3_600,
    }),
  ],
  monthlyPayout: [],
  setMonthlyPayout: [
    badAddress,
    invalid("slug", "can't be paid out", "This coin can't be paid out"),
    blacklisted,
    notSupported,
  ],
  walletBalances: [],
  walletDeposits: badPage,
  walletWithdrawals: badPage,
};
