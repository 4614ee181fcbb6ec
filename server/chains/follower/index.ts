export { createFollowers, createMempoolWatches, signingWallets } from "./all-networks.ts";
export { confirmationsAt, isCanonical, readTip, readTips, tailHashAt } from "./tail.ts";
