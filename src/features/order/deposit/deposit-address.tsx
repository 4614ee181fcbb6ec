import { useTranslation } from "react-i18next";
import { memoContext } from "#contract/address.ts";
import type { Order } from "#contract/order.ts";
import { AroundForeignText, CopyButton } from "../../../shared/ui/index.ts";

/** For whoever must send more: the address itself stands in the summary, which a phone shows last. */
export function CopyDepositAddress({ order: { depositAddress } }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  if (depositAddress === null) return null;
  return (
    <CopyButton
      value={depositAddress}
      label={t("review.copyAddress")}
      copiedLabel={t("head.copied")}
      failedLabel={t("head.notCopied")}
    />
  );
}

/** That the memo belongs to it as well, where the network has one. */
export function MemoToo({ order: { depositAddressMemo, pair } }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  if (depositAddressMemo === null) return null;
  const context = memoContext(pair.instrumentFrom.networkTitle);
  return (
    <p>
      <AroundForeignText isMemo sentence={t("address.memoToo", { memo: "\n", context })} text={depositAddressMemo} />
    </p>
  );
}
