export { createReferralClicks, referralOf } from "./clicks.ts";
export { authoriseWithdrawal, chargedWithdrawalFee } from "./withdrawals/authorise-withdrawal.ts";
export { createEarnings } from "./earnings.ts";
export { notifyWithdrawal } from "./withdrawals/notify-withdrawal.ts";
export { createEarningsRecorder } from "./record-earnings.ts";
export { findReferrer, readOrderReferrer, rememberClient, requireReferrer } from "./referrers.ts";
export { reverseUndone } from "./undone.ts";
export { giveCredit, hasUnpaidEarnings, joinEarnings } from "./wallet.ts";
export { EARNINGS_HELP, runEarningsCommand } from "./operator.ts";
