import type { KycStatus } from "#contract/accounts/verification.ts";

/** spec §4, KYC upload step. */
export const UPLOAD_STEPS = ["NONE", "RESIDENTIAL", "TYPE_ID", "PERSONAL_INFO", "GET_READY", "UPLOADING_DOCS"] as const;
export type UploadStep = (typeof UPLOAD_STEPS)[number];

const FIRST_THREE: ReadonlySet<UploadStep> = new Set(["RESIDENTIAL", "TYPE_ID", "PERSONAL_INFO"]);

/** The verification progress indicator (spec §4): how many of its three parts are done. */
export function verificationProgress(step: UploadStep, status: KycStatus): 0 | 1 | 3 {
  if (FIRST_THREE.has(step) || (step === "NONE" && status === "NOT_STARTED")) return 0;
  return step === "NONE" && status === "PASS" ? 3 : 1;
}

export const stepAfter = (step: UploadStep): UploadStep =>
  UPLOAD_STEPS[Math.min(UPLOAD_STEPS.indexOf(step) + 1, UPLOAD_STEPS.length - 1)] ?? "NONE";

/** `NONE` before the first. */
export const stepBefore = (step: UploadStep): UploadStep =>
  UPLOAD_STEPS[Math.max(UPLOAD_STEPS.indexOf(step) - 1, 0)] ?? "NONE";
