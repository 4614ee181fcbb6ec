export { createFollowers, createMempoolWatches, signingWallets } from "./all-networks.ts";
export { confirmationsAt, isCanonical, readTip, readTips, readTop, type TailBlock, tailHashAt } from "./tail.ts";
export { endGoneDeposits } from "./gone-deposits.ts";
export type { Follower } from "./follower.ts";
export type { MempoolWatch } from "./mempool-watch.ts";
