import { SelectField } from "../../../shared/ui/index.ts";
import type { WidgetCoin } from "../load.ts";

type CoinChoiceProps = {
  readonly id: string;
  readonly label: string;
  readonly coins: readonly WidgetCoin[];
  readonly value: string;
  readonly onValue: (slug: string) => void;
};

/** One of the coins, with its network. */
export const CoinChoice = ({ id, label, coins, value, onValue }: CoinChoiceProps) => (
  <SelectField
    id={id}
    label={label}
    options={coins.map(({ slug, name }) => ({ value: slug, label: name }))}
    value={value}
    onValue={onValue}
  />
);
