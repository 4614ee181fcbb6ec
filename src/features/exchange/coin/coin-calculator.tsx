import { useDeferredValue } from "react";
import useSWR from "swr";
import { Button } from "../../../shared/ui/index.ts";
import { loadOwnCalculator } from "../api.ts";
import { Calculator, useContinue } from "../calculator/calculator.tsx";
import type { CalculatorData } from "../load.ts";
import { ExchangeProvider } from "../store/provider.tsx";
import "./coin-calculator.css";

type CoinCalculatorProps = {
  /** The pair that it opens with; without, it is the service's first one. */
  readonly from?: string;
  readonly to?: string;
};

/** The calculator keeps its rate live by itself. */
const AS_OPENED = { revalidateOnFocus: false, revalidateIfStale: false, revalidateOnReconnect: false };

/** The calculator beside what is said of a coin, or an article: it leads to the step before an order. Nothing until it is loaded. */
export function CoinCalculator({ from, to }: CoinCalculatorProps) {
  const load = () => loadOwnCalculator(from === undefined || to === undefined ? {} : { send: from, receive: to });
  const { data: loaded } = useSWR<CalculatorData, Error>(["coin calculator", from, to], load, AS_OPENED);
  // SWR renders what has come in one task: 24 ms of processor time for the whole calculator. Deferred, it is rendered in slices.
  const data = useDeferredValue(loaded);
  if (data === undefined) return null;
  return (
    <div className="w-coin-calculator">
      <ExchangeProvider catalogue={data.catalogue} opening={data.opening}>
        <Calculator place="exchange" hasContinue={false} />
        <ContinueLink />
      </ExchangeProvider>
    </div>
  );
}

/** One of the page's buttons: neither pinned nor Telegram's own. */
function ContinueLink() {
  const { settings: _settings, ...next } = useContinue();
  return <Button size="l" {...next} />;
}
