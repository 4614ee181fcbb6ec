import { addressesIn } from "./unspendable.ts";

export const TRX_UNSPENDABLE = addressesIn({
  'java-tron, genesis block: the account "Blackhole"': ["TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"],
});
