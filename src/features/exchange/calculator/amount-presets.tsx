import { type CSSProperties, useId } from "react";
import { useTranslation } from "react-i18next";
import { multiplyDecimals } from "#contract/money.ts";
import { formatUsd, groupDigits } from "../../../shared/format/format.ts";
import { amountPresets, presetColumns } from "../model/amount-presets.ts";
import { setAmount } from "../store/state.ts";
import { knownRate } from "../store/selectors.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import "./amount-presets.css";

/** Round amounts of the coin that is sent, with what each is worth now; nothing where the pair takes none of them. */
export function AmountPresets() {
  const { t } = useTranslation("exchange");
  const id = useId();
  const { state } = useExchangeStore();
  const rate = knownRate(useExchangeState());
  const presets = rate === null ? [] : amountPresets(rate.depositRules);
  if (rate === null || presets.length === 0) return null;
  const columns = { "--preset-columns": presetColumns(presets.length) } as CSSProperties;
  return (
    <section className="w-presets" aria-labelledby={id}>
      <h2 id={id} className="w-presets__title">
        {t("presets.title")}
      </h2>
      <ul className="w-presets__list" style={columns}>
        {presets.map((amount) => (
          <li key={amount}>
            <button
              type="button"
              className="w-presets__amount w-number"
              onClick={() => {
                setAmount(state, "from", amount);
                // On a phone the amount stands above the fold by now.
                document.querySelector(".w-calculator")?.scrollIntoView({ block: "nearest" });
              }}
            >
              <span>
                {groupDigits(amount)}&nbsp;
                <wbr />
                {rate.instrumentFrom.currencyTitle}
              </span>{" "}
              <span className="w-presets__worth">{formatUsd(multiplyDecimals(amount, rate.marketLeftPrice))}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
