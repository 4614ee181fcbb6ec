import type { PairList } from "#contract/instrument.ts";
import type { Catalogue } from "../catalogue/index.ts";
import type { NetworkReader } from "../chains/port.ts";
import type { Earnings } from "../earnings/port.ts";
import type { Rates } from "../rates/port.ts";
import type { OrderService } from "../orders/port.ts";
import { createAssets } from "./assets.ts";
import { cursorOf, readCursor } from "../base/cursor.ts";
import { partnerOrderHandlers } from "./orders.ts";
import type { PartnerHandlers } from "./port.ts";
import { partnerRate } from "./rates.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

export type PartnerParts = {
  catalogue: Catalogue;
  readers: ReadonlyMap<string, Pick<NetworkReader, "chain" | "accountReserve" | "feeSlug">>;
  rates: Rates;
  pairs(): PairList;
  orderService: OrderService;
  webhooks: Webhooks;
  earnings: Pick<Earnings, "walletBalances">;
  isSandbox: boolean;
};

/** What signed calls do: each is a call of another area, for the account that signed it. */
export function partnerHandlers(parts: PartnerParts): PartnerHandlers {
  const { catalogue, readers, rates, orderService, pairs, webhooks, earnings, isSandbox } = parts;
  const assets = createAssets(catalogue, readers);
  return {
    partnerInstruments: () =>
      [...catalogue.instruments.values()]
        .filter(({ isActive }) => isActive)
        .map(({ slug }) => assets.withIds(rates.instrument(slug))),
    partnerPairs: () => pairs(),
    partnerRate: ({ query }) => partnerRate({ catalogue, rates, assets }, query),
    ...partnerOrderHandlers({ catalogue, rates, orderService, assets, isSandbox }),
    partnerCreateWebhook: ({ body, partner, isDirect }) => webhooks.create(partner, body.url, isDirect()),
    partnerWebhooks: ({ partner }) => webhooks.list(partner.userId),
    partnerDeleteWebhook: async ({ params, partner }) => {
      await webhooks.remove(partner.userId, params.webhookId);
      return {};
    },
    partnerDeliveries: async ({ params, query, partner }) => {
      const page = { state: query.state ?? null, after: readCursor(query.cursor), limit: Number(query.limit) };
      const { items, next } = await webhooks.deliveries(partner.userId, params.webhookId, page);
      return { items, nextCursor: cursorOf(next) };
    },
    partnerTestWebhook: async ({ params, partner }) => {
      await webhooks.test(partner.userId, params.webhookId);
      return {};
    },
    partnerRedeliver: async ({ params, partner }) => {
      await webhooks.redeliver(partner.userId, params.webhookId, params.deliveryId);
      return {};
    },
    partnerBalances: ({ partner }) => earnings.walletBalances(partner.userId),
  };
}
