import { compareDecimals, isDecimal } from "#contract/money.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { useTranslation } from "react-i18next";
import { Button, Note } from "../../../shared/ui/index.ts";
import { setAmount } from "../store/state.ts";
import { knownRate } from "../store/selectors.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";

type LinkedAmountProps = { readonly amount: string; readonly ticker: string };

/** The amount that a pasted payment link asks for: offered where it differs, never applied by itself. */
export function LinkedAmount({ amount, ticker }: LinkedAmountProps) {
  const { t } = useTranslation("exchange");
  const { state } = useExchangeStore();
  const now = useExchangeState();
  const current = now.side === "get" ? now.typed : knownRate(now)?.amountToGet;
  if (isSame(current, amount)) return null;
  const words = { amount: formatCrypto(amount, 18), ticker };
  return (
    <div role="status">
      <Note
        tone="info"
        title={t("destination.linkAmount", words)}
        action={
          <Button variant="soft" onClick={() => setAmount(state, "get", amount)}>
            {t("destination.linkAmountUse", words)}
          </Button>
        }
      />
    </div>
  );
}

const isSame = (current: string | undefined, amount: string): boolean =>
  isDecimal(current) && compareDecimals(current, amount) === 0;
