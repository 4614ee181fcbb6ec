export { createTreasuryJobs, type TreasuryJobs } from "./jobs.ts";
export { openBooks, post } from "./ledger.ts";
export { intendPayout } from "./payout-store.ts";
export { createReconciler } from "./reconciler.ts";
export { createAvailableBalances } from "./available-balances.ts";
export { createSwitches } from "./switches.ts";
export { watchTreasury } from "./balance-watch.ts";
