import { useT } from "../../../lib/i18n/index.ts";
import { TextField, Tick } from "../../../ui/index.ts";
import { typeMemo } from "../store/actions.ts";
import { useExchangeState, useExchangeStore } from "../store/exchange-store.tsx";

/** The memo of the receiving address, and the way to say that it needs none (spec §5). */
export function MemoFields({ error }: { readonly error: string | null }) {
  const t = useT("exchange");
  const { state } = useExchangeStore();
  const { destination, isMemoWaived } = useExchangeState();
  return (
    <div className="w-destination__memo">
      <TextField
        id="destination-memo"
        name="destination-memo"
        label={t("destination.memo")}
        placeholder={t("destination.memoPlaceholder")}
        value={destination.memo}
        onValue={(memo) => typeMemo(state, "destination", memo)}
        error={error}
        maxLength={128}
        mono
        disabled={isMemoWaived}
      />
      <Tick
        name="no-memo"
        checked={isMemoWaived}
        onChecked={(isWaived) => {
          state.isMemoWaived = isWaived;
        }}
        label={t("destination.noMemo")}
      />
    </div>
  );
}
