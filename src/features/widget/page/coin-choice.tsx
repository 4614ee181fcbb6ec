import { Field } from "../../../shared/ui/index.ts";
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
  <Field id={id} label={label}>
    <select id={id} className="w-widget__select" value={value} onChange={(event) => onValue(event.currentTarget.value)}>
      {coins.map(({ slug, name }) => (
        <option key={slug} value={slug}>
          {name}
        </option>
      ))}
    </select>
  </Field>
);
