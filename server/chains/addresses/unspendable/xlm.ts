import { addressesIn } from "./unspendable.ts";

export const XLM_UNSPENDABLE = addressesIn({
  "stellar/dashboard, common/lumens.js: the void account, whose signers were removed": [
    "GALAXYVOIDAOPZTDLHILAJQKCVVFMD4IKLXLSZV5YHO7VY74IWZILUTO",
  ],
});
