import { useTranslation } from "react-i18next";
import { memoContext } from "#contract/address.ts";
import { classNames, TextField, Checkbox } from "../../../shared/ui/index.ts";
import { setMemo } from "../store/addresses.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";

type MemoFieldsProps = { readonly networkTitle: string; readonly error: string | null };

/** The memo of the receiving address, and the way to say that it needs none (spec §5). */
export function MemoFields({ networkTitle, error }: MemoFieldsProps) {
  const { t } = useTranslation("exchange");
  const { state } = useExchangeStore();
  const { destination, isMemoWaived } = useExchangeState();
  const form = memoForm(networkTitle);
  return (
    <div className={classNames("w-destination__memo", error !== null && "w-destination__memo--error")}>
      <TextField
        id="destination-memo"
        name="destination-memo"
        label={t(form.label)}
        placeholder={t(form.placeholder)}
        inputMode={form.inputMode}
        value={destination.memo}
        onValue={(typed) => {
          const memo = form.clean(typed);
          setMemo(state, "destination", memo, form.isWrong(memo));
        }}
        error={error}
        maxLength={128}
        mono
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

type MemoForm = {
  readonly label: "destination.memo" | "destination.tag";
  readonly refundLabel: "destination.refundMemo" | "destination.refundTag";
  readonly placeholder: "destination.memoPlaceholder" | "destination.tagPlaceholder";
  readonly inputMode: "text" | "numeric";
  /** What is kept of what was typed or pasted. */
  readonly clean: (text: string) => string;
  /** What can't be one; other memos are the service's to judge. */
  readonly isWrong: (memo: string) => boolean;
};

const TAG: MemoForm = {
  label: "destination.tag",
  refundLabel: "destination.refundTag",
  placeholder: "destination.tagPlaceholder",
  inputMode: "numeric",
  clean: (text) => text.replaceAll(/\s/g, ""),
  isWrong: (memo) => !/^\d{0,10}$/.test(memo),
};

const MEMO: MemoForm = {
  label: "destination.memo",
  refundLabel: "destination.refundMemo",
  placeholder: "destination.memoPlaceholder",
  inputMode: "text",
  clean: (text) => text,
  isWrong: () => false,
};

/** What a network calls the note that tells its payments apart, and the keys that it takes: a tag of XRP is a number, often shown in groups. */
export const memoForm = (networkTitle: string): MemoForm => (memoContext(networkTitle) === "tag" ? TAG : MEMO);
