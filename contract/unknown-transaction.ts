/** How the `txId` of a deposit begins whose transaction is not known, because a contract's call brought it: no explorer has it. */
export const UNKNOWN_TRANSACTION = "internal-";
