/**
 * What must be true of any order by card, without the engine: it knows what the provider reported, and judges every event. It imports
 * nothing of ours, so that it can't share a mistake with what it judges.
 */
export type Report = "opened" | "paid" | "sending" | "done" | "cancelled" | "failed" | "refunded";

const STEPS = [
  "CREATION_END",
  "DEPOSIT_REGISTERED",
  "INCOMING_FUNDS_DETECTED",
  "FUNDS_WITHDRAWAL_START",
  "WITHDRAWAL_COMPLETED",
];
const ENDS: readonly string[] = ["WITHDRAWAL_COMPLETED", "REFUND_COMPLETED", "EXPIRED"];
/** The reports that must have come before an event of this kind. */
const CAUSES: Readonly<Record<string, readonly Report[]>> = {
  DEPOSIT_REGISTERED: ["paid", "sending", "done", "refunded"],
  INCOMING_FUNDS_DETECTED: ["paid", "sending", "done", "refunded"],
  FUNDS_WITHDRAWAL_START: ["sending", "done"],
  WITHDRAWAL_COMPLETED: ["done"],
  REFUND_REQUESTED: ["refunded", "cancelled"],
  REFUND_COMPLETED: ["refunded", "cancelled"],
  EXPIRED: ["cancelled", "failed"],
};

export class CardOracle {
  readonly violations: string[] = [];
  readonly #reports: Report[] = [];
  readonly #kinds: string[] = ["CREATION_END"];
  #isTimeOver = false;

  reports(report: Report): void {
    this.#reports.push(report);
  }

  timeIsOver(): void {
    this.#isTimeOver = true;
  }

  /** An event, with the sums that its order names then. */
  happens(kind: string): void {
    const has = (known: string) => this.#kinds.includes(known);
    this.#expect(!has(kind), `${kind} came again`);
    this.#expect(!ENDS.some(has), `${kind} came after the end`);
    const rank = STEPS.indexOf(kind);
    if (rank > 0) this.#expect(has(STEPS[rank - 1] ?? ""), `${kind} came before ${STEPS[rank - 1]}`);
    const causes = CAUSES[kind] ?? [];
    const isCaused = causes.length === 0 || this.#reports.some((report) => causes.includes(report));
    this.#expect(isCaused || (kind === "EXPIRED" && this.#isTimeOver), `${kind} was not reported`);
    this.#expect(!(kind === "EXPIRED" && has("INCOMING_FUNDS_DETECTED")), "a paid order expired");
    this.#kinds.push(kind);
  }

  /** What the customer reads that arrived and was paid: what the provider said. */
  ends(told: { paid: bigint; delivered: bigint | null }, reported: { paid: bigint; delivered: bigint }): void {
    this.#expect(told.paid === reported.paid, "another sum was paid than is shown");
    this.#expect(told.delivered === null || told.delivered === reported.delivered, "another sum arrived than is shown");
  }

  /** Once the provider has said how it ended, and nothing else before, the order must have ended so. */
  settled(): void {
    const [end] = this.#reports.filter((report) => report === "done" || report === "refunded");
    const wasCut = this.#kinds.includes("EXPIRED") || this.#reports.includes("cancelled");
    if (end === "done" && !wasCut) this.#expect(this.#kinds.includes("WITHDRAWAL_COMPLETED"), "done and not completed");
    if (end === "refunded" && !wasCut) this.#expect(this.#kinds.includes("REFUND_COMPLETED"), "refunded and not shown");
  }

  #expect(isTrue: boolean, violation: string): void {
    if (!isTrue) this.violations.push(violation);
  }
}
