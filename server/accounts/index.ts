export { createAccounts } from "./accounts.ts";
export type { Bot } from "./launch-data.ts";
