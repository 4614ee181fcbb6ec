import { useId } from "react";
import type { Instrument } from "#contract/instrument.ts";
import { useT } from "../../../lib/i18n/index.ts";
import { CoinMark, VisuallyHidden } from "../../../ui/index.ts";

type PopularCoinsProps = { readonly instruments: readonly Instrument[]; readonly onChoose: (slug: string) => void };

export function PopularCoins({ instruments, onChoose }: PopularCoinsProps) {
  const t = useT("exchange");
  const id = useId();
  if (instruments.length === 0) return null;
  return (
    <>
      <h3 id={id} className="w-coin-selector__heading">
        {t("selector.popular")}
      </h3>
      <ul className="w-chips" aria-labelledby={id}>
        {instruments.map((instrument) => (
          <li key={instrument.slug}>
            <button type="button" className="w-chip" onClick={() => onChoose(instrument.slug)}>
              <CoinMark instrument={instrument} size={28} />
              <span>{instrument.currencyTitle}</span>
              <VisuallyHidden>{instrument.networkFriendlyTitle}</VisuallyHidden>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
