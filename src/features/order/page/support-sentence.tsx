import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { localePath } from "#contract/locale.ts";
import { WithReference } from "./with-reference.tsx";

/** Nobody can ask where the coins go: there is neither an address for them nor one to write to. */
export const mustWriteToSupport = ({ refundAddress, userEmail }: Order): boolean =>
  refundAddress === null && userEmail === null;

type SupportSentenceProps = {
  readonly text: "expired.lateUnreachable" | "expired.arrivedUnreachable" | "review.needed.CUSTOMER";
  readonly reference: string;
};

/** A sentence with a link to the support in it: in another tab, so that the order number stays visible. */
export function SupportSentence({ text, reference }: SupportSentenceProps) {
  const { t } = useTranslation("order");
  const href = localePath(useLocale(), "/support");
  const [before, after = ""] = t(text, { write: "\n", reference }).split("\n");
  return (
    <>
      {before}
      <a href={href} target="_blank" rel="noopener">
        {t("expired.write")}
      </a>
      <WithReference text={after} reference={reference} />
    </>
  );
}
