import { type RefObject } from "react";
import { subscribe } from "valtio";
import { useLocation } from "wouter";
import { call } from "../../../lib/http.ts";
import { useLocale } from "../../../lib/i18n/index.ts";
import { track } from "../../../platform/analytics/track.ts";
import { isOnline } from "../../../platform/connectivity.ts";
import { blockersOf, BLOCKERS, type Place } from "../model/blocker-words.ts";
import { type Blocker, blockers } from "../model/form-state.ts";
import { formContext, rateStatus } from "../store/derived.ts";
import type { SendOrder } from "../store/create-order.ts";
import { type ExchangeStore, useExchangeStore } from "../store/exchange-store.tsx";

/** The field that stands at each place of the step. */
const FIELDS: Partial<Record<Place, string>> = {
  destination: "destination-address",
  memo: "destination-memo",
  refund: "refund-address",
  terms: "terms",
};

/** Creates the order on submit and goes to it; shows every error at once, the first one focused. */
export function useCreateOrder(form: RefObject<HTMLFormElement | null>): () => Promise<void> {
  const store = useExchangeStore();
  const locale = useLocale();
  const [, navigate] = useLocation();
  const focusFirst = (found: Blocker[]) => {
    const names = found.map(({ kind }) => FIELDS[BLOCKERS[kind].place]).filter((name) => name !== undefined);
    if (names[0] !== undefined) form.current?.querySelector<HTMLElement>(`[name="${names[0]}"]`)?.focus();
  };
  return async () => {
    const { state } = store;
    if (state.creation.status === "busy") return;
    state.creation = { status: "busy" };
    const found = await settledBlockers(store);
    if (found.length > 0) {
      const here = blockersOf(found, "destination");
      state.wasSubmitted = true;
      // What stops it elsewhere, as a rate that doesn't come, may pass before it is read: no press ends in silence.
      state.creation = here.length > 0 ? { status: "idle" } : { status: "failed", failure: { kind: "not-created" } };
      focusFirst(here);
      return;
    }
    const order = await create(store, locale);
    if (order !== null) {
      const { from, to } = state;
      track({ event: "exchange initiated", from, to, rateMode: order.rateMode });
      navigate(`/order/${order.orderId}?${new URLSearchParams({ destinationAddress: order.destinationAddress })}`, {
        replace: true,
      });
    } else focusFirst(blockers(formContext(store.catalogue, state, isOnline())));
  };
}

/** What stops the order once every check and the rate on their way have come. */
async function settledBlockers({ catalogue, state, live }: ExchangeStore): Promise<Blocker[]> {
  await live.settleAddresses();
  await untilRateIsSettled(() => rateStatus(catalogue, state) !== "loading" || !isOnline(), state);
  return blockers(formContext(catalogue, state, isOnline()));
}

/** spec §9: a rate may take 15 s. */
const RATE_MS = 15_000;

function untilRateIsSettled(isSettled: () => boolean, state: object): Promise<void> {
  if (isSettled()) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(finish, RATE_MS);
    const unsubscribe = subscribe(state, () => {
      if (isSettled()) finish();
    });
    function finish(): void {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    }
  });
}

async function create({ catalogue, state }: ExchangeStore, locale: string) {
  try {
    const { createOrder } = await import("../store/create-order.ts");
    const send: SendOrder = (body, idempotencyKey) => call("createOrder", { body, idempotencyKey });
    return await createOrder(catalogue, state, send, locale);
  } catch (error) {
    console.error("the order could not be created", error);
    state.creation = { status: "failed", failure: { kind: "outcome-unknown" } };
    return null;
  }
}
