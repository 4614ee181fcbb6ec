import { Suspense, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useTranslation } from "react-i18next";
import { MemoField } from "../../../address/memo-field.tsx";
import { useIncorrectText } from "../../../address/use-incorrect-text.ts";
import { useClosingConfirmation } from "../../../telegram/closing-confirmation.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { TermsLink } from "../../../shared/page/terms-link.tsx";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import { BottomBar, Checkbox, Icon, PrimaryAction } from "../../../shared/ui/index.ts";
import { useBlockerText } from "../calculator/use-blocker-text.ts";
import { useBlockers, useKind } from "../calculator/use-calculator.ts";
import { cardParts } from "../card/lazy-card-parts.ts";
import { type CardOrder, useCardOrder } from "../card/use-card-order.ts";
import { blockerAt, blockersOf, type Field } from "../model/blockers.ts";
import { memoLabels, MemoFields } from "./memo-fields.tsx";
import { setMemo } from "../store/addresses.ts";
import type { AddressField as AddressState } from "../store/state.ts";
import { instrumentOf, knownRate } from "../store/selectors.ts";
import { isCreationInterrupted } from "../creation/interrupted.ts";
import { applyCreationFailure, takeLeftFailure } from "../creation/creation-result.ts";
import { type ExchangeStore, useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { useLiveDestination } from "./use-live-destination.ts";
import { AddressField } from "./address-field.tsx";
import { CreationNote, StepError } from "./step-errors.tsx";
import { EmailRow } from "./email-row.tsx";
import { OrderSum, useCreateLabel } from "./order-summary.tsx";
import { type CreateOrder, useCreateOrder } from "./use-create-order.ts";
import "./destination-step.css";

const emailDialog = lazyWithPreload(
  "src/features/exchange/destination/email-dialog.tsx",
  async () => (await import("./email-dialog.tsx")).EmailSheet,
);

/** Where the coins go, where they come back to, and the terms: the last step before an order. */
export function DestinationStep() {
  const { t } = useTranslation("exchange");
  const store = useExchangeStore();
  useLiveDestination(store);
  const { catalogue, state } = store;
  const now = useExchangeState();
  const { from, to, rateMode, destination, refund, areTermsAccepted, wasSubmitted } = now;
  const provider = knownRate(now)?.card?.provider ?? "";
  const form = useRef<HTMLFormElement>(null);
  const kind = useKind();
  const byCard = useCardOrder(store);
  const create = useCreateOrder(form, byCard);
  useReturnToStep(store, byCard);
  useClosingConfirmation(isFilled([destination, refund]));
  const found = useBlockers();
  const text = useBlockerText();
  const incorrect = useIncorrectText();
  const [sending, receiving] = [instrumentOf(catalogue, from), instrumentOf(catalogue, to)];

  /** An address that was found wrong says so at once; what is only missing waits for the button. */
  const errorAt = (field: Field) => {
    const blocker = blockerAt(found, field);
    const isJudged = blocker !== undefined && (blocker.kind === "refund-same" || blocker.kind.endsWith("-incorrect"));
    if (!wasSubmitted && !isJudged) return null;
    if (blocker?.kind === "address-incorrect") return incorrect({ ...destination, ...blocker, instrument: receiving });
    if (blocker?.kind === "refund-incorrect") return incorrect({ ...refund, ...blocker, instrument: sending });
    return text(blocker);
  };

  return (
    <>
      <form
        ref={form}
        className="w-destination"
        // A press before hydration must not send the form to the address of the page.
        method="dialog"
        noValidate
        aria-labelledby="destination-title"
        onSubmit={(event) => {
          event.preventDefault();
          void create.submit();
        }}
      >
        <h1 id="destination-title" className="w-destination__title" tabIndex={-1}>
          {kind === "sell"
            ? t("card.sellTitle", { ticker: sending.currencyTitle })
            : t("destination.title", { ticker: receiving.currencyTitle })}
        </h1>
        <OrderSum />
        <StepError />
        {kind === "sell" ? null : (
          <AddressField
            name="destination"
            label={t("destination.address", {
              ticker: receiving.currencyTitle,
              network: receiving.networkFriendlyTitle,
            })}
            instrument={receiving}
            error={errorAt("destination")}
          />
        )}
        {receiving.requiresMemo ? <MemoFields networkTitle={receiving.networkTitle} error={errorAt("memo")} /> : null}
        {rateMode === "FIXED" ? (
          <AddressField
            name="refund"
            label={t("destination.refund", { ticker: sending.currencyTitle, network: sending.networkFriendlyTitle })}
            placeholder={t("destination.refundPlaceholder")}
            instrument={sending}
            error={errorAt("refund")}
          />
        ) : null}
        {rateMode === "FIXED" && sending.requiresMemo ? (
          <MemoField
            id="refund-memo"
            name="refund-memo"
            label={t(memoLabels(sending.networkTitle).refundLabel)}
            hint={t("destination.refundMemoHint")}
            networkTitle={sending.networkTitle}
            error={errorAt("refund-memo")}
            value={refund.memo}
            onValue={(memo, isWrong) => setMemo(state, "refund", memo, isWrong)}
          />
        ) : null}
        {kind === "exchange" ? (
          <EmailRow />
        ) : (
          <Suspense fallback={null}>
            <cardParts.Component onClose={byCard.close} />
          </Suspense>
        )}
        <div className="w-destination__terms">
          <Checkbox
            name="terms"
            checked={areTermsAccepted}
            onChecked={(isAccepted) => {
              state.areTermsAccepted = isAccepted;
            }}
            label={t(kind === "exchange" ? "destination.terms" : kind === "buy" ? "card.termsBuy" : "card.termsSell", {
              provider,
            })}
            error={errorAt("terms")}
          />
          <TermsLink>{t("destination.termsLink")}</TermsLink>
        </div>
        <CreationNote />
        <CreateBar faults={wasSubmitted ? blockersOf(found, "destination").length : 0} />
      </form>
      <EmailPrompt create={create} />
    </>
  );
}

/** Loads with its first opening, and stays for its closing movement. */
function EmailPrompt({ create }: { readonly create: CreateOrder }) {
  const [wasAsked, setAsked] = useState(false);
  if (create.isEmailAsked && !wasAsked) setAsked(true);
  return wasAsked ? (
    <Suspense fallback={null}>
      <emailDialog.Component
        open={create.isEmailAsked}
        onClose={create.dismissEmail}
        onCreate={(userEmail) => void create.createWith(userEmail)}
      />
    </Suspense>
  ) : null;
}

function CreateBar({ faults }: { readonly faults: number }) {
  const { t } = useTranslation("exchange");
  const { creation } = useExchangeState();
  const isOnline = useOnline();
  const nativeLabel = useCreateLabel();
  return (
    <BottomBar>
      <p className="w-destination__faults" role="status">
        {faults === 0 ? null : (
          <>
            <Icon name="error" size={16} />
            <span>{t("destination.attention", { count: faults })}</span>
          </>
        )}
      </p>
      <PrimaryAction
        type="submit"
        stretched
        disabled={!isOnline}
        nativeLabel={isOnline ? nativeLabel : undefined}
        busyLabel={creation.status === "busy" ? t("destination.creating") : null}
      >
        {isOnline ? t("destination.create") : t("calculator.waitingForNetwork")}
      </PrimaryAction>
    </BottomBar>
  );
}

const isFilled = (fields: readonly Pick<AddressState, "address" | "memo">[]): boolean =>
  fields.some(({ address, memo }) => `${address}${memo}`.trim() !== "");

/** Goes on with a creation that was cut off; says what became of one that was asked for elsewhere. */
function useReturnToStep({ catalogue, state }: ExchangeStore, byCard: CardOrder): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    const failure = takeLeftFailure();
    if (failure?.kind === "kyc-needed") void byCard.verify();
    else if (failure !== null) applyCreationFailure(catalogue, state, failure);
    else if (isCreationInterrupted()) navigate("/order/pending", { replace: true });
    // Only as the step opens: a creation that begins here is not cut off.
    // eslint-disable-next-line react/exhaustive-deps
  }, []);
}
