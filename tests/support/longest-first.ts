import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What each worker begins with, longest first: a long file that starts last would run alone at the end. File sizes don't show it. */
const LONG = [
  "recurring-queries",
  "crash-at-every-point.test",
  "monero.test",
  "crash-at-a-partner",
  "crash-at-every-point-simulated",
  "crash-in-a-stopped-refund",
  "many-processes",
  "crash-while-a-payment-is-stuck",
  "devnet-stop",
  "kill-the-server",
  "crash-in-a-replacement",
  "crash-in-a-cancellation",
  "litecoin-swap",
  "worker-process",
  "planted-bugs",
  "seeds-one",
  "seeds-two",
  "litecoin-replacement",
  "litecoin-stuck-payment",
  "embedded.integration",
  "swaps.integration",
  "exchange.integration",
  "anvil-swap",
  "evm-internal-transfers",
  "evm-devnet",
  "sandbox-controls",
  "crash-in-a-sweep",
  "plans.integration",
  "archive-orders",
  "held-commands",
  "venue-child",
];

/** Begins with the longest files, so that all workers end together. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one.moduleId) - rank(other.moduleId));
  }
}

function rank(file: string): number {
  const place = LONG.findIndex((name) => file.includes(`/${name}`));
  return place === -1 ? LONG.length : place;
}
