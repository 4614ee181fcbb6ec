import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { proxy, useSnapshot } from "valtio";
import { formatPairSlug } from "#contract/links/pair-slug.ts";
import { recordRateTime } from "../../../shared/format/rates-age.ts";
import { optional } from "../../../shared/page/optional.tsx";
import { serverNow } from "../../../shared/http/server-clock.ts";
import { abortOnCleanup } from "../../../shared/page/abort-on-cleanup.ts";
import { atRest } from "../../../shared/page/at-rest.ts";
import type { RatesListener } from "../../../shared/http/rates-socket.ts";
import { currentKey, rateRequest, requestKey } from "./selectors.ts";
import { noPoll, type PolledRate, type RatePoll as Poll } from "./poll.ts";
import type { CardFlow } from "../model/card-flow.ts";
import { restoreAmount } from "./amount-draft.ts";
import { type Catalogue, type ExchangeState, initialState, type Opening, openedCalculator } from "./state.ts";

/** A calculator and its destination step: one for each page, and on the server one for each request. */
export type ExchangeStore = {
  readonly catalogue: Catalogue;
  readonly state: ExchangeState;
  readonly poll: Poll;
  /** An order by card in the making. */
  readonly card: CardState;
  /** The pair that the page's address was last made or read for, and whether a choice on the page made it. */
  readonly address: { pair: string; isMadeHere: boolean };
  /** What the live parts can be asked; they live while the page is mounted. */
  readonly live: {
    retryRate: () => void;
    takePolledRate: (polled: PolledRate) => void;
    settleAddresses: () => Promise<void>;
  };
};

type CardState = {
  flow: CardFlow;
  /** The provider's page of the check; it has a token in it, and is kept nowhere. */
  verificationUrl: string | null;
  /** The last question was not answered, and is asked again. */
  isUnreachable: boolean;
};

const StoreContext = createContext<ExchangeStore | null>(null);

function createExchangeStore(catalogue: Catalogue, opening: Opening): ExchangeStore {
  const state = proxy(initialState(opening, openingKey(catalogue, opening)));
  const nothing = () => undefined;
  const live = { retryRate: nothing, takePolledRate: nothing, settleAddresses: async () => undefined };
  const card = proxy<CardState>({ flow: { step: "idle" }, verificationUrl: null, isUnreachable: false });
  const address = { pair: formatPairSlug(opening), isMadeHere: false };
  return { catalogue, state, poll: proxy(noPoll()), card, address, live };
}

/** The request that an opening's rate or failure answers. */
const openingKey = (catalogue: Catalogue, opening: Opening): string | null =>
  requestKey(rateRequest(catalogue, { ...opening, rateMode: opening.isFixedRefused ? "FLOATING" : opening.rateMode }));

/** Follows an address that names another pair, as Back does. */
function adoptOpening({ catalogue, state, address }: ExchangeStore, opening: Opening): void {
  const pair = formatPairSlug(opening);
  // What a choice here has led to may arrive after the next choice, which stands.
  if (address.isMadeHere && address.pair === pair) return;
  if (state.from === opening.from && state.to === opening.to) return;
  // Nobody chose it here: a person who has gone on meanwhile is not called back to it.
  Object.assign(address, { pair, isMadeHere: false });
  Object.assign(state, openedCalculator(opening, openingKey(catalogue, opening)));
  restoreAmount(state);
}

type ProviderProps = { readonly catalogue: Catalogue; readonly opening: Opening; readonly children: ReactNode };

/** Makes the store from what the page was loaded with, and keeps its rate live while mounted. */
export function ExchangeProvider({ catalogue, opening, children }: ProviderProps) {
  const [store] = useState(() => createExchangeStore(catalogue, opening));
  useEffect(() => {
    restoreAmount(store.state);
    return startLiveRate(store);
  }, [store]);
  return (
    <StoreContext value={store}>
      <OpeningFollower store={store} opening={opening} />
      {children}
      <RateFallback store={store} />
    </StoreContext>
  );
}

/** Before the page in the tree: its effect comes before the one that changes the address by a newer choice. */
function OpeningFollower({ store, opening }: { readonly store: ExchangeStore; readonly opening: Opening }) {
  useEffect(() => adoptOpening(store, opening), [store, opening]);
  return null;
}

const RatePoll = optional("the rate call", async () => (await import("./rate-poll.tsx")).RatePoll);

/** The rate call, loaded when the socket gives no rate for the first time. */
function RateFallback({ store: { poll, live } }: { readonly store: ExchangeStore }) {
  const isPolled = useSnapshot(poll).request !== null;
  return isPolled ? <RatePoll poll={poll} onPolled={(polled) => live.takePolledRate(polled)} /> : null;
}

const OLD_MS = 60_000;

/** A page that the worker has kept opens with the rate of its day: it is shown with its age until a new one comes. */
function ageFirstRate({ rate }: ExchangeState): void {
  if (rate.data === null) return;
  recordRateTime(rate.data.updatedAt);
  if (serverNow() - Date.parse(rate.data.updatedAt) > OLD_MS) rate.isLive = false;
}

/** The page came with the rate of what is asked now. */
const isRateFresh = (catalogue: Catalogue, state: ExchangeState): boolean =>
  state.rate.isLive && state.rate.answers === currentKey(catalogue, state);

/** Its code comes once the page is on the screen: until then the rate is the one that the page came with. */
function startLiveRate(store: ExchangeStore): () => void {
  const { state, live } = store;
  ageFirstRate(state);
  let stop = (): void => undefined;
  const cancel = abortOnCleanup(async (signal) => {
    try {
      const [{ watchRate }, { RatesSocket, ratesSocketUrl }] = await Promise.all([
        import("./live-rate.ts"),
        import("../../../shared/http/rates-socket.ts"),
      ]);
      if (signal.aborted) return;
      const beforeParsing = async () => {
        if (isRateFresh(store.catalogue, state)) await atRest();
      };
      const openSocket = (listener: RatesListener) => new RatesSocket(ratesSocketUrl(), listener, { beforeParsing });
      const rate = watchRate(store.catalogue, state, store.poll, openSocket);
      live.retryRate = rate.retry;
      live.takePolledRate = rate.takePolled;
      stop = rate.stop;
    } catch (error) {
      console.warn("live rates can't be loaded", error);
      state.rate.isLive = false;
      live.retryRate = () => {
        cancel();
        stop = startLiveRate(store);
      };
    }
  });
  const retry = () => live.retryRate();
  globalThis.addEventListener("online", retry);
  return () => {
    globalThis.removeEventListener("online", retry);
    cancel();
    stop();
  };
}

/** The calculator's store, for writing to it; `useExchangeState` reads. Throws outside `ExchangeProvider`. */
export function useExchangeStore(): ExchangeStore {
  const store = use(StoreContext);
  if (store === null) throw new Error("an exchange part is used outside ExchangeProvider");
  return store;
}

/** The state as it is now; `sync` where a field's caret must keep its place. */
export const useExchangeState = (): ExchangeState => useSnapshot(useExchangeStore().state, { sync: true });
