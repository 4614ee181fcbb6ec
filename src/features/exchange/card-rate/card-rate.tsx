import { useTranslation } from "react-i18next";
import type { CardTerms } from "#contract/card.ts";
import type { PairData } from "#contract/rate.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { Icon } from "../../../shared/ui/index.ts";
import { CardRateLine, CardRows } from "./card-rows.tsx";

export type CardRateProps = {
  readonly rate: PairData;
  readonly terms: CardTerms;
  readonly part: "line" | "rows" | "note";
};

/** The parts of the calculator that a rate by card alone has. */
export function CardRate({ part, ...props }: CardRateProps) {
  if (part === "line") return <CardRateLine {...props} />;
  return part === "rows" ? <CardRows {...props} /> : <CardNote {...props} />;
}

/** Who charges the card or pays to it, and from which sum on they check who it is: said before anything is paid. */
function CardNote({ rate, terms }: Omit<CardRateProps, "part">) {
  const { t } = useTranslation("exchange");
  const { provider, direction } = terms;
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
