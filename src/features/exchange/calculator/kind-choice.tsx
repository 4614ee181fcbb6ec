import { useTranslation } from "react-i18next";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { SegmentedControl } from "../../../shared/ui/index.ts";
import type { ExchangeKind } from "../model/kind.ts";
import { useExchangeStore } from "../store/provider.tsx";
import { offeredKinds, selectKind } from "../store/select-kind.ts";
import { useKind } from "./use-calculator.ts";

/** Exchange, Buy or Sell; nothing where no pair has a currency. */
export function KindChoice() {
  const { t } = useTranslation("exchange");
  const { catalogue, state } = useExchangeStore();
  const kind = useKind();
  const isOffline = !useOnline();
  const kinds = offeredKinds(catalogue);
  return kinds.length === 1 ? null : (
    <div className="w-calculator__kind">
      <SegmentedControl<ExchangeKind>
        name="exchange-kind"
        label={t("kind.label")}
        value={kind}
        options={kinds.map((value) => ({ value, label: t(`kind.${value}`), disabled: isOffline && value !== kind }))}
        onValue={(value) => selectKind(catalogue, state, value)}
      />
    </div>
  );
}
