export { openBooks } from "./opening.ts";
export { createReconciler } from "./reconciler.ts";
export { createStock, takeStock, withholdStock } from "./stock.ts";
export { createSwitches } from "./switches.ts";
