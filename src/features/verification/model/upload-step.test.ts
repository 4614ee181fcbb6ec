import { expect, test } from "vitest";
import { KYC_STATUSES } from "#contract/accounts/verification.ts";
import { stepAfter, stepBefore, UPLOAD_STEPS, verificationProgress } from "./upload-step.ts";

/** spec §4: rows are steps, columns NOT_STARTED, CREATED, PROCESS, PASS, REJECT. */
const TABLE = [
  ["NONE", [0, 1, 1, 3, 1]],
  ["RESIDENTIAL", [0, 0, 0, 0, 0]],
  ["TYPE_ID", [0, 0, 0, 0, 0]],
  ["PERSONAL_INFO", [0, 0, 0, 0, 0]],
  ["GET_READY", [1, 1, 1, 1, 1]],
  ["UPLOADING_DOCS", [1, 1, 1, 1, 1]],
] as const;

test.each(TABLE)("the progress at %s is %j", (step, expected) => {
  expect(KYC_STATUSES.map((status) => verificationProgress(step, status))).toEqual(expected);
});

test("steps are numbered as the specification says, and lead on and back", () => {
  expect(TABLE.map(([step]) => step)).toEqual(UPLOAD_STEPS);
  expect(UPLOAD_STEPS.map(stepAfter)).toEqual([...UPLOAD_STEPS.slice(1), "UPLOADING_DOCS"]);
  expect(UPLOAD_STEPS.map(stepBefore)).toEqual(["NONE", ...UPLOAD_STEPS.slice(0, -1)]);
});
