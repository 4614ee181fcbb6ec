import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from "@playwright/test/reporter";
import { AXES, axes, FLOW, FLOWS } from "./flows.ts";

type Walked = Readonly<Record<string, string>>;

/**
 * Prints how many flows were run to their end by language, theme, width and input, and how often each. A whole run
 * (`E2E_WHOLE`) in which a flow of the table was walked less often than it says has failed.
 */
export default class FlowReporter implements Reporter {
  readonly #walked: Walked[] = [];

  onBegin(_config: FullConfig, _suite: Suite): void {
    this.#walked.length = 0;
  }

  onTestEnd({ annotations }: TestCase, { status }: TestResult): void {
    if (status !== "passed") return;
    const walk = Object.fromEntries(annotations.map(({ type, description = "" }) => [type, description]));
    if (FLOW in walk) this.#walked.push(walk);
  }

  async onEnd({ status }: FullResult): Promise<{ status: FullResult["status"] }> {
    const missing = process.env["E2E_WHOLE"] === "yes" ? this.#missing() : [];
    console.log(`\n${this.#table().join("\n")}`);
    for (const line of missing) console.error(line);
    return { status: status === "passed" && missing.length > 0 ? "failed" : status };
  }

  printsToStdio(): boolean {
    return false;
  }

  #table(): string[] {
    const flows = Object.keys(FLOWS).map((name) => `${String(this.#count(FLOW, name)).padStart(4)}  ${name}`);
    const values = axes().map((axis) => {
      const counts = AXES[axis].map((value) => `${value} ${this.#count(axis, value)}`);
      return `  ${axis.padEnd(9)} ${counts.join(", ")}`;
    });
    return [`${this.#walked.length} walks through ${flows.length} flows`, ...values, ...flows];
  }

  #missing(): string[] {
    return Object.entries(FLOWS).flatMap(([name, { walks }]) => {
      const count = this.#count(FLOW, name);
      return count < walks.length ? [`walked ${count} times of ${walks.length}: ${name}`] : [];
    });
  }

  #count = (type: string, value: string): number => this.#walked.filter((walk) => walk[type] === value).length;
}
