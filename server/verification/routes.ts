import type { verificationCalls } from "#contract/calls/verification.ts";
import type { Handlers } from "../base/routes.ts";
import type { Verification } from "./port.ts";

/** The calls about the verification of an identity (spec §7, contract §10). */
export const verificationHandlers = (verification: Verification): Pick<Handlers, keyof typeof verificationCalls> => ({
  submitVerification: ({ body, caller }) => verification.submit(caller.signedIn, caller.network ?? caller.key, body),
  verificationStatus: ({ caller }) => verification.status(caller.signedIn.userId),
});
