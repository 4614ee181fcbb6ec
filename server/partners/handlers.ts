import type { PairList } from "#contract/instrument.ts";
import type { Catalogue } from "../catalogue/index.ts";
import type { NetworkReader } from "../chains/port.ts";
import type { Earnings } from "../earnings/port.ts";
import type { Rates } from "../rates/port.ts";
import { createAssets } from "./assets.ts";
import type { PartnerHandlers } from "./port.ts";
import { partnerRate } from "./rates.ts";

export type PartnerParts = {
  catalogue: Catalogue;
  readers: ReadonlyMap<string, Pick<NetworkReader, "chain">>;
  rates: Rates;
  pairs(): PairList;
  earnings: Pick<Earnings, "walletBalances">;
};

/** What signed calls do: each is a call of another area, for the account that signed it. */
export function partnerHandlers({ catalogue, readers, rates, pairs, earnings }: PartnerParts): PartnerHandlers {
  const assets = createAssets(catalogue, readers);
  return {
    partnerInstruments: () =>
      [...catalogue.instruments.values()]
        .filter(({ isActive }) => isActive)
        .map(({ slug }) => assets.withIds(rates.instrument(slug))),
    partnerPairs: () => pairs(),
    partnerRate: ({ query }) => partnerRate({ rates, assets }, query),
    partnerBalances: ({ partner }) => earnings.walletBalances(partner.userId),
  };
}
