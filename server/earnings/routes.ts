import { earningsCalls } from "#contract/calls/earnings.ts";
import type { PageQuery } from "#contract/paging.ts";
import type { SecurityLog } from "../base/logging/security-log.ts";
import type { Handlers, SignedIn } from "../base/routes.ts";
import type { Earnings, Page } from "./port.ts";

/** The calls about affiliates, cashback and the wallet (spec §7 "Affiliate", contract §9). */
export function earningsHandlers(
  earnings: Earnings,
  securityLog: SecurityLog,
): Pick<Handlers, keyof typeof earningsCalls> {
  return {
    referrerId: ({ caller }) => earnings.referrer(caller.signedIn.userId),
    affiliateBalances: ({ caller }) => earnings.affiliateBalances(caller.signedIn.userId),
    affiliateStatistics: ({ caller, query }) => earnings.statistics(caller.signedIn.userId, Number(query.days)),
    affiliateAccruals: ({ caller, query }) => earnings.credits(caller.signedIn.userId, "AFFILIATE", pageOf(query)),
    affiliateCashbacks: ({ caller, query }) => earnings.credits(caller.signedIn.userId, "CASHBACK", pageOf(query)),
    affiliateWithdrawals: ({ caller, query }) => earnings.withdrawals(caller.signedIn.userId, pageOf(query)),
    withdrawalTerms: () => earnings.withdrawalTerms(),
    createWithdrawal: ({ caller, body }) => {
      const { signedIn, key, network, seed, isFirst } = caller;
      return earnings.withdraw({ ...sessionOf(signedIn), clientKey: network ?? key, seed, isFirst }, body);
    },
    monthlyPayout: ({ caller }) => earnings.monthlyPayout(caller.signedIn.userId),
    async setMonthlyPayout({ caller, body }) {
      const { signedIn, key: client, traceId } = caller;
      const set = await earnings.setMonthlyPayout(sessionOf(signedIn), body);
      const request = { client, traceId, route: earningsCalls.setMonthlyPayout.path, userId: `${signedIn.userId}` };
      securityLog.record({ event: "monthly-payout.changed", ...request, to: set.address === null ? "off" : "on" });
      return set;
    },
    walletBalances: ({ caller }) => earnings.walletBalances(caller.signedIn.userId),
    walletDeposits: ({ caller, query }) => earnings.credits(caller.signedIn.userId, null, pageOf(query)),
    walletWithdrawals: ({ caller, query }) => earnings.withdrawals(caller.signedIn.userId, pageOf(query)),
  };
}

const sessionOf = ({ userId, sessionId }: SignedIn) => ({ userId, sessionId });
const pageOf = ({ offset, limit }: PageQuery): Page => ({ offset: Number(offset), limit: Number(limit) });
