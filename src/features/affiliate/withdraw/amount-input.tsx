import { type ClipboardEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { cleanField, type FieldText, pasteInto } from "../../../shared/format/amount-input.ts";
import { Button, TextField } from "../../../shared/ui/index.ts";

type AmountInputProps = {
  readonly id: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly label: string;
  readonly hint: string;
  readonly error: string | null;
  /** All that can be withdrawn. */
  readonly all: string;
};

/** An amount that is cleaned as it is typed, its caret behind the same digit (spec §5), and the way to take all. */
export function AmountInput({ id, value, onValue, label, hint, error, all }: AmountInputProps) {
  const { t } = useTranslation("earnings");
  const input = useRef<HTMLInputElement>(null);
  const write = ({ text, caret }: FieldText) => {
    const field = input.current;
    if (field !== null && field.value !== text) {
      field.value = text;
      field.setSelectionRange(caret, caret);
    }
    onValue(text);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault();
    const { value: before, selectionStart, selectionEnd } = event.currentTarget;
    const selection = { selectionStart: selectionStart ?? before.length, selectionEnd: selectionEnd ?? before.length };
    write(pasteInto({ text: before, ...selection }, event.clipboardData.getData("text")));
  };
  return (
    <div className="w-withdraw__amount">
      <TextField
        ref={input}
        id={id}
        name={id}
        inputMode="decimal"
        maxLength={60}
        required
        label={label}
        hint={hint}
        error={error}
        value={value}
        onValue={(text) => write(cleanField({ text, caret: input.current?.selectionStart ?? text.length }))}
        onPaste={paste}
      />
      <Button variant="plain" onClick={() => onValue(all)}>
        {t("withdraw.all")}
      </Button>
    </div>
  );
}
