export { createTreasuryJobs, type TreasuryJobs } from "./jobs.ts";
export { post } from "./ledger.ts";
export { openBooks } from "./opening.ts";
export { intendPayout } from "./payout-rows.ts";
export { createReconciler } from "./reconciler.ts";
export { createAvailableBalances, storeHotBalances, withholdBalances } from "./available-balances.ts";
export { createSwitches } from "./switches.ts";
export { watchTreasury } from "./treasury-watch.ts";
