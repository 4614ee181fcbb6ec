import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { CoinMark } from "../../../shared/ui/index.ts";
import { coinText } from "../amount-text.ts";
import { ShortHash } from "./short-hash.tsx";

/** What comes back and where to, in one row. */
export function PayoutCell({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { instrumentTo } = order.pair;
  return (
    <div className="w-order-get w-order-card">
      <CoinMark instrument={instrumentTo} size={36} />
      <div>
        <p className="w-order-get__sum w-number">{coinText(order.amountToGet, instrumentTo)}</p>
        <p className="w-order-get__to">
          {t(order.rateMode === "FIXED" ? "get.exactly" : "get.about")} <ShortHash value={order.destinationAddress} />{" "}
          {order.destinationAddressMemo === null ? null : t("get.memo", { memo: order.destinationAddressMemo })}
        </p>
      </div>
    </div>
  );
}
