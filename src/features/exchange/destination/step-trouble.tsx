import { useTranslation } from "react-i18next";
import { Button, Note } from "../../../shared/ui/index.ts";
import { useBlockerText } from "../blocker-text.ts";
import { exchangePath } from "../model/calculator-url.ts";
import { useBlockers } from "../calculator/use-sides.ts";
import { blockersOf } from "../model/blockers.ts";
import { settingsOf } from "../store/selectors.ts";
import { useExchangeState } from "../store/provider.tsx";

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
