import type { TFunction } from "i18next";
import { memoContext } from "#contract/address.ts";
import { formatCrypto, formatFee } from "../../../shared/format/format.ts";
import { formatAbout, formatDuration } from "../../../shared/format/format-time.ts";
import { networkName } from "./network-name.ts";
import type { PairFacts } from "./pair-facts.ts";

export type Question = { readonly question: string; readonly answer: string };

/** The questions of a pair, answered by its facts; one without an answer is not asked. `t` is that of `pair`, `common` that of `common`. */
export function pairQuestions(
  facts: PairFacts,
  rateLockMinutes: number,
  t: TFunction<"pair">,
  common: TFunction<"common">,
): Question[] {
  const { from, to, limits, feePercent, networkFee, medianSeconds, estimatedSeconds } = facts;
  const tickers = { from: from.currencyTitle, to: to.currencyTitle };
  const networks = { fromNetwork: networkName(from), toNetwork: networkName(to) };
  const ask = (name: string, answer: string, context?: string): Question => ({
    question: t(`questions.${name}` as "questions.fees", { ...tickers, ...networks, context }),
    answer,
  });
  const confirmations = t("questions.confirmed", { count: from.confirmations, ...networks, ...tickers });
  const time =
    medianSeconds !== null
      ? t("questions.timeMeasured", { duration: formatDuration(common, medianSeconds) })
      : estimatedSeconds !== null
        ? t("questions.timeEstimated", { duration: formatAbout(common, estimatedSeconds) })
        : null;
  const questions = [ask("time", [confirmations, time].filter((part) => part !== null).join(" "))];
  if (limits !== null) {
    const min = formatCrypto(limits.min);
    questions.push(
      ask(
        "limits",
        limits.max === null
          ? t("questions.limitsFrom", { min, ...tickers })
          : t("questions.limitsBetween", { min, max: formatCrypto(limits.max), ...tickers }),
      ),
    );
  }
  if (feePercent !== null && networkFee !== null)
    questions.push(
      ask("fees", t("questions.feesAnswer", { percent: feePercent, fee: formatFee(networkFee), ...tickers })),
    );
  questions.push(ask("network", t("questions.networkAnswer", { ...tickers, ...networks })));
  if (to.requiresMemo) {
    const context = memoContext(to.networkTitle);
    questions.push(ask("memo", t("questions.memoAnswer", { ...tickers, context }), context));
  }
  if (from.requiresMemo) {
    const context = memoContext(from.networkTitle);
    questions.push(ask("depositMemo", t("questions.depositMemoAnswer", { ...tickers, context }), context));
  }
  questions.push(ask("rates", t("questions.ratesAnswer", { count: rateLockMinutes })));
  return questions;
}
