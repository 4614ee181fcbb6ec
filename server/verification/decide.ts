import type { KycStatus } from "#contract/accounts/verification.ts";

/** What may be done with a check: its owner submits, operators do the rest. */
export type VerificationCommand = "submit" | "open" | "approve" | "reject";

export type VerificationDecision = { kind: "done"; status: KycStatus } | { kind: "refused"; reason: string };

const done = (status: KycStatus): VerificationDecision => ({ kind: "done", status });
const refused = (reason: string): VerificationDecision => ({ kind: "refused", reason });

/** The whole life of a check (contract §10). A look at a decided one changes nothing. */
const TABLE: Record<VerificationCommand, Record<KycStatus, VerificationDecision>> = {
  submit: {
    NOT_STARTED: done("CREATED"),
    CREATED: refused("Your identity is being checked already"),
    PROCESS: refused("Your identity is being checked already"),
    PASS: refused("Your identity is confirmed already"),
    REJECT: done("CREATED"),
  },
  open: {
    NOT_STARTED: refused("Nothing was sent yet"),
    CREATED: done("PROCESS"),
    PROCESS: done("PROCESS"),
    PASS: done("PASS"),
    REJECT: done("REJECT"),
  },
  approve: {
    NOT_STARTED: refused("Nothing was sent yet"),
    CREATED: refused("Open it first: nobody has seen it"),
    PROCESS: done("PASS"),
    PASS: refused("It is approved already"),
    REJECT: refused("It is rejected already; its owner may send again"),
  },
  reject: {
    NOT_STARTED: refused("Nothing was sent yet"),
    CREATED: refused("Open it first: nobody has seen it"),
    PROCESS: done("REJECT"),
    PASS: refused("It is approved already"),
    REJECT: refused("It is rejected already; its owner may send again"),
  },
};

export const decideVerification = (command: VerificationCommand, status: KycStatus): VerificationDecision =>
  TABLE[command][status];
