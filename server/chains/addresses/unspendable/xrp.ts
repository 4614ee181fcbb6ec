import { addressesIn } from "./unspendable.ts";

export const XRP_UNSPENDABLE = addressesIn({
  "xrpl.org, Special Addresses: nobody has their keys": [
    "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
    "rrrrrrrrrrrrrrrrrrrrBZbvji",
    "rrrrrrrrrrrrrrrrrNAMEtxvNvQ",
    "rrrrrrrrrrrrrrrrrrrn5RM1rHd",
  ],
  "xrpl.org, Special Addresses: the first account, whose passphrase is public": ["rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
});
