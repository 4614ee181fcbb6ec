import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { useTimeZone } from "../../../shared/page/use-hydrated.ts";
import { useRefundInfo } from "../page/use-order.ts";
import type { Receipt } from "../model/receipt.ts";
import { receiptText, type ReceiptText } from "../model/receipt-text.ts";

/** The receipt in the reader's language and time zone. */
export function useReceiptText(order: Order, receipt: Receipt): ReceiptText {
  const { t } = useTranslation("order");
  const { t: common } = useTranslation("common");
  const { info } = useRefundInfo(order, receipt.kind === "refund");
  return receiptText({ order, receipt, refund: info, t, common, locale: useLocale(), timeZone: useTimeZone() });
}
