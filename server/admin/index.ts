export { OperatorError, recordAction, type Operator } from "./audit.ts";
export { GRANT_HELP, runGrantCommand } from "./grant-command.ts";
export { LOG_HASH_HELP, runLogHashCommand } from "./log-hash-command.ts";
export { readId, readOperator, readOptions, refuseArguments, type OptionName, type Options } from "./options.ts";
export { noSuchOrder, storedNetwork, storedReference } from "./references.ts";
export { requireScope } from "./scopes.ts";
export { startSecurityWatch } from "./security-watch.ts";
