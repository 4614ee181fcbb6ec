import { useTranslation } from "react-i18next";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { SegmentedControl } from "../../../shared/ui/index.ts";
import type { ExchangeKind } from "../model/kind.ts";
import { useExchangeStore } from "../store/provider.tsx";
import { offeredKinds } from "../store/selectors.ts";
import { useKind } from "./use-calculator.ts";

/** Exchange, Buy or Sell; nothing where no pair has a currency. */
export function KindChoice() {
  const { t } = useTranslation("exchange");
  const { catalogue, state } = useExchangeStore();
  const kind = useKind();
  const isOffline = !useOnline();
  const kinds = offeredKinds(catalogue);
  const choose = async (value: ExchangeKind) => {
    try {
      (await import("../store/select-kind.ts")).selectKind(catalogue, state, value);
    } catch (error) {
      // Nothing has changed, and the next press tries again.
      console.warn("the calculator's kinds can't be loaded", error);
    }
  };
  return kinds.length === 1 ? null : (
    <div className="w-calculator__kind">
      <SegmentedControl<ExchangeKind>
        name="exchange-kind"
        label={t("kind.label")}
        value={kind}
        options={kinds.map((value) => ({ value, label: t(`kind.${value}`), disabled: isOffline && value !== kind }))}
        onValue={(value) => void choose(value)}
      />
    </div>
  );
}
