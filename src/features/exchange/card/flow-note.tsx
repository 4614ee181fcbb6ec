import { useTranslation } from "react-i18next";
import { useSnapshot } from "valtio";
import { Button, Note } from "../../../shared/ui/index.ts";
import { knownRate } from "../store/selectors.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";

/** Why the order by card does not go on, after its notification has gone, and what can be done. */
export function FlowNote() {
  const { t } = useTranslation("card");
  const { flow } = useSnapshot(useExchangeStore().card);
  const provider = knownRate(useExchangeState())?.card?.provider ?? "";
  if (flow.step === "email-missing" || flow.step === "email-unconfirmed") {
    const name = flow.step === "email-missing" ? "emailMissing" : "emailUnconfirmed";
    return (
      <div role="alert">
        <Note
          tone="info"
          title={t(`${name}.title`, { provider })}
          action={
            <Button variant="soft" href="/profile/info">
              {t(`${name}.action`)}
            </Button>
          }
        >
          {t(`${name}.text`, { provider })}
        </Note>
      </div>
    );
  }
  if (flow.step !== "failed" || flow.reason === "order") return null;
  return (
    <Note tone="danger" title={t(`failed.${flow.reason}.title`, { provider })}>
      {t(`failed.${flow.reason}.text`, { provider })}
    </Note>
  );
}
