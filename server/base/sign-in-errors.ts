import { CodedError } from "#contract/errors.ts";

/** Telegram launch data that was refused. One message for every reason, so that a forger learns nothing (contract §4). */
export class RefusedLaunchError extends CodedError {
  constructor() {
    super("ERR_INVALID_CREDENTIALS", "This launch can't be trusted; open the app again");
  }
}

/** For a call that needs a fresh proof of who calls (contract §8). */
export const reauthenticationNeeded = (): CodedError =>
  new CodedError("ERR_FORBIDDEN", "Confirm that it is you first", { data: { reauthenticate: true } });
