export { createTreasuryJobs, type TreasuryJobs } from "./jobs.ts";
export { lockAccounts, post, reverse } from "./ledger/ledger.ts";
export { intendPayout } from "./payouts/store.ts";
export { createAvailableBalances } from "./balances/available-balances.ts";
export { createSwitches } from "./balances/switches.ts";
export { watchTreasury } from "./balances/balance-watch.ts";
export { findTokenContract, findUnpayable, isOursSql, isOwnAddress } from "./payouts/unpayable-addresses.ts";
export { startPaymentLoops } from "./payouts/payment-loops.ts";
export { startSecurityWatch } from "./security-watch.ts";
