import { useId } from "react";
import { useTranslation } from "react-i18next";
import useSWR from "swr";
import { Button, Note, Skeleton } from "../../../shared/ui/index.ts";
import { loadOwnCalculator } from "../api.ts";
import type { CalculatorData } from "../load.ts";
import { ExchangeProvider } from "../store/provider.tsx";
import { Calculator, useContinue } from "../calculator/calculator.tsx";
import "./profile-calculator.css";

/** The calculator keeps its rate live by itself. */
const AS_OPENED = { revalidateOnFocus: false, revalidateIfStale: false, revalidateOnReconnect: false };

/** The calculator form of the profile (spec §2): it leads to the step before an order. */
export function ProfileCalculator() {
  const { t } = useTranslation("account");
  const id = useId();
  const { data, error, mutate, isValidating } = useSWR<CalculatorData, Error>(
    "profile calculator",
    () => loadOwnCalculator(),
    AS_OPENED,
  );
  return (
    <section className="w-profile-calculator" aria-labelledby={id}>
      <h2 id={id} className="w-section__title">
        {t("calculator.title")}
      </h2>
      {data !== undefined ? (
        <ExchangeProvider catalogue={data.catalogue} opening={data.opening}>
          <Calculator place="exchange" hasContinue={false} />
          <ContinueLink />
        </ExchangeProvider>
      ) : error === undefined ? (
        <Skeleton width="100%" height={240} />
      ) : (
        <Note
          tone="info"
          title={t("calculator.failed")}
          action={
            <Button
              variant="soft"
              onClick={() => void mutate()}
              busyLabel={isValidating ? t("sessions.loading") : null}
            >
              {t("sessions.retry")}
            </Button>
          }
        />
      )}
    </section>
  );
}

/** One of the page's buttons: neither pinned nor Telegram's own. */
function ContinueLink() {
  const { settings: _settings, ...next } = useContinue();
  return <Button size="l" {...next} />;
}
