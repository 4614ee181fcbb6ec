export { approvalBounds } from "./payouts/limits/approval.ts";
export { createTreasuryJobs, type TreasuryJobs } from "./jobs.ts";
export {
  endHold,
  lockAccounts,
  lockWallet,
  placeHold,
  post,
  postAll,
  returnSettled,
  reversalOf,
} from "./ledger/ledger.ts";
export { withdrawalStop } from "./payouts/limits/withdrawal-stop.ts";
export { followedPayments } from "./payouts/followed-payments.ts";
export { holdOf } from "./payouts/ledger.ts";
export { bookUnknownPayment } from "./payouts/decide-unknown.ts";
export { hasNothingAlive, intendPayout } from "./payouts/store.ts";
export { createAvailableBalances } from "./balances/available-balances.ts";
export { createSwitches } from "./balances/switches.ts";
export { watchTreasury } from "./balances/balance-watch.ts";
export { findTokenContract, findUnpayable, isOursSql, isOwnAddress } from "./payouts/unpayable-addresses.ts";
export { paysSchema, unknownPaymentOfOrder, unknownPaymentTo, unreadSinceRestore } from "./payouts/unknown-payments.ts";
export { startPaymentLoops } from "./payouts/payment-loops.ts";
export { returnUnsent } from "./operator/payouts.ts";
export { listHeld } from "./operator/held.ts";
export { proposeOrderWriteOff } from "./operator/order-write-off.ts";
export { isRefundUncertain, mayBePaidOut, provenPayout, unknownPayoutOf } from "./operator/unknown-payouts.ts";
export { readRecipient, type RecipientParts } from "./operator/recipient.ts";
