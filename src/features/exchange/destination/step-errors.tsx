import { useTranslation } from "react-i18next";
import { formatCrypto } from "../../../shared/format/format.ts";
import { Button, Note } from "../../../shared/ui/index.ts";
import { rateMove } from "../model/rate-move.ts";
import { exchangePath } from "../model/calculator-url.ts";
import type { CreationFailure } from "../model/creation-failure.ts";
import { instrumentOf, settingsOf } from "../store/selectors.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { useBlockerText } from "../calculator/use-blocker-text.ts";
import { useBlockers } from "../calculator/use-calculator.ts";
import { blockersOf } from "../model/blockers.ts";

/** Why the order was not created, above the button (spec §8). */
export function CreationNote() {
  const { creation } = useExchangeState();
  return creation.status === "failed" ? <Failed failure={creation.failure} /> : null;
}

function Failed({ failure }: { readonly failure: CreationFailure }) {
  const { t } = useTranslation("exchange");
  const { catalogue } = useExchangeStore();
  const settings = settingsOf(useExchangeState());
  switch (failure.kind) {
    case "rate-moved":
      return <RateMoved {...failure} />;
    case "rate":
      return (
        <Note
          tone="danger"
          title={t("creation.rateRefused")}
          action={
            <Button variant="soft" href={exchangePath(settings)}>
              {t("creation.rateRefusedAction")}
            </Button>
          }
        />
      );
    case "account-missing": {
      const ticker = instrumentOf(catalogue, settings.to).currencyTitle;
      return (
        <div role="alert">
          <Note
            tone="danger"
            title={t("creation.accountMissing", { ticker })}
            action={
              <Button variant="soft" href={exchangePath(settings)}>
                {t("creation.rateRefusedAction")}
              </Button>
            }
          >
            {t("creation.accountMissingText", { ticker, amount: formatCrypto(failure.reserve) })}
          </Note>
        </div>
      );
    }
    case "blacklisted":
      return (
        <Note tone="danger" title={t("creation.blacklisted")}>
          {t("creation.blacklistedText")}
        </Note>
      );
    case "outcome-unknown":
    case "answer-unreadable":
      return (
        <div role="alert">
          <Note
            tone="info"
            title={t(failure.kind === "outcome-unknown" ? "creation.outcomeUnknown" : "creation.answerUnreadable")}
          >
            {t("creation.outcomeUnknownText")}
          </Note>
        </div>
      );
    case "kyc-needed":
    case "email-unconfirmed":
      return null;
    case "fields":
    case "not-created":
    case "referrer-unknown":
      return (
        <Note tone="danger" title={t("creation.notCreated")}>
          {t("creation.notCreatedText")}
        </Note>
      );
  }
}

type RateMovedProps = Extract<CreationFailure, { kind: "rate-moved" }>;

/** The fresh rate, beside what was on the screen before it; a fall is a warning. */
function RateMoved({ rate, before }: RateMovedProps) {
  const { t } = useTranslation("exchange");
  const move = before === undefined ? null : rateMove(before, rate);
  const got = (amount: string) => `${formatCrypto(amount)}\u00a0${rate.instrumentTo.currencyTitle}`;
  const now = {
    give: formatCrypto(rate.amountToGive),
    from: rate.instrumentFrom.currencyTitle,
    get: formatCrypto(rate.amountToGet),
    to: rate.instrumentTo.currencyTitle,
  };
  return (
    <div role="alert">
      <Note tone={move?.direction === "less" ? "signal" : "info"} title={t("creation.rateMoved")}>
        {before === undefined || move === null
          ? t("creation.rateMovedText", now)
          : t(move.direction === "less" ? "creation.rateMovedLess" : "creation.rateMovedMore", {
              ...now,
              before: got(before.get),
              difference: got(move.difference),
              percent: move.percent,
            })}
      </Note>
    </div>
  );
}

/** What blocks the order and can only be corrected on the calculator. */
export function StepError() {
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
