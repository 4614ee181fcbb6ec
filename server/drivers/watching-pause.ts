import type { NetworkReader } from "../chains/port.ts";

/** Tells when somebody stopped a network's blocks on purpose, perhaps in another process: that is no sign of a dead network. */
export function watchingPause(
  reader: NetworkReader,
  blocks: { isPaused(): Promise<boolean> },
  onPaused: (networkTitle: string, paused: boolean) => void,
): NetworkReader {
  let shown = false;
  return {
    ...reader,
    head: async () => {
      const paused = await blocks.isPaused();
      if (paused !== shown) onPaused(reader.networkTitle, paused);
      shown = paused;
      return reader.head();
    },
  };
}
