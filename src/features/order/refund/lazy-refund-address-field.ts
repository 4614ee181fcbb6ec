import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import type { RefundAddressFieldProps } from "./refund-address-field.tsx";

/** With the scanner and the texts of the exchange form, which an order's page has not loaded. */
export const refundAddressField = lazyWithPreload<RefundAddressFieldProps>(
  "src/features/order/refund/refund-address-field.tsx",
  async () => (await import("./refund-address-field.tsx")).RefundAddressField,
  ["exchange"],
);
