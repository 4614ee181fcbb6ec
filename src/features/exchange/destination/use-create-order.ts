import { type RefObject, useState } from "react";
import { useLocation } from "wouter";
import { orderPath } from "#contract/links/order-path.ts";
import { useAccount, useAccountEmail } from "../../../shared/account/account.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { usePartnerCode } from "../../../shared/page/page-context.ts";
import { isOnline } from "../../../shared/browser/connectivity.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import { trackInitiated } from "../creation/send-attempt.ts";
import { sendOrder } from "../api.ts";
import { blockersOf, BLOCKERS, type Field, type Blocker, blockers } from "../model/blockers.ts";
import { emailStep } from "../model/email-step.ts";
import { formContext, kindOfState } from "../store/selectors.ts";
import { type ExchangeStore, useExchangeStore } from "../store/provider.tsx";
import type { CardOrder } from "../card/use-card-order.ts";
import { settledBlockers } from "./settled-blockers.ts";
import { rememberedEmail } from "../store/remembered-email.ts";

/** The `name` of the input of each field of the step. */
const FIELDS: Partial<Record<Field, string>> = {
  destination: "destination-address",
  memo: "destination-memo",
  refund: "refund-address",
  "refund-memo": "refund-memo",
  terms: "terms",
};

export type CreateOrder = {
  /** Creates the order, or asks for an email first where the pair asks for one (spec §4). */
  readonly submit: () => Promise<void>;
  readonly isEmailAsked: boolean;
  readonly dismissEmail: () => void;
  /** Creates the order with the email that was asked for, or without one. */
  readonly createWith: (userEmail: string | null) => Promise<void>;
};

/** Creates the order on submit and goes to it; shows every error at once, the first one focused. */
export function useCreateOrder(form: RefObject<HTMLFormElement | null>, byCard: CardOrder): CreateOrder {
  const store = useExchangeStore();
  const { state } = store;
  const [isEmailAsked, setEmailAsked] = useState(false);
  const decideEmail = useEmailDecision(store);
  const create = useCreation(store, form);

  const submit = async () => {
    if (state.creation.status === "busy") return;
    state.creation = { status: "busy" };
    const found = await settledBlockers(store);
    if (found.length > 0) {
      const here = blockersOf(found, "destination");
      state.wasSubmitted = true;
      // What stops it elsewhere, as a rate that doesn't come, may pass before it is read: no press ends in silence.
      state.creation = here.length > 0 ? { status: "idle" } : { status: "failed", failure: { kind: "not-created" } };
      focusFirst(form, here);
      playHaptic("failed");
      return;
    }
    if (kindOfState(store.catalogue, state) !== "exchange") return byCard.submit();
    const email = await decideEmail();
    if (email.kind === "go") return create(email.userEmail);
    state.creation = { status: "idle" };
    setEmailAsked(true);
  };

  const createWith = async (userEmail: string | null) => {
    setEmailAsked(false);
    if (state.creation.status === "busy") return;
    state.creation = { status: "busy" };
    await create(userEmail);
  };

  return { submit, isEmailAsked, dismissEmail: () => setEmailAsked(false), createWith };
}

/** An order whose outcome is open has its email already. */
function useEmailDecision({ catalogue, state }: ExchangeStore) {
  const accountEmail = useAccountEmail();
  const signedIn = useAccount();
  const partnerCode = usePartnerCode();
  const locale = useLocale();
  return async () => {
    const { hasOpenAttempt } = await import("../creation/create-order.ts");
    if (hasOpenAttempt(catalogue, state, { locale, userEmail: null })) return { kind: "go", userEmail: null } as const;
    return emailStep({
      ckm: state.rate.data?.ckm ?? "D",
      accountEmail,
      // Only Telegram's accounts have no email.
      isNotifiedByTelegram: signedIn !== null && signedIn.email === null,
      rememberedEmail: rememberedEmail(),
      formerEmail: state.email,
      referral: state.referrerId,
      partnerCode,
    });
  };
}

/** Asks for the order; while its outcome is open, `/order/pending` asks on. */
function useCreation({ catalogue, state }: ExchangeStore, form: RefObject<HTMLFormElement | null>) {
  const locale = useLocale();
  const [, navigate] = useLocation();
  return async (userEmail: string | null) => {
    try {
      const { createOrder } = await import("../creation/create-order.ts");
      const outcome = await createOrder(catalogue, state, sendOrder, { locale, userEmail });
      if ("order" in outcome) {
        trackInitiated(outcome.order);
        navigate(orderPath(outcome.order.orderId, outcome.order.destinationAddress), { replace: true });
      } else if (outcome.failure.kind === "outcome-unknown") navigate("/order/pending");
      else {
        focusFirst(form, blockers(formContext(catalogue, state, isOnline())));
        playHaptic("failed");
      }
    } catch (error) {
      console.error("the order could not be created", error);
      state.creation = { status: "failed", failure: { kind: "outcome-unknown" } };
      playHaptic("failed");
    }
  };
}

function focusFirst(form: RefObject<HTMLFormElement | null>, found: Blocker[]): void {
  const names = found.map(({ kind }) => FIELDS[BLOCKERS[kind].field]).filter((name) => name !== undefined);
  if (names[0] !== undefined) form.current?.querySelector<HTMLElement>(`[name="${names[0]}"]`)?.focus();
}
