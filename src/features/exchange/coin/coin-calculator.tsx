import { useDeferredValue, useEffect } from "react";
import useSWR from "swr";
import type { PairData } from "#contract/rate.ts";
import { browserApi } from "../../../shared/http/http.ts";
import { Button } from "../../../shared/ui/index.ts";
import { Calculator, useContinue } from "../calculator/calculator.tsx";
import type { CalculatorData } from "../load.ts";
import { ExchangeProvider, useExchangeState } from "../store/provider.tsx";
import { knownRate } from "../store/selectors.ts";
import "./coin-calculator.css";

type CoinCalculatorProps = {
  /** The pair that it opens with; without, it is the service's first one. */
  readonly from?: string;
  readonly to?: string;
  /** Called with each rate that the socket brings. */
  readonly onRate?: (rate: PairData) => void;
};

/** The calculator keeps its rate live by itself. */
const AS_OPENED = { revalidateOnFocus: false, revalidateIfStale: false, revalidateOnReconnect: false };

/** The calculator beside what is told of a coin, or an article: it leads to the step before an order. Nothing until it is loaded. */
export function CoinCalculator({ from, to, onRate }: CoinCalculatorProps) {
  const load = async () => {
    const { loadCalculator } = await import("../load.ts");
    const pair = from === undefined || to === undefined ? "" : { send: from, receive: to };
    return loadCalculator({ query: new URLSearchParams(pair), api: browserApi });
  };
  const { data: loaded } = useSWR<CalculatorData, Error>(["coin calculator", from, to], load, AS_OPENED);
  // SWR renders what has come in one task: 24 ms of processor time for the whole calculator. Deferred, it is rendered in slices.
  const data = useDeferredValue(loaded);
  if (data === undefined) return null;
  return (
    <div className="w-coin-calculator">
      <ExchangeProvider catalogue={data.catalogue} opening={data.opening}>
        <Calculator place="exchange" hasContinue={false} />
        <ContinueLink />
        {onRate === undefined ? null : <RateReport onRate={onRate} />}
      </ExchangeProvider>
    </div>
  );
}

/** One of the page's buttons: neither pinned nor Telegram's own. */
function ContinueLink() {
  const { settings: _settings, ...next } = useContinue();
  return <Button size="l" {...next} />;
}

function RateReport({ onRate }: Required<Pick<CoinCalculatorProps, "onRate">>) {
  const rate = knownRate(useExchangeState());
  useEffect(() => {
    if (rate !== null) onRate(rate);
  }, [rate, onRate]);
  return null;
}
