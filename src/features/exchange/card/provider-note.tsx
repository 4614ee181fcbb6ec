import { useTranslation } from "react-i18next";
import type { CardTerms } from "#contract/card.ts";
import { useAccountEmail } from "../../../shared/account/account.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { openOutside } from "../../../telegram/open-outside.ts";
import { Icon } from "../../../shared/ui/index.ts";
import { needsCheck } from "../model/card-check.ts";
import { knownRate } from "../store/selectors.ts";
import { useExchangeState } from "../store/provider.tsx";

/** Who charges the card or pays to it, and what they learn of the customer: said before anything is sent to them. */
export function ProviderNote() {
  const { t } = useTranslation("card");
  const email = useAccountEmail();
  const rate = knownRate(useExchangeState());
  if (rate?.card == null) return null;
  const { provider, direction } = rate.card;
  const currency = (direction === "buy" ? rate.instrumentFrom : rate.instrumentTo).currencyTitle;
  const isChecked = needsCheck(rate);
  return (
    <section className="w-card-provider" aria-labelledby="card-provider">
      <h2 id="card-provider" className="w-card-provider__title">
        {t(`provider.${direction}`, { provider })}
      </h2>
      <p>{t(`provider.${direction}Text`, { provider })}</p>
      {rate.noKycThreshold === null ? null : (
        <p className="w-card-provider__check">
          <Icon name="person" />
          <span>
            {t(isChecked ? "provider.check" : "provider.noCheck", {
              provider,
              amount: formatCrypto(rate.noKycThreshold),
              currency,
            })}
          </span>
        </p>
      )}
      <h3 className="w-card-provider__heading">{t("provider.learns", { provider })}</h3>
      <ul className="w-card-provider__list">
        <li>{email === null ? t("learns.email") : t("learns.thisEmail", { email })}</li>
        <li>{t(`learns.${direction}`)}</li>
        <li>{t("learns.card")}</li>
        {isChecked ? <li>{t("learns.identity")}</li> : null}
      </ul>
      <Documents terms={rate.card} />
    </section>
  );
}

/** What is agreed to by paying there, to be read before. */
function Documents({ terms: { provider, termsUrl, privacyUrl } }: { readonly terms: CardTerms }) {
  const { t } = useTranslation("card");
  const links = [
    { url: termsUrl, text: t("provider.terms", { provider }) },
    { url: privacyUrl, text: t("provider.privacy", { provider }) },
  ];
  return (
    <p className="w-card-provider__links">
      {links.map(({ url, text }) =>
        url == null ? null : (
          <a
            key={text}
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            onClick={(event) => openOutside(event, url)}
          >
            {text}
          </a>
        ),
      )}
    </p>
  );
}
