import { useTranslation } from "react-i18next";
import { memoContext } from "#contract/address.ts";
import { MemoField } from "../../../address/memo-field.tsx";
import { classNames, Checkbox } from "../../../shared/ui/index.ts";
import { setMemo } from "../store/addresses.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";

type MemoFieldsProps = { readonly networkTitle: string; readonly error: string | null };

/** The memo of the receiving address, and the way to say that it needs none (spec §5). */
export function MemoFields({ networkTitle, error }: MemoFieldsProps) {
  const { t } = useTranslation("exchange");
  const { state } = useExchangeStore();
  const { destination, isMemoWaived } = useExchangeState();
  const labels = memoLabels(networkTitle);
  return (
    <div className={classNames("w-destination__memo", error !== null && "w-destination__memo--error")}>
      <MemoField
        id="destination-memo"
        name="destination-memo"
        label={t(labels.label)}
        placeholder={t(labels.placeholder)}
        networkTitle={networkTitle}
        value={destination.memo}
        onValue={(memo, isWrong) => setMemo(state, "destination", memo, isWrong)}
        error={error}
        disabled={isMemoWaived}
      />
      <Checkbox
        name="no-memo"
        checked={isMemoWaived}
        onChecked={(isWaived) => {
          state.isMemoWaived = isWaived;
        }}
        label={t("destination.noMemo", { context: memoContext(networkTitle) })}
      />
    </div>
  );
}

/** What a network calls the note that tells its payments apart. */
export const memoLabels = (networkTitle: string) => (memoContext(networkTitle) === "tag" ? TAG : MEMO);

const TAG = {
  label: "destination.tag",
  refundLabel: "destination.refundTag",
  placeholder: "destination.tagPlaceholder",
} as const;

const MEMO = {
  label: "destination.memo",
  refundLabel: "destination.refundMemo",
  placeholder: "destination.memoPlaceholder",
} as const;
