import type { Log } from "../base/log.ts";
import { repeat, type Loop } from "../base/loop.ts";
import type { Database } from "../db/database.ts";
import { readTip } from "./follower/chain-tail.ts";
import type { NetworkStatus } from "./network-status.ts";
import type { NetworkReader } from "./port.ts";

const HEADS_EVERY_MS = 2_000;

export type HeadWatch = { heads: ReadonlyMap<string, number>; loops: Loop[] };

/** Keeps the newest block of each network's node, and reports what we have read of the network to its status. */
export function watchHeads(parts: {
  database: Database;
  readers: ReadonlyMap<string, NetworkReader>;
  status: NetworkStatus;
  log: Log;
}): HeadWatch {
  const { database, readers, status, log } = parts;
  const heads = new Map<string, number>();
  const loops = [...readers].map(([network, reader]) => {
    const turn = async () => {
      // Before the head, which is compared with it.
      const tip = await readTip(database, network);
      if (tip !== null) status.reportTail(network, tip);
      heads.set(network, (await reader.head()).height);
    };
    return repeat(`head ${network}`, HEADS_EVERY_MS, turn, log);
  });
  return { heads, loops };
}
