import { orderPath } from "#contract/links/order-path.ts";
import type { Order } from "#contract/order.ts";
import { account } from "../../../shared/account/account.ts";
import { untilAccountIsKnown } from "../../../shared/account/known-account.ts";
import { requestSignIn } from "../../../shared/account/sign-in-request.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import { type I18n, localeOf } from "../../../shared/i18n/create-i18n.ts";
import { loadMessages } from "../../../shared/i18n/messages.ts";
import { notify, SHORT_TIMEOUT_MS } from "../../../shared/page/notifications.ts";
import { isTelegram } from "../../../telegram/is-telegram.ts";
import { sendOrder } from "../api.ts";
import { createOrder } from "../creation/create-order.ts";
import { trackInitiated } from "../creation/send-attempt.ts";
import { settledBlockers } from "../destination/settled-blockers.ts";
import { exchangePath } from "../model/calculator-url.ts";
import { needsCheck } from "../model/card-check.ts";
import type { CreationFailure } from "../model/creation-failure.ts";
import { settingsOf } from "../store/selectors.ts";
import type { ExchangeStore } from "../store/provider.tsx";
import { type CardCreation, type CardRunner, createCardRunner } from "./card-runner.ts";
import { saveFlow } from "./saved-flow.ts";

type Navigate = (path: string, options?: { replace?: boolean }) => void;

/** The runner of a form's order by card, with what it does on the page. */
export async function startCardRunner(store: ExchangeStore, i18n: I18n, navigate: Navigate): Promise<CardRunner> {
  await loadMessages(i18n, ["card"]);
  const { state, card } = store;
  const t = i18n.getFixedT(null, "card");
  const formPath = () => exchangePath(settingsOf(state), "destination");
  let created: Order | null = null;

  const create = async (): Promise<CardCreation> => {
    state.creation = { status: "busy" };
    if ((await settledBlockers(store)).length > 0) {
      state.wasSubmitted = true;
      state.creation = { status: "failed", failure: { kind: "not-created" } };
      return { kind: "not-created", isNamed: true };
    }
    const shell = isTelegram() ? "telegram" : null;
    const extras = { locale: localeOf(i18n), userEmail: account.data?.email ?? null, shell } as const;
    const outcome = await createOrder(store.catalogue, state, sendOrder, extras);
    if ("order" in outcome) {
      created = outcome.order;
      trackInitiated(created);
      return { kind: "created" };
    }
    const { failure } = outcome;
    if (failure.kind === "outcome-unknown") navigate("/order/pending");
    if (failure.kind === "kyc-needed" || failure.kind === "email-unconfirmed") state.creation = { status: "idle" };
    else playHaptic("failed");
    return creationOf(failure);
  };

  return createCardRunner(card, {
    begin: async () => {
      await untilAccountIsKnown();
      const { rate } = state;
      return { account: signedIn(), needsCheck: rate.data !== null && needsCheck(rate.data) };
    },
    askSignIn: () => {
      state.creation = { status: "idle" };
      return requestSignIn("register");
    },
    create,
    openPayment: () => {
      if (created !== null) navigate(orderPath(created.orderId, created.destinationAddress), { replace: true });
    },
    notify: (error) => notify({ type: "error", message: t(`error.${error}`), timeoutMs: SHORT_TIMEOUT_MS }),
    save: (flow) => {
      const path = formPath();
      // A reload of the page finds the form as it was sent.
      if (flow.step !== "idle" && flow.step !== "paying") navigate(path, { replace: true });
      if (flow.step !== "creating") state.creation = keepsFailure(flow.step) ? state.creation : { status: "idle" };
      saveFlow(path, flow);
    },
  });
}

/** What was said of a failed creation stays until the next press; a press that leads elsewhere is over. */
const keepsFailure = (step: string): boolean => step === "idle" || step === "failed" || step === "paying";

const signedIn = () => (account.data === null || account.data.userId === 0 ? null : { email: account.data.email });

/** What the form says itself, beside its fields and its rate, or asks on for, needs no notification; every other failure does (spec §8). */
const NAMED: ReadonlySet<CreationFailure["kind"]> = new Set([
  "rate-moved",
  "rate",
  "account-missing",
  "fields",
  "blacklisted",
  "outcome-unknown",
]);

const creationOf = ({ kind }: CreationFailure): CardCreation =>
  kind === "kyc-needed" || kind === "email-unconfirmed" ? { kind } : { kind: "not-created", isNamed: NAMED.has(kind) };
