import type { Instrument } from "#contract/instrument.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { type Blocker, blockers } from "../model/blockers.ts";
import type { Side } from "../model/calculator-url.ts";
import { formContext, instrumentOf, kindOfState, knownRate, rateStatus } from "../store/selectors.ts";
import { type ExchangeKind, isFiat } from "../model/kind.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";

/** What one amount card shows: its coin, its amount in full, and whether the amount is still being computed. */
type SideView = {
  instrument: Instrument;
  amount: string;
  /** The market price that the rate is made of, or the catalogue's while there is none; null by card, where the provider's counts. */
  priceUsd: string | null;
  /** What the coins are worth at the provider of a card, and in which currency; null where that is unknown. */
  cardWorth: { amount: string; ticker: string } | null;
  /** The cards that are taken, of a pair with a currency. */
  methods: string;
  isTyped: boolean;
  isLoading: boolean;
  isKnown: boolean;
};

/** A side of the calculator as it stands now. */
export function useSide(side: Side): SideView {
  const { catalogue } = useExchangeStore();
  const state = useExchangeState();
  const isAsked = !useBlockers().some(isOutsideRate);
  const status = rateStatus(catalogue, state);
  const rate = status === "ready" ? knownRate(state) : null;
  const isTyped = state.side === side;
  const computed = side === "from" ? rate?.amountToGive : rate?.amountToGet;
  const instrument = instrumentOf(catalogue, side === "from" ? state.from : state.to);
  const known = knownRate(state);
  const currency = [state.from, state.to].map((slug) => instrumentOf(catalogue, slug)).find(isFiat);
  const coinWorth = rate?.card?.marketValue;
  return {
    instrument,
    priceUsd:
      currency === undefined
        ? ((side === "from" ? known?.marketLeftPrice : known?.marketRightPrice) ?? instrument.price)
        : null,
    cardWorth:
      currency === undefined || coinWorth === undefined ? null : { amount: coinWorth, ticker: currency.currencyTitle },
    methods: known?.card?.methods.join(", ") ?? "",
    amount: isTyped ? state.typed : (computed ?? ""),
    isTyped,
    isLoading: !isTyped && isAsked && status === "loading",
    isKnown: isTyped || computed !== undefined,
  };
}

/** Whether coins are exchanged, bought or sold. */
export const useKind = (): ExchangeKind => kindOfState(useExchangeStore().catalogue, useExchangeState());

/** Nothing is known yet of a pair that is asked for; without a network nothing will be, and nobody waits. */
export function useIsPairLoading(): boolean {
  const { catalogue } = useExchangeStore();
  const state = useExchangeState();
  const isAsked = !useBlockers().some(isOutsideRate);
  return useOnline() && isAsked && rateStatus(catalogue, state) === "loading" && knownRate(state) === null;
}

const isOutsideRate = ({ kind }: Blocker): boolean =>
  kind === "pair-unsupported" || kind === "amount-empty" || kind === "same-instrument";

/** What stops the order now, the most pressing first. */
export function useBlockers(): Blocker[] {
  const { catalogue } = useExchangeStore();
  const state = useExchangeState();
  return blockers(formContext(catalogue, state, useOnline()));
}
