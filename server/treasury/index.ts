export { openBooks } from "./opening.ts";
export { createReconciler } from "./reconciler.ts";
export { createAvailableBalances, storeHotBalances, withholdBalances } from "./available-balances.ts";
export { createSwitches } from "./switches.ts";
