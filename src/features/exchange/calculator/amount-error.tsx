import { useTranslation } from "react-i18next";
import { formatCrypto } from "../../../shared/format/format.ts";
import { Button, classNames, Icon } from "../../../shared/ui/index.ts";
import { useBlockerText, useFixes } from "./use-blocker-text.ts";
import type { Blocker } from "../model/blockers.ts";
import { instrumentOf } from "../store/selectors.ts";
import { useExchangeStore } from "../store/provider.tsx";

type AmountErrorProps = {
  /** The field that it belongs to; its text gets the id `{fieldId}-error`. */
  readonly fieldId: string;
  readonly blocker: Blocker;
  readonly onChooseCoin: () => void;
};

/** What is wrong with an amount or the pair and the ways out, inside the card that it belongs to. */
export function AmountError({ fieldId, blocker, onChooseCoin }: AmountErrorProps) {
  const text = useBlockerText()(blocker);
  const more = useFloatingBound(blocker);
  const fixes = useFixes(blocker, onChooseCoin);
  return (
    <div className={classNames("w-amount-error", fixes.length > 1 && "w-amount-error--two")}>
      <p id={`${fieldId}-error`} className="w-amount-error__text">
        <Icon name="error" size={20} />
        <span>
          {text}
          {more === null ? null : <span className="w-amount-error__more">{more}</span>}
        </span>
      </p>
      <div className="w-amount-error__fixes">
        {fixes.map(({ name, text, act }) => (
          <Button
            key={name}
            variant="soft"
            onClick={({ detail }) => {
              act();
              // Pressed by a key, the button goes away under the focus.
              if (detail === 0 && name !== "choose-coin") document.getElementById(fieldId)?.focus();
            }}
          >
            {text}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** What the floating rate takes, where only the fixed one is too small for the amount. */
function useFloatingBound(blocker: Blocker): string | null {
  const { t } = useTranslation("exchange");
  const { catalogue } = useExchangeStore();
  if (blocker.kind !== "amount-too-big" || blocker.floatingMax === null) return null;
  const ticker = instrumentOf(catalogue, blocker.slug).currencyTitle;
  return t("blocker.tooBigFloatingTakes", { amount: formatCrypto(blocker.floatingMax, 18), ticker });
}
