import { setTimeout as delay } from "node:timers/promises";
import { StartupError } from "../base/processes/startup-error.ts";
import { WrongChainError, type NetworkReader } from "../chains/port.ts";

const WITHIN_MS = 3_000;

/**
 * Asks the configured nodes for their chains before the sandbox begins. One that serves another chain than the local one stops the
 * start: in the sandbox anyone sets prices and moves time. A node that doesn't answer is asked again with every later call, and
 * refused then.
 */
export async function refuseLiveChains(
  readers: readonly Pick<NetworkReader, "networkTitle" | "head">[],
): Promise<void> {
  const late = delay(WITHIN_MS, null, { ref: false });
  const found = await Promise.all(
    readers.map(async ({ networkTitle, head }) => {
      const failure = await Promise.race([
        late,
        head().then(
          () => null,
          (error: unknown) => error,
        ),
      ]);
      return failure instanceof WrongChainError ? [networkTitle] : [];
    }),
  );
  const networks = [...new Set(found.flat())];
  if (networks.length > 0)
    throw new StartupError(
      `The node of ${networks.join(", ")} serves no local chain, and the sandbox is on: set SANDBOX=off, or use a node in regtest.`,
    );
}
