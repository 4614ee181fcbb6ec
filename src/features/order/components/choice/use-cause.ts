import type { Order } from "#contract/order.ts";
import type { RateWarningCause } from "#contract/order-progress.ts";
import { formatDuration } from "../../../../shared/format/format-time.ts";
import { useTranslation } from "react-i18next";
import { coinText } from "../../amount-text.ts";
import { depositDelay } from "../../model/order-times.ts";
import { depositedTotal } from "../../model/deposits.ts";

/** Why the fixed rate ended, with the figures where they are known. */
export function useCause(order: Order, cause: RateWarningCause | null): string {
  const { t } = useTranslation("order");
  const { t: common } = useTranslation("common");
  const { instrumentFrom } = order.pair;
  const arrived = coinText(depositedTotal(order), instrumentFrom);
  switch (cause) {
    case 1:
      return t("choice.cause1");
    case 2: {
      const late = depositDelay(order);
      if (late === null) return t("choice.cause2");
      return t("choice.cause2By", {
        arrived,
        late: formatDuration(common, late.seconds),
        hold: formatDuration(common, late.holdSeconds),
      });
    }
    case 3:
      return order.deposits.length === 0
        ? t("choice.cause3")
        : t("choice.cause3By", { arrived, claimed: coinText(order.claimedDepositAmount, instrumentFrom) });
    case null:
      return t("choice.cause0");
  }
}
