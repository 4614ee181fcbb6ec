import { PairAbout } from "../../features/pair/about/pair-about.tsx";
import { PairChart } from "../../features/prices/chart/pair-chart.tsx";

/** Below the calculator of a pair. */
export const ExchangeAbout = () => <PairAbout renderChart={(from, to) => <PairChart from={from} to={to} />} />;
