import { account } from "../../../shared/account/account.ts";
import { randomHex } from "../../../shared/browser/random-hex.ts";
import { readUtmRecord } from "../../../shared/analytics/utm-record.ts";
import { browserFingerprint } from "../../../shared/browser/browser-fingerprint.ts";
import { readReferral } from "../../../shared/browser/referral.ts";
import { exchangePath } from "../model/calculator-url.ts";
import { type OrderBody, orderBody, orderIdentity } from "../model/order-body.ts";
import { type Attempt, saveAttempt, leaveAttempt, readAttempt } from "./attempt.ts";
import { enteredAmount, instrumentOf, settingsOf } from "../store/selectors.ts";
import { type SendResult, sendAttempt, type SendOrder } from "./send-attempt.ts";
import { applyCreationFailure } from "./creation-result.ts";
import { isFiat } from "../model/kind.ts";
import type { Catalogue, ExchangeState } from "../store/state.ts";

/** What an order is created with beside the form: the page's language, the email that updates go to, and where a card provider leads back to. */
type OrderExtras = Pick<OrderBody, "shell"> & { locale: string; userEmail: string | null };

/**
 * Asks once for the order that the form describes. What is certain and went wrong stands in the state; after an uncertain answer
 * the attempt stays saved, and the same key and body are sent again, so no press and no time-out makes a second order.
 */
export async function createOrder(
  catalogue: Catalogue,
  state: ExchangeState,
  send: SendOrder,
  extras: OrderExtras,
): Promise<SendResult> {
  const outcome = await sendAttempt(currentAttempt(catalogue, state, extras), send);
  if (outcome.referrerId === null) state.referrerId = null;
  if ("failure" in outcome) {
    // The service gives the same answer to the same key: asking on by itself would not end.
    if (outcome.failure.kind === "answer-unreadable") leaveAttempt();
    applyCreationFailure(catalogue, state, outcome.failure);
  }
  return outcome;
}

/** Whether the form describes an order whose outcome is still open: it is asked for as it was, email included. */
export function hasOpenAttempt(catalogue: Catalogue, state: ExchangeState, extras: OrderExtras): boolean {
  return readAttempt()?.identity === describe(catalogue, state, extras).identity;
}

function currentAttempt(catalogue: Catalogue, state: ExchangeState, extras: OrderExtras): Attempt {
  const described = describe(catalogue, state, extras);
  const saved = readAttempt();
  const attempt =
    saved?.identity === described.identity
      ? { ...saved, isLeft: false }
      : { ...described, key: randomHex(), isLeft: false, at: Date.now() };
  saveAttempt(attempt);
  return attempt;
}

function describe(catalogue: Catalogue, state: ExchangeState, { locale, userEmail, shell }: OrderExtras) {
  const { data: rate } = state.rate;
  if (rate === null) throw new Error("an order is created from a rate");
  const settings = settingsOf(state);
  const needsMemo = instrumentOf(catalogue, state.to).requiresMemo && !state.isMemoWaived;
  const body = orderBody({
    rate,
    destinationAddress: isFiat(instrumentOf(catalogue, state.to)) ? null : state.destination.address,
    destinationAddressMemo: needsMemo ? state.destination.memo.trim() : null,
    refundAddress: state.refund.address,
    refundAddressMemo: instrumentOf(catalogue, state.from).requiresMemo ? state.refund.memo : "",
    userEmail,
    referrerId: (account.data === null ? state.referrerId : null) ?? readReferral(),
    utmData: readUtmRecord(),
    browserFingerprint: browserFingerprint(),
    locale,
    shell,
  });
  return {
    identity: orderIdentity(body, {
      // The values that saved attempts carry: an update of the app must recognise them.
      side: state.side === "from" ? "send" : "get",
      amount: enteredAmount(catalogue, settings),
    }),
    body,
    returnTo: exchangePath(settings, "destination"),
  };
}
