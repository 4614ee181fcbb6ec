import { loadMessages } from "../../shared/i18n/messages.ts";
import { atRest } from "../../shared/page/at-rest.ts";
import { optional } from "../../shared/page/optional.tsx";

/** For pages that are readable without the calculator, and have a link to that of the home page until it comes. */
export const DeferredCalculator = optional("the calculator", async (i18n) => {
  await atRest();
  const [{ CoinCalculator }] = await Promise.all([
    import("../../features/exchange/coin/coin-calculator.tsx"),
    loadMessages(i18n, ["exchange"]),
  ]);
  return CoinCalculator;
});
