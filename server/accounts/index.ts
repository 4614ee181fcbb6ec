export { createAccounts } from "./accounts.ts";
export { lockKeyOwner, lockSignedIn } from "./users.ts";
export { ACCOUNT_HELP, runAccountCommand } from "./operator.ts";
export { apiKeysKey } from "./api-keys-key.ts";
export { secondFactorKey } from "./second-factor-key.ts";
