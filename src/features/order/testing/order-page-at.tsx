import { I18nextProvider } from "react-i18next";
import { SWRConfig } from "swr";
import type { Order } from "#contract/order.ts";
import type { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { PageContext } from "../../../shared/page/page-context.ts";
import { AppRoot } from "../../../shared/ui/index.ts";
import type { OrderPageData } from "../load.ts";
import { OrderPage } from "../page/order-page.tsx";
import { at } from "./sample-order.ts";

export type FoundOrder = Extract<OrderPageData, { kind: "found" }>;

type OrderPageAtProps = {
  readonly i18n: ReturnType<typeof createI18n>;
  readonly order: Order;
  /** What was loaded beside the order, where it differs from the order of the page's address. */
  readonly data?: Partial<FoundOrder>;
  readonly isSandbox?: boolean;
  /** When it was loaded, in seconds of the sample's time. */
  readonly seconds?: number;
};

/** The page of an order that was found, as the app shows it once it is loaded, with an empty cache. */
export function OrderPageAt({ i18n, order, data, isSandbox = false, seconds = 60 }: OrderPageAtProps) {
  const { orderId, destinationAddress } = order;
  const found: FoundOrder = { kind: "found", order, savedAt: null, orderId, destinationAddress, ...data };
  return (
    <I18nextProvider i18n={i18n}>
      <SWRConfig value={{ provider: () => new Map() }}>
        <PageContext value={{ data: found, now: at(seconds), isSandbox }}>
          <AppRoot>
            <OrderPage />
          </AppRoot>
        </PageContext>
      </SWRConfig>
    </I18nextProvider>
  );
}
