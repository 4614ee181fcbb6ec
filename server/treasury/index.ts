export { createTreasuryJobs, type TreasuryJobs } from "./jobs.ts";
export { lockAccounts, post, reverse } from "./ledger.ts";
export { intendPayout } from "./payout-store.ts";
export { createAvailableBalances } from "./available-balances.ts";
export { createSwitches } from "./switches.ts";
export { watchTreasury } from "./balance-watch.ts";
export { findUnpayable, isOwnAddress } from "./unpayable-addresses.ts";
export { startPaymentLoops } from "./payment-loops.ts";
export { startSecurityWatch } from "./security-watch.ts";
