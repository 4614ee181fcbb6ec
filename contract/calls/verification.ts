import { submitVerificationBodySchema, verificationStatusSchema } from "../accounts/verification.ts";
import type { Call } from "./call.ts";

/** Verification of an identity (spec §7 "Account", contract §10). */
export const verificationCalls = {
  submitVerification: {
    method: "POST",
    path: "/api/v1/users/kyc/submit",
    summary: "Sends the form and the photos that prove an identity",
    timeoutMs: 60_000,
    body: submitVerificationBodySchema,
    isForm: true,
    answer: verificationStatusSchema,
    isForSignedIn: true,
  },
  verificationStatus: {
    method: "GET",
    path: "/api/v1/users/kyc/status",
    summary: "How the check of the identity stands",
    timeoutMs: 15_000,
    answer: verificationStatusSchema,
    isForSignedIn: true,
  },
} as const satisfies Record<string, Call>;
