import { type CalculatorSlotProps, CoinPage } from "../../features/prices/coin/coin-page.tsx";
import { type CoinPageData, loadCoin } from "../../features/prices/load.ts";
import { definePage } from "../router/define-page.ts";
import { DeferredCalculator } from "./deferred-calculator.ts";

const Calculator = (props: CalculatorSlotProps) => <DeferredCalculator {...props} />;

export const page = definePage<CoinPageData>({
  Page: () => <CoinPage Calculator={Calculator} />,
  load: loadCoin,
  head: ({ coin, networks }, t) => {
    const values = { name: coin.name, ticker: coin.ticker };
    return {
      title: `${t("coin.title", { ns: "prices", ...values })} ${coin.ticker} · Wherry`,
      description: t("coin.lead", { ns: "prices", ...values, count: networks.length }),
      values,
      hasPicture: true,
      ...(coin.priceUsd !== null && { rate: { currency: coin.ticker, price: coin.priceUsd, priceCurrency: "USD" } }),
      parents: [{ name: t("list.title", { ns: "prices" }), path: "/price" }],
    };
  },
});
