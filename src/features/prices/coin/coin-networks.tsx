import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { formatFee } from "../../../shared/format/format.ts";

type CoinNetworksProps = { readonly ticker: string; readonly networks: readonly Instrument[] };

/** The networks that we have a coin on, and what is good to know of each. */
export const CoinNetworks = memo(function CoinNetworks({ ticker, networks }: CoinNetworksProps) {
  const { t } = useTranslation("prices");
  return (
    <section className="w-coin-page__card" aria-labelledby="coin-networks">
      <h2 id="coin-networks">{t("networks.title", { ticker })}</h2>
      {networks.map((network) => (
        <section key={network.slug} className="w-coin-page__network" aria-labelledby={`network-${network.slug}`}>
          <h3 id={`network-${network.slug}`}>
            {network.networkFriendlyTitle}
            {network.networkStandard === null ? null : ` · ${network.networkStandard}`}
          </h3>
          <dl>
            <dt>{t("networks.confirmations")}</dt>
            <dd className="w-number">{network.confirmations}</dd>
            {network.payoutFee === null ? null : (
              <>
                <dt>{t("networks.fee")}</dt>
                <dd className="w-number">{`${formatFee(network.payoutFee)}\u00a0${ticker}`}</dd>
              </>
            )}
            {network.requiresMemo ? (
              <>
                <dt>{t("networks.memo")}</dt>
                <dd>{t("networks.needsMemo")}</dd>
              </>
            ) : null}
            {network.contractAddress === null ? null : (
              <>
                <dt>{t("networks.contract")}</dt>
                <dd>
                  <code>{network.contractAddress}</code>
                </dd>
              </>
            )}
          </dl>
        </section>
      ))}
    </section>
  );
});
