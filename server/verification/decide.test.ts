import { expect, test } from "vitest";
import { KYC_STATUSES, type KycStatus } from "#contract/accounts/verification.ts";
import { decideVerification, type VerificationCommand } from "./decide.ts";

/** contract §10: what each command makes of each status; null where it is refused. */
const TABLE: Record<VerificationCommand, readonly (KycStatus | null)[]> = {
  // NOT_STARTED, CREATED, PROCESS, PASS, REJECT
  submit: ["CREATED", null, null, null, "CREATED"],
  open: [null, "PROCESS", "PROCESS", "PASS", "REJECT"],
  approve: [null, null, "PASS", null, null],
  reject: [null, null, "REJECT", null, null],
};

const rows = Object.entries(TABLE).flatMap(([command, results]) =>
  results.map((result, at) => [command as VerificationCommand, KYC_STATUSES[at] ?? "PASS", result] as const),
);

test.each(rows)("%s of a check that is %s gives %s", (command, status, expected) => {
  const decided = decideVerification(command, status);
  expect(decided.kind === "done" ? decided.status : null).toBe(expected);
  if (decided.kind === "refused") expect(decided.reason).not.toBe("");
});
