import { useTranslation } from "react-i18next";
import { CopyButton } from "../../../shared/ui/index.ts";
import type { CardOrderProps } from "./pay-card.tsx";
import "./card.css";

/** Who carries the order out: its own name for it, and whom to ask there. */
export function ProviderCard({ order }: CardOrderProps) {
  const { t } = useTranslation("order");
  const { provider, reference, supportUrl } = order.card;
  return (
    <section className="w-order-card w-order-by-card" aria-labelledby="order-provider">
      <h2 id="order-provider" className="w-order-summary__label">
        {t("card.provider", { provider })}
      </h2>
      {reference === null ? null : (
        <div className="w-order-by-card__reference">
          <p>
            {t("card.reference", { provider })}{" "}
            <bdi className="w-mono" translate="no">
              {reference}
            </bdi>
          </p>
          <CopyButton
            variant="plain"
            value={reference}
            label={t("copy")}
            copiedLabel={t("head.copied")}
            failedLabel={t("head.notCopied")}
          />
        </div>
      )}
      {supportUrl === null ? null : (
        <p>
          <a href={supportUrl} target="_blank" rel="noopener noreferrer">
            {t("card.support", { provider })}
          </a>
        </p>
      )}
    </section>
  );
}
