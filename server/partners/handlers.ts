import type { PairList } from "#contract/instrument.ts";
import type { Catalogue } from "../catalogue/index.ts";
import type { NetworkReader } from "../chains/port.ts";
import type { Earnings } from "../earnings/port.ts";
import type { Rates } from "../rates/port.ts";
import { assetIdsOf } from "./asset-ids.ts";
import type { PartnerHandlers } from "./port.ts";

export type PartnerParts = {
  catalogue: Catalogue;
  readers: ReadonlyMap<string, Pick<NetworkReader, "chain">>;
  rates: Pick<Rates, "instrument">;
  pairs(): PairList;
  earnings: Pick<Earnings, "walletBalances">;
};

/** What signed calls do: each is a call of another area, for the account that signed it. */
export function partnerHandlers({ catalogue, readers, rates, pairs, earnings }: PartnerParts): PartnerHandlers {
  return {
    partnerInstruments: () =>
      [...catalogue.instruments.values()]
        .filter(({ isActive }) => isActive)
        .map((one) => ({
          ...rates.instrument(one.slug),
          ...assetIdsOf(one, readers.get(one.networkTitle)?.chain),
        })),
    partnerPairs: () => pairs(),
    partnerBalances: ({ partner }) => earnings.walletBalances(partner.userId),
  };
}
