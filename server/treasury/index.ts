export { openBooks } from "./opening.ts";
export { createReconciler } from "./reconciler.ts";
export { createStock, takeStock } from "./stock.ts";
export { createSwitches } from "./switches.ts";
