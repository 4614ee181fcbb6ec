import { repeat } from "../../base/concurrency/loop.ts";
import type { Log } from "../../base/logging/log.ts";
import { isRunning } from "./node-record.ts";
import { openNode, stopNode, type DevnetNode } from "./node.ts";

const LOOK_EVERY_MS = 1_000;
/** A node that can't be started needs somebody who reads why. */
const RETRY_EVERY_MS = 10_000;

export type SupervisedNode = {
  /** Ends the node with its state written. */
  stop(): Promise<void>;
  /** Leaves the node running, and no longer looks after it. */
  detach(): void;
};

/** Starts the node again from its last written state when it ends by itself or is killed. */
export function superviseNode(folder: string, port: number, first: DevnetNode, log: Log): SupervisedNode {
  let node = first.process;
  let isDown = false;
  let isOver = false;
  const loop = repeat(
    "devnet",
    () => (isDown ? RETRY_EVERY_MS : LOOK_EVERY_MS),
    async () => {
      isDown = !isRunning(node);
      if (!isDown || isOver) return;
      log.error({ nodePid: node.pid }, "the devnet has ended; it is started again from its last written state");
      node = (await openNode(folder, port, log)).process;
      isDown = false;
    },
    log,
  );
  return {
    stop: async () => {
      isOver = true;
      await loop.stop();
      await stopNode(folder, node, log);
    },
    detach: () => {
      isOver = true;
      void loop.stop();
    },
  };
}
