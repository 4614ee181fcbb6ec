import { TextField } from "../shared/ui/index.ts";
import { memoRule } from "./memo-rule.ts";

type MemoFieldProps = {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly networkTitle: string;
  readonly value: string;
  /** `isWrong`: it can't be a memo of the network, whatever the service would say. */
  readonly onValue: (memo: string, isWrong: boolean) => void;
  readonly error: string | null;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
};

/** The memo or tag of an address, with the keys that its network's take. */
export function MemoField({ networkTitle, onValue, ...field }: MemoFieldProps) {
  const { inputMode, clean, isWrong } = memoRule(networkTitle);
  return (
    <TextField
      {...field}
      inputMode={inputMode}
      onValue={(typed) => {
        const memo = clean(typed);
        onValue(memo, isWrong(memo));
      }}
      maxLength={128}
      mono
    />
  );
}
