import type { TFunction } from "i18next";
import { memoContext } from "#contract/address.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { formatChange } from "../../../shared/format/format-change.ts";
import type { CoinPageData } from "../load.ts";
import { formatPrice } from "./format-price.ts";

type Question = { readonly question: string; readonly answer: string };

type Facts = Pick<CoinPageData, "coin" | "networks" | "limits">;

/** The questions of a coin, answered by its facts; one without an answer is not asked. `t` is that of `prices`. */
export function coinQuestions({ coin, networks, limits }: Facts, t: TFunction<"prices">): Question[] {
  const { name, ticker, priceUsd, change24h, change7d } = coin;
  const names = { name, ticker };
  const questions: Question[] = [];
  if (priceUsd !== null) {
    const [price, day, week] = [formatPrice(priceUsd), formatChange(change24h), formatChange(change7d)];
    const answer =
      change24h === null || change7d === null
        ? t("questions.priceAnswer", { ...names, price })
        : t("questions.priceChanged", { ...names, price, day, week });
    questions.push({ question: t("questions.price", names), answer });
  }
  const onNetworks = networks.map(({ networkFriendlyTitle, networkStandard }) =>
    networkStandard === null ? networkFriendlyTitle : `${networkFriendlyTitle} (${networkStandard})`,
  );
  questions.push({
    question: t("questions.networks", names),
    answer: t("questions.networksAnswer", { ...names, count: networks.length, networks: onNetworks.join(", ") }),
  });
  questions.push({
    question: t("questions.confirmations", names),
    answer: networks
      .map(({ networkFriendlyTitle: network, confirmations: count }) =>
        t("questions.confirmationsOn", { network, count }),
      )
      .join(" "),
  });
  if (limits !== null) {
    const min = formatCrypto(limits.min);
    questions.push({
      question: t("questions.limits", names),
      answer:
        limits.max === null
          ? t("questions.limitsFrom", { ...names, min })
          : t("questions.limitsBetween", { ...names, min, max: formatCrypto(limits.max) }),
    });
  }
  const withMemo = networks.find(({ requiresMemo }) => requiresMemo);
  if (withMemo !== undefined) {
    const named = { ...names, context: memoContext(withMemo.networkTitle) };
    questions.push({ question: t("questions.memo", named), answer: t("questions.memoAnswer", named) });
  }
  return questions;
}
