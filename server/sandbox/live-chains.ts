import { StartupError } from "../base/processes/startup-error.ts";
import type { NetworkReader } from "../chains/port.ts";
import { findWrongChains } from "../chains/wrong-chains.ts";

/**
 * Asks the configured nodes for their chains before the sandbox begins. One that serves another chain than the local one stops the
 * start: in the sandbox anyone sets prices and moves time.
 */
export async function refuseLiveChains(
  readers: readonly Pick<NetworkReader, "networkTitle" | "head">[],
): Promise<void> {
  const networks = [...new Set((await findWrongChains(readers)).map(({ network }) => network))];
  if (networks.length > 0)
    throw new StartupError(
      `The node of ${networks.join(", ")} serves no local chain, and the sandbox is on: set SANDBOX=off, or use a node in regtest.`,
    );
}
