import { subscribe } from "valtio";
import { isOnline } from "../../../shared/browser/connectivity.ts";
import { type Blocker, blockers } from "../model/blockers.ts";
import { formContext, rateStatus } from "../store/selectors.ts";
import type { ExchangeStore } from "../store/provider.tsx";

/** What stops the order once every check and the rate on their way have come. */
export async function settledBlockers({ catalogue, state, live }: ExchangeStore): Promise<Blocker[]> {
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
