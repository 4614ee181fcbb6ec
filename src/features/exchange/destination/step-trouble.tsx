import { useTranslation } from "react-i18next";
import { Button, Note } from "../../../shared/ui/index.ts";
import { useBlockerText } from "../blocker-text.ts";
import { exchangePath } from "../calculator/calculator-address.ts";
import { useBlockers } from "../calculator/use-sides.ts";
import { blockersOf } from "../model/blocker-words.ts";
import { settingsOf } from "../store/derived.ts";
import { useExchangeState } from "../store/exchange-store.tsx";

/** What stops the order and is mended on the calculator, not here. */
export function StepTrouble() {
  const { t } = useTranslation("exchange");
  const state = useExchangeState();
  const text = useBlockerText();
  const [first] = blockersOf(useBlockers(), "calculator").filter(
    ({ kind }) => kind !== "rate-loading" && kind !== "offline",
  );
  if (first === undefined) return null;
  return (
    <Note
      tone="danger"
      title={text(first) ?? t("creation.rateRefused")}
      action={
        <Button variant="soft" href={exchangePath(settingsOf(state))}>
          {t("creation.rateRefusedAction")}
        </Button>
      }
    />
  );
}
