import type { PairList } from "#contract/instrument.ts";
import type { Catalogue } from "../catalogue/index.ts";
import type { NetworkReader } from "../chains/port.ts";
import type { Earnings } from "../earnings/port.ts";
import type { Rates } from "../rates/port.ts";
import type { OrderService } from "../orders/port.ts";
import { createAssets } from "./assets.ts";
import { partnerOrderHandlers } from "./orders.ts";
import type { PartnerHandlers } from "./port.ts";
import { partnerRate } from "./rates.ts";

export type PartnerParts = {
  catalogue: Catalogue;
  readers: ReadonlyMap<string, Pick<NetworkReader, "chain">>;
  rates: Rates;
  pairs(): PairList;
  orderService: OrderService;
  earnings: Pick<Earnings, "walletBalances">;
};

/** What signed calls do: each is a call of another area, for the account that signed it. */
export function partnerHandlers(parts: PartnerParts): PartnerHandlers {
  const { catalogue, readers, rates, orderService, pairs, earnings } = parts;
  const assets = createAssets(catalogue, readers);
  return {
    partnerInstruments: () =>
      [...catalogue.instruments.values()]
        .filter(({ isActive }) => isActive)
        .map(({ slug }) => assets.withIds(rates.instrument(slug))),
    partnerPairs: () => pairs(),
    partnerRate: ({ query }) => partnerRate({ rates, assets }, query),
    ...partnerOrderHandlers({ catalogue, rates, orderService, assets }),
    partnerBalances: ({ partner }) => earnings.walletBalances(partner.userId),
  };
}
