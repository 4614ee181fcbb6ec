import { CoinPage } from "../../features/prices/coin/coin-page.tsx";
import { type CoinPageData, loadCoin } from "../../features/prices/load.ts";
import { loadMessages } from "../../shared/i18n/messages.ts";
import { atRest } from "../../shared/page/at-rest.ts";
import { optional } from "../../shared/page/optional.tsx";
import { definePage } from "../router/define-page.ts";

/** The page is readable without it, and has a link to the calculator of the home page until it comes. */
const Calculator = optional("the calculator", async (i18n) => {
  await atRest();
  const [{ CoinCalculator }] = await Promise.all([
    import("../../features/exchange/coin/coin-calculator.tsx"),
    loadMessages(i18n, ["exchange"]),
  ]);
  return CoinCalculator;
});

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
