export { createAccounts } from "./accounts.ts";
export { lockKeyOwner, lockSignedIn } from "./users.ts";
export type { Bot } from "./telegram/launch-data.ts";
export { ACCOUNT_HELP, runAccountCommand } from "./operator.ts";
export { apiKeysKey } from "./api-keys-key.ts";
export { secondFactorKey } from "./second-factor-key.ts";
