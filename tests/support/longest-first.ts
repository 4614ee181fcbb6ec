import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What each worker begins with, longest first: a long file that starts last would run alone at the end. File sizes don't show it. */
const LONG = [
  "recurring-queries",
  "plans.integration",
  "postgres.integration",
  "admin-cli.integration",
  "swaps.integration",
  "integrator.test",
  "venue-child",
  "monero.test",
  "seeds-two",
  "devnet-stop",
  "seeds-one",
  "crash-at-every-point.test",
  "crash-while-a-payment-is-stuck",
  "planted-bugs",
  "crash-at-every-point-simulated",
  "litecoin-swap",
  "crash-at-a-partner",
  "many-processes",
  "kill-the-server",
  "worker-process",
  "crash-in-a-replacement",
  "crash-in-a-stopped-refund",
  "litecoin-replacement",
  "crash-in-a-cancellation",
  "litecoin-stuck-payment",
  "restored-backup",
  "crash-in-earnings",
  "evm-devnet",
  "evm-internal-transfers",
  "anvil-swap",
  "sandbox-controls",
  "hung-network",
  "database-restart",
  "stolen-order-id",
  "double-withdrawal",
  "crash-in-a-sweep",
  "exchange.integration",
  "archive-orders",
  "start-refused",
  "webhooks.integration",
  "inquiries.integration",
  "supervised-child",
  "account-mail-limits",
  "local.integration",
  "content-host",
  "tests/pages.integration",
  "held-commands",
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
