import { deeplinkUrl, referralPath } from "#contract/links/deeplink.ts";
import { formatAmount } from "#contract/money.ts";
import { requireInstrument } from "../catalogue/index.ts";
import { nullWithoutPrice } from "../rates/port.ts";
import { readMonthlyPayout, setMonthlyPayout } from "./monthly-payout.ts";
import type { Earnings } from "./port.ts";
import { readAffiliateBalances, readCredits, readWalletBalances, readWithdrawals } from "./read-earnings.ts";
import { referrerIdOf } from "./referrers.ts";
import { readStatistics } from "./statistics.ts";
import { minimumOf } from "./withdrawals/withdrawal-request.ts";
import { withdraw, type WithdrawParts } from "./withdrawals/withdraw.ts";

type EarningsParts = WithdrawParts & {
  publicUrl: string;
  /** Of the mini-app in Telegram; null without one. */
  miniAppUrl: string | null;
  /** Called when a payment became due. */
  onJobs(): void;
};

/** The calls about affiliates, cashback and the wallet. */
export function createEarnings(parts: EarningsParts): Earnings {
  const { database, catalogue, clock } = parts;
  const { terms } = catalogue;
  return {
    async referrer(userId) {
      const referrerId = await referrerIdOf(database.kysely, userId, clock.now());
      const path = referralPath(referrerId);
      return {
        referrerId,
        link: new URL(path, parts.publicUrl).href,
        deeplink: deeplinkUrl(path, parts.miniAppUrl),
        shareBps: Number(terms.affiliateShareBps),
        cashbackBps: Number(terms.cashbackBps),
      };
    },
    affiliateBalances: (userId) => readAffiliateBalances(parts, userId),
    statistics: (userId, days) => readStatistics(parts, userId, { days, now: clock.now() }),
    credits: (userId, source, page) => readCredits(parts, userId, source, page),
    withdrawals: (userId, page) => readWithdrawals(parts, userId, page),
    withdrawalTerms() {
      if (!catalogue.instruments.has(terms.earningsSlug)) return [];
      const instrument = requireInstrument(catalogue, terms.earningsSlug);
      const { currencyTitle, networkTitle, decimals, slug } = instrument;
      const fee = nullWithoutPrice(() => parts.rates.networkFee(slug), database.log);
      return [
        {
          currencyTitle,
          networkTitle,
          minimum: formatAmount(minimumOf(catalogue, instrument, fee ?? 0n, instrument), decimals),
          networkFee: fee === null ? null : formatAmount(fee, decimals),
          reviewUsd: terms.withdrawalReviewUsd,
          newAddressUsd: terms.withdrawalNewAddressUsd,
        },
      ];
    },
    async withdraw(by, body) {
      const made = await withdraw(parts, by, body);
      parts.onJobs();
      return made;
    },
    monthlyPayout: (userId) => readMonthlyPayout(parts, database.kysely, userId),
    async setMonthlyPayout(by, body) {
      const set = await setMonthlyPayout(parts, by, body);
      parts.onJobs();
      return set;
    },
    walletBalances: (userId) => readWalletBalances(parts, userId),
  };
}
