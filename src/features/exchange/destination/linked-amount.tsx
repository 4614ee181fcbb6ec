import { useTranslation } from "react-i18next";
import { compareDecimals, isDecimal } from "#contract/money.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { Button, Note } from "../../../shared/ui/index.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { knownRate } from "../store/selectors.ts";
import { setAmount } from "../store/state.ts";

type LinkedAmountProps = { readonly amount: string; readonly ticker: string };

/** The amount that a pasted payment link asks for: offered where it differs, never applied by itself. */
export function LinkedAmount({ amount, ticker }: LinkedAmountProps) {
  const { t } = useTranslation("exchange");
  const { state } = useExchangeStore();
  const now = useExchangeState();
  const current = now.side === "to" ? now.typed : knownRate(now)?.amountToGet;
  if (isSame(current, amount)) return null;
  const values = { amount: formatCrypto(amount, 18), ticker };
  return (
    <div role="status">
      <Note
        tone="info"
        title={t("destination.linkAmount", values)}
        action={
          <Button variant="soft" onClick={() => setAmount(state, "to", amount)}>
            {t("destination.linkAmountUse", values)}
          </Button>
        }
      />
    </div>
  );
}

const isSame = (current: string | undefined, amount: string): boolean =>
  isDecimal(current) && compareDecimals(current, amount) === 0;
