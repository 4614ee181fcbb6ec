import type { BodyInput } from "#contract/calls.ts";
import { type VerificationStatus, verificationStatusSchema } from "#contract/accounts/verification.ts";
import { type Seen, useSeen } from "../../shared/account/last-seen.ts";
import { call } from "../../shared/http/http.ts";

/** While an operator has it, the page asks so often. */
const WAITING_MS = 15_000;

export const readVerificationStatus = (): Promise<VerificationStatus> => call("verificationStatus");

export const useVerificationStatus = (userId: number): Seen<VerificationStatus> =>
  useSeen(userId, "verification", verificationStatusSchema, readVerificationStatus, {
    refreshInterval: (known) => (known?.status === "CREATED" || known?.status === "PROCESS" ? WAITING_MS : 0),
  });

export const submitVerification = (body: BodyInput<"submitVerification">): Promise<VerificationStatus> =>
  call("submitVerification", { body });
