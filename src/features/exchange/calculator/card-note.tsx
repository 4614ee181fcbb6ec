import { useTranslation } from "react-i18next";
import { formatCrypto } from "../../../shared/format/format.ts";
import { Icon } from "../../../shared/ui/index.ts";
import { useExchangeState } from "../store/provider.tsx";
import { knownRate } from "../store/selectors.ts";

/** Who charges the card or pays to it, and from which sum on they check who it is: said before anything is paid. */
export function CardNote() {
  const { t } = useTranslation("exchange");
  const rate = knownRate(useExchangeState());
  if (rate?.card == null) return null;
  const { provider, direction } = rate.card;
  const currency = (direction === "buy" ? rate.instrumentFrom : rate.instrumentTo).currencyTitle;
  const { noKycThreshold: threshold } = rate;
  return (
    <p className="w-card-note">
      <Icon name="info" />
      <span>
        {t(direction === "buy" ? "card.charges" : "card.pays", { provider })}{" "}
        {threshold === null ? null : t("card.checksFrom", { provider, amount: formatCrypto(threshold), currency })}
      </span>
    </p>
  );
}
