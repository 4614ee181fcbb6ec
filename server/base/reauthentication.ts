import { CodedError } from "#contract/errors.ts";

/** For a call that needs a fresh proof of who calls (contract §8). */
export const reauthenticationNeeded = (): CodedError =>
  new CodedError("ERR_FORBIDDEN", "Confirm that it is you first", { data: { reauthenticate: true } });
